package io.menuboard.pricing.changes;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a change set that are written together: of one store and channel, and those lines alone that change
 * something.
 *
 * @param number unique in its set
 * @param asked from when its lines count, where that is theirs and not the set's; null for the set's, which has none for
 *     lines at once
 * @param run which run of the set last wrote it; 0 before the first
 * @param date what its lines are written for; null before that
 * @param failures why lines of it were not written, by number
 */
record ChangeChunk(
        Key key,
        int number,
        StoreId store,
        Channel channel,
        Kind kind,
        @Nullable EffectiveDate asked,
        List<Line> lines,
        int run,
        State state,
        @Nullable EffectiveDate date,
        Map<Integer, String> failures) {
    private static final String PACKED = "packed";

    /** How its lines are written. */
    enum Kind {
        /** As soon as the set is applied. */
        AT_ONCE,
        /** As versions that are to come. */
        SCHEDULED,
        /** As the first prices of a store and channel, each from its own date on. */
        LOAD,
        /** Removed, as if they had never been loaded. */
        UNLOAD;

        /** Whether the chunk has many lines, which are kept compressed. */
        boolean isPacked() {
            return this == LOAD || this == UNLOAD;
        }
    }

    /** What the last run did with it. */
    enum State {
        NEW,
        WRITTEN,
        APPLIED,
        CANCELLED
    }

    /**
     * One price, with what the preview saw.
     *
     * @param date from when it counts, where it has a date of its own that has begun; otherwise null
     */
    record Line(
            int number,
            PriceSubject subject,
            @Nullable Money before,
            @Nullable Money after,
            @Nullable EffectiveDate date) {

        String text() {
            return number + "\t" + subject + "\t" + text(before) + "\t" + text(after)
                    + (date == null ? "" : "\t" + date);
        }

        static Line of(String text) {
            var parts = text.split("\t", -1);
            return new Line(
                    Integer.parseInt(parts[0]),
                    PriceSubject.of(parts[1]),
                    money(parts[2]),
                    money(parts[3]),
                    parts.length == 4 ? null : EffectiveDate.inKey(parts[4]));
        }

        private static String text(@Nullable Money money) {
            return money == null ? "" : money.text();
        }

        private static @Nullable Money money(String text) {
            return text.isEmpty() ? null : Money.of(text);
        }
    }

    /** One that nobody has written. */
    static ChangeChunk fresh(
            Key key,
            int number,
            StoreId store,
            Channel channel,
            Kind kind,
            @Nullable EffectiveDate asked,
            List<Line> lines) {
        return new ChangeChunk(key, number, store, channel, kind, asked, lines, 0, State.NEW, null, Map.of());
    }

    /** Whether both are of one store and channel. */
    boolean goesWith(ChangeChunk other) {
        return store.equals(other.store) && channel.equals(other.channel);
    }

    /** Date from which lines of the chunk count that wait for their time: its own, or that of its set. */
    EffectiveDate dateIn(ChangeSet set) {
        return Objects.requireNonNull(asked == null ? set.effectiveDate() : asked);
    }

    /** As a new item. */
    Item item(Instant ttl) {
        var item = Item.at(key)
                .type("changeChunk")
                .number("number", number)
                .string("store", store.value())
                .string("channel", channel.value())
                .string("kind", kind.name())
                .number("run", 0)
                .string("state", State.NEW.name())
                .ttl(ttl);
        var texts = lines.stream().map(Line::text).toList();
        if (kind.isPacked()) {
            item.bytes(PACKED, PackedLines.pack(texts));
        } else {
            item.strings("lines", texts);
        }
        if (asked != null) {
            item.string("asked", asked.toString());
        }
        return item.build();
    }

    /** @param otherwise how lines are written of a set that was drafted before chunks said so */
    static ChangeChunk of(Item item, Kind otherwise) {
        var texts = item.findBytes(PACKED).map(PackedLines::unpack).orElseGet(() -> item.strings("lines"));
        return new ChangeChunk(
                item.key(),
                (int) item.integer("number"),
                new StoreId(item.string("store")),
                new Channel(item.string("channel")),
                item.findString("kind").map(Kind::valueOf).orElse(otherwise),
                item.findString("asked").map(EffectiveDate::inKey).orElse(null),
                texts.stream().map(Line::of).toList(),
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

    /** As it is once that run has carried out that plan. */
    ChangeChunk after(DynamoChangeWrites.Plan plan, int newRun) {
        return new ChangeChunk(
                key,
                number,
                store,
                channel,
                kind,
                asked,
                lines,
                newRun,
                plan.state(),
                plan.date() == null ? date : plan.date(),
                Map.copyOf(plan.failures()));
    }

    /** Lines that the last run wrote. */
    List<Line> writtenLines() {
        return without(failures);
    }

    /** Lines that have none of these failures. */
    List<Line> without(Map<Integer, String> failed) {
        var left = new ArrayList<>(lines);
        left.removeIf(line -> failed.containsKey(line.number()));
        return left;
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

    /** That this run has done it to its end, which it may have said to have begun; its condition fails where one has said so. */
    Write ended(int newRun, Map<Integer, String> newFailures) {
        var failed = new TreeMap<String, String>();
        newFailures.forEach((line, why) -> failed.put(line.toString(), why));
        return Write.update(
                key,
                Expression.of("SET #run = :run, #state = :state, failures = :failures")
                        .name("#run", "run")
                        .name("#state", "state")
                        .number(":run", newRun)
                        .string(":state", State.APPLIED.name())
                        .stringMap(":failures", failed),
                Expression.of("#run < :run OR (#run = :run AND #state = :begun)")
                        .name("#run", "run")
                        .name("#state", "state")
                        .number(":run", newRun)
                        .string(":begun", State.WRITTEN.name()));
    }
}
