package io.menuboard.pricing.revisions;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes at once of prices of a store and channel, which one transaction made.
 *
 * @param number one more than that of the entry before it
 * @param at when they took effect, a whole second; not before that of the entry before it
 * @param lines in the order in which they were made
 */
public record PriceLogEntry(long number, Instant at, Attribution by, List<Line> lines) {

    public PriceLogEntry {
        lines = List.copyOf(lines);
    }

    /**
     * One version that was written.
     *
     * @param date of the version
     * @param isInEffect false where a version of a later date counts, which the same set wrote
     * @param before the price in effect before it; null for none
     * @param after null where it deletes
     * @param replaced the version whose place it has taken, where that came with its time in the same second; null otherwise
     */
    public record Line(
            PriceSubject subject,
            EffectiveDate date,
            boolean isInEffect,
            @Nullable Money before,
            @Nullable Money after,
            @Nullable Replaced replaced) {

        String text() {
            var text = new StringBuilder()
                    .append(subject)
                    .append('\t')
                    .append(date)
                    .append('\t')
                    .append(isInEffect ? "" : "-")
                    .append('\t')
                    .append(text(before))
                    .append('\t')
                    .append(text(after));
            if (replaced != null) {
                text.append('\t')
                        .append(replaced.changeSet() == null ? "" : replaced.changeSet())
                        .append('\t')
                        .append(text(replaced.before()));
            }
            return text.toString();
        }

        static Line of(String text) {
            var parts = text.split("\t", -1);
            return new Line(
                    PriceSubject.of(parts[0]),
                    EffectiveDate.inKey(parts[1]),
                    parts[2].isEmpty(),
                    money(parts[3]),
                    money(parts[4]),
                    parts.length == 5
                            ? null
                            : new Replaced(parts[5].isEmpty() ? null : new ChangeSetId(parts[5]), money(parts[6])));
        }

        private static String text(@Nullable Money money) {
            return money == null ? "" : money.text();
        }

        private static @Nullable Money money(String text) {
            return text.isEmpty() ? null : Money.of(text);
        }
    }

    /**
     * A version that is gone, but was in effect for less than a second; its price is what the line has as before.
     *
     * @param changeSet null where it was loaded
     * @param before the price before that version; null for none
     */
    public record Replaced(
            @Nullable ChangeSetId changeSet, @Nullable Money before) {}
}
