package io.menuboard.pricing.chunks;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a change set that are written together: of one store and channel, and those lines alone that change
 * something.
 *
 * @param asked date from which its lines count, where that is theirs and not the set's; null for the set's, which has none
 *     for lines at once
 * @param run number of the set's run that last wrote it; 0 before the first
 * @param date for which its lines are written; null before that
 * @param failures reasons why lines of it were not written, by number
 */
public record ChangeChunk(
        Place place,
        StoreId store,
        Channel channel,
        Kind kind,
        @Nullable EffectiveDate asked,
        List<Line> lines,
        int run,
        State state,
        @Nullable EffectiveDate date,
        Map<Integer, String> failures) {

    /**
     * Place of a chunk in the table.
     *
     * @param number unique in its set
     */
    public record Place(String partition, int number) {}

    /** Ways in which lines are written. */
    public enum Kind {
        /** As soon as the set is applied. */
        AT_ONCE,
        /** As versions that are to come. */
        SCHEDULED,
        /** As the first prices of a store and channel, each from its own date on. */
        LOAD,
        /** Removed, as if they had never been loaded. */
        UNLOAD;

        /** True for chunks of many lines, which are kept compressed. */
        public boolean isPacked() {
            return this == LOAD || this == UNLOAD;
        }
    }

    /** Work of the last run. */
    public enum State {
        NEW,
        WRITTEN,
        APPLIED,
        CANCELLED
    }

    /**
     * One price, with what the preview saw.
     *
     * @param date from when it counts, where it has a date of its own that has begun; otherwise null
     * @param listedToo whether it is a line of the set's list, too, although its chunk is packed; false in what an earlier
     *     version wrote
     */
    public record Line(
            int number,
            PriceSubject subject,
            @Nullable Money before,
            @Nullable Money after,
            @Nullable EffectiveDate date,
            boolean listedToo) {
        private static final String LISTED_TOO = "L";

        String text() {
            return number + "\t" + subject + "\t" + text(before) + "\t" + text(after)
                    + (date == null ? "" : "\t" + date)
                    + (listedToo ? "\t" + LISTED_TOO : "");
        }

        static Line of(String text) {
            var parts = text.split("\t", -1);
            return new Line(
                    Integer.parseInt(parts[0]),
                    PriceSubject.of(parts[1]),
                    money(parts[2]),
                    money(parts[3]),
                    parts.length == 4 ? null : EffectiveDate.inKey(parts[4]),
                    parts.length == 6 && parts[5].equals(LISTED_TOO));
        }

        private static String text(@Nullable Money money) {
            return money == null ? "" : money.text();
        }

        private static @Nullable Money money(String text) {
            return text.isEmpty() ? null : Money.of(text);
        }
    }

    /** A chunk that no run has written. */
    public static ChangeChunk fresh(
            Place place, StoreId store, Channel channel, Kind kind, @Nullable EffectiveDate asked, List<Line> lines) {
        return new ChangeChunk(place, store, channel, kind, asked, lines, 0, State.NEW, null, Map.of());
    }

    /** Number of the chunk, unique in its set. */
    public int number() {
        return place.number();
    }

    /** True where both are of one store and channel. */
    public boolean goesWith(ChangeChunk other) {
        return store.equals(other.store) && channel.equals(other.channel);
    }

    /** Date from which lines of the chunk count that wait for their time: its own, or that of its set. */
    public EffectiveDate dateOr(@Nullable EffectiveDate ofSet) {
        return Objects.requireNonNull(asked == null ? ofSet : asked);
    }

    /** Prices of the lines, each once. */
    public List<PriceSubject> subjects() {
        return lines.stream().map(Line::subject).distinct().toList();
    }

    /** The chunk as that run leaves it. */
    ChangeChunk written(int newRun, State newState, @Nullable EffectiveDate newDate, Map<Integer, String> newFailures) {
        return new ChangeChunk(
                place, store, channel, kind, asked, lines, newRun, newState, newDate, Map.copyOf(newFailures));
    }

    /** Lines that the last run wrote. */
    public List<Line> writtenLines() {
        return without(failures);
    }

    /** Lines that have none of these failures. */
    List<Line> without(Map<Integer, String> failed) {
        var left = new ArrayList<>(lines);
        left.removeIf(line -> failed.containsKey(line.number()));
        return left;
    }
}
