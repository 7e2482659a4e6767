package io.menuboard.pricing.chunks;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceAudit;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.DynamoStores;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.chunks.ChangeChunk.Line;
import io.menuboard.pricing.chunks.ChangeChunk.State;
import io.menuboard.pricing.revisions.DynamoPriceRevisions;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Gatherers;

/**
 * First prices of stores, loaded as they are: a version each, from its own date on, without history, at two write units.
 * They are written without conditions, in batches. What makes that safe is the store and channel's guard,
 * {@code STORE#{store}}/{@code {channel}#Load}: there was no price when it was put, and while it is there nobody else
 * writes the first version of a price.
 */
public final class DynamoPriceLoads {
    private static final String NOT_EMPTY = "the store has got prices in this channel since the preview";

    /** Deletions of one transaction. */
    private static final int REMOVED_AT_ONCE = 90;

    private final QueryDb db;
    private final DynamoPriceVersions prices;
    private final DynamoPriceAudit audit;
    private final PriceRevisions revisions;

    DynamoPriceLoads(QueryDb db, PriceBook book, PriceRevisions revisions) {
        this.db = db;
        this.revisions = revisions;
        this.prices = book.versions();
        this.audit = book.audit();
    }

    /** Checks that no other set loads first prices there: those are written without conditions. */
    static Write isNotBeingLoaded(ChangeChunk chunk, ChangeSetId but) {
        return Write.check(
                guardKey(chunk.store(), chunk.channel()), Condition.absent().or(DynamoPriceVersions.isOf(but)));
    }

    /** Key of the guard of a store and channel. */
    public static Key guardKey(StoreId store, Channel channel) {
        return new Key(DynamoStores.partition(store), channel + "#Load");
    }

    /**
     * Puts the guard of a store and channel that has no price yet, or finds that this set has put it. Four write units and one
     * for the end of the check, and two read units.
     *
     * @return true where the set may load
     */
    public boolean guard(ChangeSetId set, StoreId store, Channel channel) {
        var key = guardKey(store, channel);
        try {
            var guard = Item.at(key)
                    .type("priceLoad")
                    .string("changeSet", set.value())
                    .build();
            transact(
                    store,
                    List.of(Write.put(guard, Condition.absent()), DynamoPriceRevisions.beginLoading(store, channel)));
        } catch (ConditionFailed e) {
            var there = e.current(key);
            if (!there.flatMap(item -> item.findString("changeSet")).equals(Optional.of(set.value()))) {
                return false;
            }
            if (there.orElseThrow().attributes().containsKey("empty")) {
                return true;
            }
        }
        if (!prices.isEmptyNow(store, channel, set)) {
            release(set, store, channel);
            return false;
        }
        db.update(Update.of(key).set("empty", "yes").when(DynamoPriceVersions.isOf(set)), item -> item.attributes()
                .containsKey("empty"));
        return true;
    }

    /** Takes the guard away, if it is this set's. Four write units. */
    public void release(ChangeSetId set, StoreId store, Channel channel) {
        try {
            transact(
                    store,
                    List.of(
                            Write.delete(guardKey(store, channel), DynamoPriceVersions.isOf(set)),
                            DynamoPriceRevisions.endLoading(store, channel)));
        } catch (ConditionFailed _) {
            // Unclaimed, or another set's.
        }
    }

    private void transact(StoreId store, List<Write> writes) {
        try {
            db.transact(writes);
        } finally {
            revisions.forget(store);
        }
    }

    /**
     * Writes the prices of a chunk whose store and channel are guarded. Two write units a price, and up to four per KB of
     * the chunk.
     *
     * @return reasons why lines are not written, by number
     */
    public Map<Integer, String> load(Attribution by, ChangeChunk chunk, int run) {
        // Recorded before, so that nobody takes back what may be there.
        if (chunk.run() < run && !isWritten(DynamoChunks.written(chunk, run, State.WRITTEN, null, null, Map.of()))) {
            return load(by, now(chunk), run);
        }
        if (chunk.state() == State.APPLIED || chunk.state() == State.CANCELLED) {
            return chunk.failures();
        }
        db.saveBatch(chunk.lines().stream()
                        .map(line -> new Save(
                                DynamoPriceVersions.item(
                                        chunk.store(), chunk.channel(), line.subject(), date(line), line.after()),
                                SaveMode.ANY))
                        .toList())
                .orThrow();
        return loaded(by, chunk, Map.of(), run);
    }

    /** Records that a chunk is not loaded because the store and channel have prices; up to four write units per KB. */
    public Map<Integer, String> refuse(Attribution by, ChangeChunk chunk, int run) {
        var failures = new TreeMap<Integer, String>();
        chunk.lines().forEach(line -> failures.put(line.number(), NOT_EMPTY));
        return loaded(by, chunk, failures, run);
    }

    private Map<Integer, String> loaded(Attribution by, ChangeChunk chunk, Map<Integer, String> failures, int run) {
        return ended(chunk, failures, run, loaded -> audit.loaded(by, chunk.store(), chunk.channel(), loaded));
    }

    /**
     * Removes prices that {@link #load} wrote, where nobody has changed them since. Three write units a price, and up to
     * four per KB of the chunk.
     *
     * @return reasons why lines are not removed, by number
     */
    public Map<Integer, String> unload(Attribution by, ChangeChunk chunk, int run) {
        // Recorded before, so that nobody says of what may be gone that it was left.
        if (chunk.state() == State.NEW && !isWritten(DynamoChunks.begun(chunk))) {
            return unload(by, now(chunk), run);
        }
        if (chunk.state() == State.APPLIED || chunk.state() == State.CANCELLED) {
            return chunk.failures();
        }
        var failures = new TreeMap<Integer, String>();
        chunk.lines().stream()
                .gather(Gatherers.windowFixed(REMOVED_AT_ONCE))
                .forEach(lines -> failures.putAll(unload(chunk, lines)));
        return ended(chunk, failures, run, removed -> audit.unloaded(by, chunk.store(), chunk.channel(), removed));
    }

    private Map<Integer, String> unload(ChangeChunk chunk, List<Line> lines) {
        var failures = new TreeMap<Integer, String>();
        var left = new ArrayList<>(lines);
        while (!left.isEmpty()) {
            try {
                var writes = new ArrayList<Write>();
                left.forEach(line -> writes.add(Write.delete(key(chunk, line), isAsLoaded(line))));
                writes.add(DynamoPriceRevisions.raiseForUnload(chunk.store(), chunk.channel()));
                transact(chunk.store(), writes);
                return failures;
            } catch (ConditionFailed e) {
                for (var line : List.copyOf(left)) {
                    if (e.keys().contains(key(chunk, line))) {
                        left.remove(line);
                        if (e.current(key(chunk, line)).isPresent()) {
                            failures.put(line.number(), "the price has been changed since");
                        }
                    }
                }
            }
        }
        return failures;
    }

    private static Condition isAsLoaded(Line line) {
        return DynamoPriceVersions.isAsLoaded(Objects.requireNonNull(line.before()));
    }

    /** False where its condition does not hold. */
    private boolean isWritten(Write write) {
        try {
            db.transact(List.of(write));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private ChangeChunk now(ChangeChunk chunk) {
        return db.read(
                db.get(DynamoChunks.key(chunk.place()), Consistency.STRONG).orElseThrow(),
                item -> DynamoChunks.read(item, chunk.kind()));
    }

    private Map<Integer, String> ended(
            ChangeChunk chunk, Map<Integer, String> failures, int run, IntFunction<Write> record) {
        var done = chunk.lines().size() - failures.size();
        var writes = new ArrayList<Write>();
        writes.add(DynamoChunks.ended(chunk, run, failures));
        if (done > 0) {
            writes.add(record.apply(done));
        }
        try {
            db.transact(writes);
            return failures;
        } catch (ConditionFailed _) {
            return now(chunk).failures(); // somebody else has said so
        }
    }

    private static Key key(ChangeChunk chunk, Line line) {
        return DynamoPriceVersions.key(chunk.store(), chunk.channel(), line.subject(), date(line));
    }

    private static EffectiveDate date(Line line) {
        return Objects.requireNonNull(line.date());
    }
}
