package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a price, as it is stored.
 *
 * @param price null where it was deleted
 * @param changeSet what wrote it; null where it was loaded
 * @param superseded whether a later version is known to have taken over
 * @param writtenAt when it was written, where it took effect at once; to the millisecond
 * @param beneath versions that it has taken the place of, the last of which comes back if it is taken back before its time:
 *     that of the set that was made last
 */
public record StoredPrice(
        EffectiveDate effectiveDate,
        @Nullable Money price,
        @Nullable ChangeSetId changeSet,
        boolean superseded,
        @Nullable Instant writtenAt,
        List<Layer> beneath) {

    public StoredPrice {
        beneath = List.copyOf(beneath);
    }

    /** A version that was loaded: no change set wrote it. */
    public static StoredPrice loaded(EffectiveDate date, @Nullable Money price) {
        return new StoredPrice(date, price, null, false, null, List.of());
    }

    /** The same with other layers beneath it. */
    public StoredPrice over(List<Layer> layers) {
        return new StoredPrice(effectiveDate, price, changeSet, superseded, writtenAt, layers);
    }

    /**
     * A version that another one has taken the place of before its time.
     *
     * @param changeSet what wrote it; null where it was loaded
     * @param line which of that set's lines it is; null where nothing waits for its time
     * @param price null where it deletes
     */
    public record Layer(
            @Nullable ChangeSetId changeSet,
            @Nullable Integer line,
            @Nullable Money price) {

        String text() {
            return (changeSet == null ? "" : changeSet) + "\t" + (line == null ? "" : line) + "\t"
                    + (price == null ? "" : price.text());
        }

        static Layer of(String text) {
            var parts = text.split("\t", -1);
            return new Layer(
                    parts[0].isEmpty() ? null : new ChangeSetId(parts[0]),
                    parts[1].isEmpty() ? null : Integer.valueOf(parts[1]),
                    parts[2].isEmpty() ? null : Money.of(parts[2]));
        }
    }
}
