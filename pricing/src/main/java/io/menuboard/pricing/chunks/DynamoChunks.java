package io.menuboard.pricing.chunks;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.chunks.ChangeChunk.Kind;
import io.menuboard.pricing.chunks.ChangeChunk.Line;
import io.menuboard.pricing.chunks.ChangeChunk.Place;
import io.menuboard.pricing.chunks.ChangeChunk.State;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Chunks as items {@code CHANGESET#{id}#{preview}#{shard}}/{@code CHUNK#{number}}. */
public final class DynamoChunks {
    /** Beginning of the sort keys of chunks. */
    public static final String PREFIX = "CHUNK#";

    private static final String RUN = "run";
    private static final String STATE = "state";
    private static final String FAILURES = "failures";
    private static final String PACKED = "packed";
    private static final String LINES = "lines";
    private static final String ASKED = "asked";
    private static final String DATE = "effectiveDate";

    private DynamoChunks() {}

    /** Key of the chunk at that place. */
    public static Key key(Place place) {
        return new Key(place.partition(), PREFIX + "%07d".formatted(place.number()));
    }

    /** The item of a chunk that no run has written. */
    public static Item item(ChangeChunk chunk, Instant ttl) {
        var item = Item.at(key(chunk.place()))
                .type("changeChunk")
                .number("number", chunk.number())
                .string("store", chunk.store().value())
                .string("channel", chunk.channel().value())
                .string("kind", chunk.kind().name())
                .number(RUN, 0)
                .string(STATE, State.NEW.name())
                .ttl(ttl);
        var texts = chunk.lines().stream().map(Line::text).toList();
        if (chunk.kind().isPacked()) {
            item.bytes(PACKED, PackedLines.pack(texts));
        } else {
            item.strings(LINES, texts);
        }
        if (chunk.asked() != null) {
            item.string(ASKED, chunk.asked().toString());
        }
        return item.build();
    }

    /**
     * The chunk that an item is.
     *
     * @param otherwise kind of a chunk whose item has none, which an earlier version wrote
     */
    public static ChangeChunk read(Item item, Kind otherwise) {
        var texts = item.findBytes(PACKED).map(PackedLines::unpack).orElseGet(() -> item.strings(LINES));
        return new ChangeChunk(
                new Place(item.key().partition(), (int) item.integer("number")),
                new StoreId(item.string("store")),
                new Channel(item.string("channel")),
                item.findString("kind").map(Kind::valueOf).orElse(otherwise),
                item.findString(ASKED).map(EffectiveDate::inKey).orElse(null),
                texts.stream().map(Line::of).toList(),
                (int) item.integer(RUN),
                State.valueOf(item.string(STATE)),
                item.findString(DATE).map(EffectiveDate::inKey).orElse(null),
                failures(item));
    }

    private static Map<Integer, String> failures(Item item) {
        var failures = new TreeMap<Integer, String>();
        if (item.attributes().containsKey(FAILURES)) {
            item.stringMap(FAILURES).forEach((number, why) -> failures.put(Integer.valueOf(number), why));
        }
        return failures;
    }

    /**
     * Records the work of that run; the condition fails where that was written before, another run came in between, or one
     * has {@linkplain #begun begun} the chunk since it was read.
     *
     * @param date for which lines are written now; null for no other than before
     * @param gone when the chunk is kept no more; null where that stays as it was
     */
    static Write written(
            ChangeChunk chunk,
            int run,
            State state,
            @Nullable EffectiveDate date,
            @Nullable Instant gone,
            Map<Integer, String> failures) {
        var update = update(chunk, run, state, failures);
        update = gone == null ? update : update.ttl(gone);
        return (date == null ? update : update.set(DATE, date.toString()))
                .when(Condition.equal(RUN, chunk.run())
                        .and(Condition.less(RUN, run))
                        .and(Condition.equal(STATE, chunk.state().name())));
    }

    /**
     * Records that some of the chunk may be done; the condition fails where that is known, or another run came in between. The run
     * is not recorded yet: an earlier version of the application takes a chunk for removed whose run it is.
     */
    static Write begun(ChangeChunk chunk) {
        return Update.of(key(chunk.place()))
                .set(STATE, State.WRITTEN.name())
                .when(Condition.equal(RUN, chunk.run()).and(Condition.equal(STATE, State.NEW.name())));
    }

    /** Records that this run has applied the chunk, which it may have begun; the condition fails where it is recorded. */
    static Write ended(ChangeChunk chunk, int run, Map<Integer, String> failures) {
        return update(chunk, run, State.APPLIED, failures)
                .when(Condition.less(RUN, run)
                        .or(Condition.equal(RUN, run).and(Condition.equal(STATE, State.WRITTEN.name()))));
    }

    private static Update update(ChangeChunk chunk, int run, State state, Map<Integer, String> failures) {
        var texts = new TreeMap<String, String>();
        failures.forEach((line, why) -> texts.put(line.toString(), why));
        return Update.of(key(chunk.place()))
                .set(RUN, run)
                .set(STATE, state.name())
                .set(FAILURES, texts);
    }
}
