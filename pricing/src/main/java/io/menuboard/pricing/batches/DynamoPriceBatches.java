package io.menuboard.pricing.batches;

import io.menuboard.kernel.LazyStreams;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoStores;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Batches as items {@code STORE#{store}}/{@code {channel}#Batch#{effectiveDate}}, listed in {@code gsi1} under
 * {@code BATCH#{UTC date}#{shard}}/{@code {instant}#{store}#{channel}}. Each has the number of its changes by their set
 * ({@code set_{id}}), and a version.
 */
public final class DynamoPriceBatches {
    /** Type of the items. */
    public static final String TYPE = "changeBatch";

    private static final int DAYS_AT_ONCE = 16;
    private static final String INDEX = "gsi1";
    private static final String PLACE = "gsi1sk";
    private static final String VERSION = "version";
    private static final String COUNT = "set_";
    private static final String INSTANT = "instant";

    private final QueryDb db;
    private final int shards;

    /** @param shards partitions that share the batches of one UTC date */
    DynamoPriceBatches(QueryDb db, int shards) {
        this.db = db;
        this.shards = shards;
    }

    /** Batches that take effect on that day of UTC, by shard and then by instant, as they are consumed. */
    Stream<ScheduledBatch> of(LocalDate utc) {
        var lists = IntStream.range(0, shards)
                .mapToObj(shard -> Query.index("batches", INDEX, "BATCH#" + utc + "#" + shard));
        return LazyStreams.flatMap(lists, db::all)
                .flatMap(item -> db.readable(item, DynamoPriceBatches::scheduled).stream());
    }

    /**
     * Batches that take effect on any of those days of UTC, by day and shard and then by instant.
     *
     * @param known days that need not be read; those that are read are added
     */
    List<ScheduledBatch> of(List<LocalDate> utc, Map<LocalDate, List<ScheduledBatch>> known) {
        var unknown = utc.stream().filter(day -> !known.containsKey(day)).toList();
        var read = Concurrently.map(DAYS_AT_ONCE, unknown, day -> of(day).toList());
        for (var i = 0; i < unknown.size(); i++) {
            known.put(unknown.get(i), read.get(i));
        }
        return utc.stream()
                .flatMap(day -> Objects.requireNonNull(known.get(day)).stream())
                .toList();
    }

    /** The batch as it is now, strongly consistent: one read unit. */
    public Optional<ScheduledBatch> find(PriceBatch batch) {
        return stored(batch).map(item -> db.read(item, DynamoPriceBatches::scheduled));
    }

    /** As {@link #find}, of many. */
    List<ScheduledBatch> findAll(List<PriceBatch> batches) {
        return db.getBatch(batches.stream().map(DynamoPriceBatches::key).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoPriceBatches::scheduled))
                .toList();
    }

    /**
     * A batch as it was read.
     *
     * @param version grows with each change of it
     * @param at its instant on the clock that its store had when it was last changed
     * @param changes number of changes that were put into it and not taken out, applied ones too
     */
    record Current(long version, Instant at, int changes) {}

    /** The batch as it is now, to be removed; empty where there is none. Strongly consistent: one read unit. */
    Optional<Current> current(PriceBatch batch) {
        return stored(batch)
                .map(item -> db.read(item, found -> new Current(version(found), at(found), changes(found))));
    }

    /**
     * Adds changes to a batch, or makes the batch.
     *
     * @param counts number of further changes by their set; negative where they leave the batch
     */
    public Write add(PriceBatch batch, ZoneId zone, Map<ChangeSetId, Integer> counts) {
        var instant = batch.effectiveDate().startsAt(zone);
        var shard = Math.floorMod(batch.store().value().hashCode(), shards);
        var update = Update.of(key(batch))
                .type(TYPE)
                .index(
                        "BATCH#" + LocalDate.ofInstant(instant, ZoneOffset.UTC) + "#" + shard,
                        Key.sortable(instant) + "#" + batch.store() + "#" + batch.channel())
                .set(INSTANT, instant.getEpochSecond())
                .add(VERSION, 1);
        for (var count : counts.entrySet()) {
            update = update.add(COUNT + count.getKey(), count.getValue());
        }
        return update;
    }

    /** Removes the batch if it still has that version; false where it has another one. */
    boolean remove(PriceBatch batch, long version) {
        return db.delete(key(batch), Condition.equal(VERSION, version));
    }

    /** Removes the batch where no change is left in it. */
    public void removeIfEmpty(PriceBatch batch) {
        stored(batch)
                .filter(item -> db.read(item, DynamoPriceBatches::counts).isEmpty())
                .ifPresent(item -> remove(batch, db.read(item, DynamoPriceBatches::version)));
    }

    /** The batch that an item of {@link #TYPE} is. */
    static PriceBatch batchAt(Key key) {
        var parts = key.sort().split("#", -1);
        return new PriceBatch(DynamoStores.idIn(key.partition()), new Channel(parts[0]), EffectiveDate.inKey(parts[2]));
    }

    /** True for a record of a change that leaves the instant of the batch as it was. */
    static boolean isAtSameInstant(ChangeRecord record) {
        var before = record.before();
        var after = record.after();
        return before != null && after != null && before.string(PLACE).equals(after.string(PLACE));
    }

    private Optional<Item> stored(PriceBatch batch) {
        return db.get(key(batch), Consistency.STRONG);
    }

    private static ScheduledBatch scheduled(Item item) {
        return new ScheduledBatch(batchAt(item.key()), at(item), counts(item));
    }

    private static Instant at(Item item) {
        return Instant.ofEpochSecond(item.integer(INSTANT));
    }

    private static long version(Item item) {
        return item.integer(VERSION);
    }

    /** Without sets that have none left: those were cancelled, or later sets have taken the place of all they had there. */
    private static Map<ChangeSetId, Integer> counts(Item item) {
        var counts = new TreeMap<ChangeSetId, Integer>();
        item.attributes().forEach((name, value) -> {
            if (name.startsWith(COUNT)) {
                counts.put(new ChangeSetId(name.substring(COUNT.length())), Integer.parseInt(value.n()));
            }
        });
        counts.values().removeIf(count -> count <= 0);
        return counts;
    }

    private static int changes(Item item) {
        return counts(item).values().stream().mapToInt(Integer::intValue).sum();
    }

    private static Key key(PriceBatch batch) {
        return new Key(DynamoStores.partition(batch.store()), batch.channel() + "#Batch#" + batch.effectiveDate());
    }
}
