package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a change set that are written together: of one store and channel, and those lines alone that change
 * something.
 *
 * @param number from 0 in its set
 * @param run which run of the set last wrote it; 0 before the first
 * @param date what it was written for; null before that, and for a change at once
 * @param failures why lines of it were not written, by number
 */
record ChangeChunk(
        Key key,
        int number,
        StoreId store,
        Channel channel,
        List<Line> lines,
        int run,
        State state,
        @Nullable EffectiveDate date,
        Map<Integer, String> failures) {

    /** What the last run did with it. */
    enum State {
        NEW,
        WRITTEN,
        APPLIED,
        CANCELLED
    }

    /** One price, with what the preview saw. */
    record Line(
            int number,
            PriceSubject subject,
            @Nullable Money before,
            @Nullable Money after) {

        String text() {
            return number + "\t" + subject + "\t" + text(before) + "\t" + text(after);
        }

        static Line of(String text) {
            var parts = text.split("\t", -1);
            return new Line(Integer.parseInt(parts[0]), PriceSubject.of(parts[1]), money(parts[2]), money(parts[3]));
        }

        private static String text(@Nullable Money money) {
            return money == null ? "" : DynamoPrices.text(money);
        }

        private static @Nullable Money money(String text) {
            return text.isEmpty() ? null : DynamoPrices.money(text);
        }
    }

    /** Whether both are of one store and channel. */
    boolean goesWith(ChangeChunk other) {
        return store.equals(other.store) && channel.equals(other.channel);
    }

    /** A new one. */
    Item item(Instant ttl) {
        return Item.at(key)
                .type("changeChunk")
                .number("number", number)
                .string("store", store.value())
                .string("channel", channel.value())
                .strings("lines", lines.stream().map(Line::text).toList())
                .number("run", 0)
                .string("state", State.NEW.name())
                .ttl(ttl)
                .build();
    }

    static ChangeChunk of(Item item) {
        return new ChangeChunk(
                item.key(),
                (int) item.integer("number"),
                new StoreId(item.string("store")),
                new Channel(item.string("channel")),
                item.strings("lines").stream().map(Line::of).toList(),
                (int) item.integer("run"),
                State.valueOf(item.string("state")),
                item.findString("effectiveDate").map(EffectiveDate::inKey).orElse(null),
                failuresOf(item));
    }

    /** Why lines were not written, by number, as that item says. */
    private static Map<Integer, String> failuresOf(Item item) {
        var failures = new TreeMap<Integer, String>();
        if (item.attributes().containsKey("failures")) {
            item.stringMap("failures").forEach((number, why) -> failures.put(Integer.valueOf(number), why));
        }
        return failures;
    }

    ChangeChunk cancelled() {
        return new ChangeChunk(key, number, store, channel, lines, run, State.CANCELLED, date, failures);
    }

    /** Lines that the last run wrote. */
    List<Line> writtenLines() {
        var written = new ArrayList<>(lines);
        written.removeIf(line -> failures.containsKey(line.number()));
        return written;
    }

    /** That this run has done it; its condition fails where that was written before, or another run came in between. */
    Write written(int newRun, State newState, @Nullable EffectiveDate newDate, Map<Integer, String> newFailures) {
        var failed = new TreeMap<String, String>();
        newFailures.forEach((line, why) -> failed.put(line.toString(), why));
        var update = Expression.of("SET #run = :run, #state = :state, failures = :failures"
                        + (newDate == null ? "" : ", effectiveDate = :date"))
                .name("#run", "run")
                .name("#state", "state")
                .number(":run", newRun)
                .string(":state", newState.name())
                .stringMap(":failures", failed);
        return Write.update(
                key,
                newDate == null ? update : update.string(":date", newDate.toString()),
                Expression.of("#run = :was AND #run < :run")
                        .name("#run", "run")
                        .number(":was", run)
                        .number(":run", newRun));
    }
}
