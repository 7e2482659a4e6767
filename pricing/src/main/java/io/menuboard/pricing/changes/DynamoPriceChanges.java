package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.DynamoStores;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeBatches.Scheduled;
import io.menuboard.pricing.changes.DynamoChangeWrites.Plan;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The writes of price changes, each a transaction over one store and channel. A change that is to come is a version of
 * the price, which every read finds at its instant, and beside it, until it is applied:
 *
 * <ul>
 *   <li>{@code STORE#{store}}/{@code {channel}#Change#{effectiveDate}#{subject}}: that it has no history yet
 *   <li>{@code STORE#{store}}/{@code {channel}#Batch#{effectiveDate}}, in {@code gsi1} under
 *       {@code BATCH#{UTC date}#{shard}}/{@code {instant}#{store}#{channel}}: that there are such changes, how many of
 *       which set ({@code set_{id}}), and in which version
 * </ul>
 *
 * <p>Applied, it leaves {@code {channel}#History#{subject}#{instant}#{changeSet}}, and the version before it an end.
 */
final class DynamoPriceChanges {
    /** Lines of one transaction: at most three writes each, and three more, of the hundred that there may be. */
    static final int LINES_AT_ONCE = 32;

    /** What kind of items batches are. */
    static final String BATCH = "changeBatch";

    private static final String INDEX = "gsi1";
    private static final String VERSION = "version";
    private static final String COUNT = "set_";
    private static final String LINE = "line";
    private static final int RACES = 20;

    /** Sorts after every change of an effective date, and before the next date, which may be a time of the same day. */
    private static final String LAST = "#~";

    private final QueryDb db;
    private final DynamoPriceVersions prices;
    private final DynamoPriceHistory history;
    private final AuditTrail audit;
    private final Clock clock;
    private final int shards;

    /** @param shards partitions that share the batches of one UTC date */
    DynamoPriceChanges(QueryDb db, PriceBook book, AuditTrail audit, Clock clock, int shards) {
        this.db = db;
        this.prices = book.versions();
        this.history = book.history();
        this.audit = audit;
        this.clock = clock;
        this.shards = shards;
    }

    // ---- chunks

    /** Plans what a chunk takes, from what the table has now; empty where there is nothing that may be done. */
    @FunctionalInterface
    interface Planner {
        Optional<Plan> plan(ChangeChunk chunk);
    }

    /**
     * Writes a chunk, once for each run, in one transaction with what it takes.
     *
     * @return the chunk as it is then; as it was where the planner has nothing to do
     */
    ChangeChunk write(ChangeChunk found, int run, Planner planner) {
        var chunk = found;
        for (var race = 0; race < RACES; race++) {
            if (chunk.run() >= run) {
                return chunk;
            }
            var plan = planner.plan(chunk);
            if (plan.isEmpty()) {
                return chunk;
            }
            var writes = plan.get().writesOf(run);
            plan.get().overtaken().forEach((set, more) -> writes.add(DynamoChangeSets.overtaken(set, more)));
            try {
                db.transact(writes);
                return chunk.after(plan.get(), run);
            } catch (ConditionFailed e) {
                if (e.keys().contains(chunk.key())) {
                    var kind = chunk.kind();
                    chunk = db.read(e.current(chunk.key()).orElseThrow(), item -> ChangeChunk.of(item, kind));
                }
                // Or somebody else changed one of the prices between the read and the write.
            }
        }
        throw new IllegalStateException("chunk " + chunk.number() + " at " + chunk.key()
                + " was changed by others each time that it was to be written");
    }

    /**
     * Writes plans of several chunks and a change of their set in one transaction.
     *
     * @return keys of what has been changed since they were made, so that nothing was written; none where it was
     */
    List<Key> write(List<Plan> plans, int run, List<Write> more) {
        var writes = new ArrayList<>(more);
        plans.forEach(plan -> writes.addAll(plan.writesOf(run)));
        // Chunks of one store and channel may all ask whether first prices are being loaded there.
        var checked = new HashSet<Key>();
        writes.removeIf(write -> write instanceof Write.Check && !checked.add(write.key()));
        try {
            db.transact(writes);
            return List.of();
        } catch (ConditionFailed e) {
            return e.keys();
        }
    }

    /** Removes batches that these chunks, taken back, have left empty. */
    void removeIfEmpty(ChangeChunk chunk) {
        if (chunk.date() != null && chunk.state() == ChangeChunk.State.CANCELLED) {
            removeIfEmpty(new PriceBatch(chunk.store(), chunk.channel(), chunk.date()));
        }
    }

    /** Which line of its set waits there for its time; one read unit. */
    Optional<Integer> lineOf(StoreId store, Channel channel, EffectiveDate date, PriceSubject subject) {
        return db.get(changeKey(store, channel, date, subject), Consistency.STRONG)
                .map(change -> db.read(change, item -> (int) item.integer(LINE)));
    }

    /** Holds for what that set has written; null for what was loaded. */
    static Expression isOf(@Nullable ChangeSetId set) {
        return set == null
                ? Expression.of("attribute_exists(pk) AND attribute_not_exists(changeSet)")
                : Expression.of("changeSet = :changeSet").string(":changeSet", set.value());
    }

    // ---- changes whose time has come

    /**
     * Gives every change of the batch its history, and the batch its end. Safe to repeat, and for many to do at once:
     * each change is applied in one transaction, by whoever removes it. Seven write units a line, three for the audit record
     * of each {@value #LINES_AT_ONCE}, and three for the batch.
     *
     * @param terms of a change set that has changes in the batch
     * @return how many changes this call applied
     */
    int apply(PriceBatch batch, Store store, Function<ChangeSetId, Attribution> terms) {
        var known = new HashMap<ChangeSetId, Attribution>();
        var applied = 0;
        for (var race = 0; race < RACES; race++) {
            var version =
                    db.get(batchKey(batch), Consistency.STRONG).map(item -> db.read(item, DynamoPriceChanges::version));
            applied += applyChanges(batch, store, set -> known.computeIfAbsent(set, terms));
            if (version.isEmpty() || removed(batch, version.get())) {
                return applied;
            }
        }
        throw new IllegalStateException("changes are added to " + batch + " faster than they are applied");
    }

    private int applyChanges(PriceBatch batch, Store store, Function<ChangeSetId, Attribution> terms) {
        var applied = 0;
        for (var race = 0; race < RACES; race++) {
            var changes = changes(batch);
            var now = 0;
            for (var together : together(changes)) {
                now += applied(batch, store, terms.apply(together.getFirst().set()), together);
            }
            applied += now;
            if (now == changes.size()) {
                return applied; // what was added since has changed the batch's version
            }
        }
        throw new IllegalStateException("changes of " + batch + " are changed faster than they are applied");
    }

    /** @param after null where it deletes */
    private record Change(
            PriceSubject subject, ChangeSetId set, @Nullable Money after) {}

    /** The changes that are left, by subject. */
    private List<Change> changes(PriceBatch batch) {
        var prefix = batch.channel() + "#Change#" + batch.effectiveDate() + "#";
        var query = Query.table("changesOfBatch", DynamoStores.partition(batch.store()))
                .beginsWith(prefix);
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(change -> db.read(
                            change,
                            item -> new Change(
                                    PriceSubject.of(item.key().sort().substring(prefix.length())),
                                    Objects.requireNonNull(DynamoPriceVersions.changeSetOf(item)),
                                    item.findString("after").map(Money::of).orElse(null))))
                    .toList();
        }
    }

    /** Those of one set together, as many as one transaction takes. */
    private static List<List<Change>> together(List<Change> changes) {
        return changes.stream().collect(groupingBy(Change::set, LinkedHashMap::new, toList())).values().stream()
                .flatMap(ofSet -> ofSet.stream().gather(Gatherers.windowFixed(LINES_AT_ONCE)))
                .toList();
    }

    /** One transaction of them; none where others were quicker, or changed something meanwhile. */
    private int applied(PriceBatch batch, Store store, Attribution terms, List<Change> changes) {
        var startsAt = batch.effectiveDate().startsAt(store.timeZone());
        var versions = prices.versions(
                batch.store(),
                batch.channel(),
                changes.stream().map(Change::subject).toList());
        var writes = new ArrayList<Write>();
        for (var change : changes) {
            var all = versions.getOrDefault(change.subject(), List.of());
            var version = DynamoChangeWrites.lastUntil(all, batch.effectiveDate());
            if (version == null || !version.effectiveDate().equals(batch.effectiveDate())) {
                return 0; // cancelled between the two reads
            }
            var previous = all.stream()
                    .filter(other -> other.effectiveDate().compareTo(batch.effectiveDate()) < 0)
                    .reduce((_, last) -> last)
                    .orElse(null);
            writes.add(Write.delete(
                    changeKey(batch.store(), batch.channel(), batch.effectiveDate(), change.subject()),
                    isOf(change.set())));
            writes.add(history.write(
                    terms,
                    batch.store(),
                    batch.channel(),
                    change.subject(),
                    startsAt,
                    batch.effectiveDate(),
                    previous,
                    change.after()));
            if (previous != null && !previous.superseded()) {
                writes.add(
                        prices.supersede(batch.store(), batch.channel(), change.subject(), previous, clock.instant()));
            }
        }
        writes.add(record(
                terms,
                batch.store(),
                batch.channel(),
                batch.effectiveDate(),
                changes.stream().map(Change::subject).toList()));
        try {
            db.transact(writes);
            return changes.size();
        } catch (ConditionFailed _) {
            return 0;
        }
    }

    private boolean removed(PriceBatch batch, long version) {
        return db.delete(
                batchKey(batch),
                Expression.of("#version = :version").name("#version", VERSION).number(":version", version));
    }

    private void removeIfEmpty(PriceBatch batch) {
        db.get(batchKey(batch), Consistency.STRONG)
                .filter(item -> db.read(item, DynamoPriceChanges::counts).values().stream()
                        .allMatch(count -> count <= 0))
                .ifPresent(item -> removed(batch, db.read(item, DynamoPriceChanges::version)));
    }

    private static long version(Item batch) {
        return batch.integer(VERSION);
    }

    // ---- reading

    /** Every batch that takes effect on that day of UTC, by shard and then by instant, as it is consumed. */
    Stream<Scheduled> batchesOf(LocalDate utc) {
        return IntStream.range(0, shards)
                .mapToObj(shard -> Query.index("batches", INDEX, "BATCH#" + utc + "#" + shard))
                .flatMap(db::all)
                .flatMap(item -> db.readable(item, DynamoPriceChanges::scheduled).stream());
    }

    /** The batch as it is now, strongly consistent: one read unit. */
    Optional<Scheduled> find(PriceBatch batch) {
        return db.get(batchKey(batch), Consistency.STRONG).map(item -> db.read(item, DynamoPriceChanges::scheduled));
    }

    /** Which batch an item of it is about. */
    static PriceBatch batchAt(Key key) {
        var parts = key.sort().split("#", -1);
        return new PriceBatch(DynamoStores.idIn(key.partition()), new Channel(parts[0]), EffectiveDate.inKey(parts[2]));
    }

    private static Scheduled scheduled(Item item) {
        return new Scheduled(batchAt(item.key()), Instant.ofEpochSecond(item.integer("instant")), counts(item));
    }

    /** Changes that are to come, by effective date. */
    Page<UpcomingChange> upcoming(
            Store store, Channel channel, @Nullable Instant from, @Nullable Instant to, PageRequest page) {
        var prefix = channel + "#Change#";
        var low = from == null ? "" : EffectiveDate.latestAt(from.minusNanos(1), store.timeZone()) + LAST;
        var high = to == null ? "~" : EffectiveDate.latestAt(to.minusNanos(1), store.timeZone()) + LAST;
        var query = Query.table("upcomingChanges", DynamoStores.partition(store.id()))
                .between(prefix + low, prefix + high);
        Function<Item, UpcomingChange> reader = item -> {
            var parts = item.key().sort().split("#", 4);
            var date = EffectiveDate.inKey(parts[2]);
            return new UpcomingChange(
                    store,
                    channel,
                    PriceSubject.of(parts[3]),
                    date,
                    date.startsAt(store.timeZone()),
                    item.findString("after").map(Money::of).orElse(null),
                    Objects.requireNonNull(DynamoPriceVersions.changeSetOf(item)));
        };
        return db.query(query, reader, page);
    }

    // ---- batches

    private static Map<ChangeSetId, Integer> counts(Item batch) {
        var counts = new TreeMap<ChangeSetId, Integer>();
        batch.attributes().forEach((name, value) -> {
            if (name.startsWith(COUNT)) {
                counts.put(new ChangeSetId(name.substring(COUNT.length())), Integer.parseInt(value.n()));
            }
        });
        return counts;
    }

    Write addToBatch(ChangeChunk chunk, Store store, EffectiveDate date, Map<ChangeSetId, Integer> counts) {
        var instant = date.startsAt(store.timeZone());
        var shard = Math.floorMod(store.id().value().hashCode(), shards);
        var update = Expression.of("SET #type = :type, gsi1pk = :day, gsi1sk = :place, #instant = :instant ADD "
                + counts.keySet().stream()
                        .sorted()
                        .map(set -> "#c" + set + " :c" + set)
                        .collect(joining(", "))
                + ", #version :one");
        for (var count : counts.entrySet()) {
            update = update.name("#c" + count.getKey(), COUNT + count.getKey())
                    .number(":c" + count.getKey(), count.getValue());
        }
        return Write.update(
                batchKey(new PriceBatch(store.id(), chunk.channel(), date)),
                update.name("#type", "type")
                        .name("#version", VERSION)
                        .name("#instant", "instant")
                        .string(":type", BATCH)
                        .string(":day", "BATCH#" + LocalDate.ofInstant(instant, ZoneOffset.UTC) + "#" + shard)
                        .string(":place", Key.sortable(instant) + "#" + store.id() + "#" + chunk.channel())
                        .number(":instant", instant.getEpochSecond())
                        .number(":one", 1));
    }

    // ---- items

    Write record(Attribution terms, StoreId store, Channel channel, EffectiveDate date, List<PriceSubject> subjects) {
        return audit.write(
                terms.actor(),
                "STORE#" + store,
                "prices changed",
                Map.of(
                        "changeSet", terms.changeSet().value(),
                        "channel", channel.value(),
                        "effectiveDate", date.toString(),
                        "reason", terms.reason(),
                        "prices", subjects.stream().map(PriceSubject::toString).collect(joining(", "))));
    }

    /** @param after null where it deletes */
    static Item change(
            ChangeChunk chunk,
            int line,
            PriceSubject subject,
            @Nullable Money after,
            EffectiveDate date,
            ChangeSetId set) {
        var item = Item.at(changeKey(chunk.store(), chunk.channel(), date, subject))
                .type("priceChange")
                .string(DynamoPriceVersions.CHANGE_SET, set.value())
                .number(LINE, line);
        return after == null ? item.build() : item.string("after", after.text()).build();
    }

    static Key changeKey(StoreId store, Channel channel, EffectiveDate date, PriceSubject subject) {
        return new Key(DynamoStores.partition(store), channel + "#Change#" + date + "#" + subject);
    }

    private static Key batchKey(PriceBatch batch) {
        return new Key(DynamoStores.partition(batch.store()), batch.channel() + "#Batch#" + batch.effectiveDate());
    }
}
