package io.menuboard.pricing;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.menuboard.pricing.ChangeBatches.Scheduled;
import io.menuboard.pricing.ChangeChunk.Line;
import io.menuboard.pricing.DynamoPrices.Version;
import io.menuboard.querydb.Actor;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
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
    private static final Expression ABSENT = Expression.of("attribute_not_exists(pk)");

    private final QueryDb db;
    private final DynamoPrices prices;
    private final PriceHistory history;
    private final AuditTrail audit;
    private final Clock clock;
    private final ChangesConfig config;

    DynamoPriceChanges(
            QueryDb db,
            DynamoPrices prices,
            PriceHistory history,
            AuditTrail audit,
            Clock clock,
            ChangesConfig config) {
        this.db = db;
        this.prices = prices;
        this.history = history;
        this.audit = audit;
        this.clock = clock;
        this.config = config;
    }

    /** Who changes prices, and why. */
    record Terms(ChangeSetId set, Actor actor, String reason) {}

    /** What is in the way of a change: another one of the same price from the same instant on. */
    private record Rival(
            @Nullable ChangeSetId set, @Nullable Integer line) {}

    // ---- changes that are to come

    /**
     * Writes a chunk's changes from that date on, once for each run. Where another set wants the same price from the same
     * instant on, the set that was made later has it.
     *
     * <p>Five write units a line, and three for the batch and up to four for the chunk; DynamoDB counts transactions double.
     *
     * @return why lines were not written, by number
     */
    Map<Integer, String> schedule(Terms terms, ChangeChunk found, Store store, EffectiveDate date, int run) {
        var chunk = found;
        // What could not be written before, or was overtaken, stays out of a set that is moved.
        var failures = new TreeMap<>(chunk.failures());
        var rivals = new HashMap<Line, Rival>();
        for (var race = 0; race < RACES; race++) {
            if (!clock.instant().isBefore(date.startsAt(store.timeZone()))) {
                chunk.lines().forEach(line -> failures.put(line.number(), "its time came before it was written"));
            }
            var lines = without(failures, chunk);
            var writes = new ArrayList<Write>();
            for (var line : lines) {
                var rival = rivals.get(line);
                writes.add(Write.put(
                        DynamoPrices.item(store.id(), chunk.channel(), line.subject(), date, line.after(), terms.set()),
                        stillThere(rival)));
                writes.add(Write.put(change(chunk, line, date, terms.set()), SaveMode.ANY));
                if (rival != null
                        && rival.set() != null
                        && rival.line() != null
                        && !terms.set().equals(rival.set())) {
                    writes.add(Write.put(
                            DynamoChangeSets.overtaken(rival.set(), rival.line(), terms.set()), SaveMode.ANY));
                }
            }
            writes.add(chunk.written(run, ChangeChunk.State.WRITTEN, date, failures));
            if (!lines.isEmpty()) {
                writes.add(addToBatch(chunk, store, date, counts(terms.set(), lines, rivals)));
            }
            try {
                db.transact(writes);
                return failures;
            } catch (ConditionFailed e) {
                if (e.keys().contains(chunk.key())) {
                    chunk = now(chunk, e);
                    if (chunk.run() >= run) {
                        return chunk.failures();
                    }
                    failures.clear();
                    failures.putAll(chunk.failures());
                    rivals.clear();
                    continue;
                }
                for (var line : lines) {
                    var key = DynamoPrices.key(store.id(), chunk.channel(), line.subject(), date);
                    if (e.keys().contains(key)) {
                        face(terms.set(), chunk, line, date, e.current(key), rivals, failures);
                    }
                }
            }
        }
        throw noPeace(chunk, terms.set());
    }

    private static List<Line> without(Map<Integer, String> failures, ChangeChunk chunk) {
        return chunk.lines().stream()
                .filter(line -> !failures.containsKey(line.number()))
                .toList();
    }

    /** The chunk as the failed condition found it. */
    private static ChangeChunk now(ChangeChunk chunk, ConditionFailed failed) {
        return ChangeChunk.of(failed.current(chunk.key()).orElseThrow());
    }

    private static IllegalStateException noPeace(ChangeChunk chunk, ChangeSetId set) {
        return new IllegalStateException("chunk " + chunk.number() + " of " + set + " found no moment of peace");
    }

    /** Decides who of two that want the same price from the same instant on has it. */
    private void face(
            ChangeSetId set,
            ChangeChunk chunk,
            Line line,
            EffectiveDate date,
            Optional<Item> version,
            Map<Line, Rival> rivals,
            Map<Integer, String> failures) {
        if (version.isEmpty()) {
            rivals.remove(line);
            return;
        }
        var other = DynamoPrices.changeSetOf(version.get());
        if (other != null && other.compareTo(set) > 0) {
            failures.put(line.number(), "change set " + other + " was made later and changes the same price");
            return;
        }
        var change = db.get(changeKey(chunk.store(), chunk.channel(), date, line.subject()), Consistency.STRONG);
        rivals.put(
                line,
                new Rival(other, change.map(item -> (int) item.integer(LINE)).orElse(null)));
    }

    private static Expression stillThere(@Nullable Rival rival) {
        if (rival == null) {
            return ABSENT;
        }
        return rival.set() == null
                ? Expression.of("attribute_exists(pk) AND attribute_not_exists(changeSet)")
                : isOf(rival.set());
    }

    private static Expression isOf(ChangeSetId set) {
        return Expression.of("changeSet = :changeSet").string(":changeSet", set.value());
    }

    private static Map<ChangeSetId, Integer> counts(ChangeSetId set, List<Line> lines, Map<Line, Rival> rivals) {
        var counts = new HashMap<ChangeSetId, Integer>();
        counts.put(set, lines.size());
        for (var line : lines) {
            var rival = rivals.get(line);
            if (rival != null && rival.set() != null && rival.line() != null) {
                counts.merge(rival.set(), -1, Integer::sum);
            }
        }
        return counts;
    }

    /**
     * Takes back what {@link #schedule} wrote, before its time, for what it cost, and leaves unwritten what nobody has
     * written.
     *
     * @return false where it is in effect, or its time has come: then nothing is taken back
     */
    boolean cancel(ChangeSetId set, ChangeChunk found, Store store, int run) {
        var chunk = found;
        var failures = new TreeMap<>(chunk.failures());
        for (var race = 0; race < RACES; race++) {
            var date = chunk.state() == ChangeChunk.State.WRITTEN ? chunk.date() : null;
            if (chunk.run() >= run || chunk.state() == ChangeChunk.State.APPLIED) {
                return cancelled(chunk);
            }
            if (date != null && !clock.instant().isBefore(date.startsAt(store.timeZone()))) {
                return false;
            }
            var lines = date == null ? List.<Line>of() : without(failures, chunk);
            var writes = new ArrayList<Write>();
            for (var line : lines) {
                writes.add(Write.delete(
                        DynamoPrices.key(store.id(), chunk.channel(), line.subject(), Objects.requireNonNull(date)),
                        isOf(set)));
                writes.add(Write.delete(
                        changeKey(store.id(), chunk.channel(), Objects.requireNonNull(date), line.subject()),
                        isOf(set)));
            }
            writes.add(chunk.written(run, ChangeChunk.State.CANCELLED, date, failures));
            if (!lines.isEmpty()) {
                writes.add(addToBatch(chunk, store, Objects.requireNonNull(date), Map.of(set, -lines.size())));
            }
            try {
                db.transact(writes);
                return cancelled(chunk.cancelled());
            } catch (ConditionFailed e) {
                if (e.keys().contains(chunk.key())) {
                    chunk = now(chunk, e);
                    failures.clear();
                    failures.putAll(chunk.failures());
                    continue;
                }
                for (var line : lines) {
                    var at = Objects.requireNonNull(date);
                    if (e.keys().contains(DynamoPrices.key(store.id(), chunk.channel(), line.subject(), at))) {
                        failures.put(line.number(), "another change set has taken its place");
                    } else if (e.keys().contains(changeKey(store.id(), chunk.channel(), at, line.subject()))) {
                        return false;
                    }
                }
            }
        }
        throw noPeace(chunk, set);
    }

    /** Whether the chunk is taken back; if so, its batch goes when it was the last of it. */
    private boolean cancelled(ChangeChunk chunk) {
        if (chunk.state() != ChangeChunk.State.CANCELLED) {
            return false;
        }
        if (chunk.date() != null) {
            removeIfEmpty(new PriceBatch(chunk.store(), chunk.channel(), chunk.date()));
        }
        return true;
    }

    // ---- changes at once

    /**
     * Writes a chunk's changes, in effect at once, with their history; once for each run. A line whose price is not what
     * the preview saw is not written. Eight write units a line, and up to four for the chunk and three for the audit record.
     *
     * @return why lines were not written, by number
     */
    Map<Integer, String> applyNow(Terms terms, ChangeChunk found, Store store, int run) {
        var chunk = found;
        for (var race = 0; race < RACES; race++) {
            var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            var date = EffectiveDate.latestAt(now, store.timeZone());
            var failures = new TreeMap<Integer, String>();
            var versions = prices.versions(
                    store.id(),
                    chunk.channel(),
                    chunk.lines().stream().map(Line::subject).toList());
            var writes = new ArrayList<Write>();
            var changed = new ArrayList<PriceSubject>();
            for (var line : chunk.lines()) {
                var current = lastUntil(versions.getOrDefault(line.subject(), List.of()), date);
                var before = current == null ? null : current.price();
                if (!Objects.equals(before, line.before())) {
                    failures.put(line.number(), "the price is not what it was when it was previewed");
                    continue;
                }
                var replaced = current != null && current.effectiveDate().equals(date) ? current : null;
                writes.add(Write.put(
                        DynamoPrices.item(store.id(), chunk.channel(), line.subject(), date, line.after(), terms.set()),
                        replaced == null ? ABSENT : stillThere(new Rival(replaced.changeSet(), null))));
                writes.add(history.write(
                        terms, chunk.store(), chunk.channel(), line.subject(), now, date, current, line.after()));
                if (current != null && replaced == null && !current.superseded()) {
                    writes.add(supersede(chunk.store(), chunk.channel(), line.subject(), current, now));
                }
                changed.add(line.subject());
            }
            writes.add(chunk.written(run, ChangeChunk.State.APPLIED, date, failures));
            if (!changed.isEmpty()) {
                writes.add(record(terms, chunk.store(), chunk.channel(), date, changed));
            }
            try {
                db.transact(writes);
                return failures;
            } catch (ConditionFailed e) {
                if (e.keys().contains(chunk.key())) {
                    chunk = now(chunk, e);
                    if (chunk.run() >= run) {
                        return chunk.failures();
                    }
                }
                // Or somebody else changed one of the prices between the read and the write.
            }
        }
        throw noPeace(chunk, terms.set());
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
    int apply(PriceBatch batch, Store store, Function<ChangeSetId, Terms> terms) {
        var known = new HashMap<ChangeSetId, Terms>();
        var applied = 0;
        for (var race = 0; race < RACES; race++) {
            var version = db.get(batchKey(batch), Consistency.STRONG).map(item -> item.integer(VERSION));
            applied += applyChanges(batch, store, set -> known.computeIfAbsent(set, terms));
            if (version.isEmpty() || removed(batch, version.get())) {
                return applied;
            }
        }
        throw new IllegalStateException("changes are added to " + batch + " faster than they are applied");
    }

    private int applyChanges(PriceBatch batch, Store store, Function<ChangeSetId, Terms> terms) {
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
        throw new IllegalStateException("changes of " + batch + " found no moment of peace");
    }

    private record Change(PriceSubject subject, ChangeSetId set) {}

    /** The changes that are left, by subject. */
    private List<Change> changes(PriceBatch batch) {
        var prefix = batch.channel() + "#Change#" + batch.effectiveDate() + "#";
        var query = Query.table("changesOfBatch", DynamoStores.partition(batch.store()))
                .beginsWith(prefix);
        try (var items = db.all(query, Consistency.STRONG)) {
            return items.map(item -> new Change(
                            PriceSubject.of(item.key().sort().substring(prefix.length())),
                            Objects.requireNonNull(DynamoPrices.changeSetOf(item))))
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
    private int applied(PriceBatch batch, Store store, Terms terms, List<Change> changes) {
        var startsAt = batch.effectiveDate().startsAt(store.timeZone());
        var versions = prices.versions(
                batch.store(),
                batch.channel(),
                changes.stream().map(Change::subject).toList());
        var writes = new ArrayList<Write>();
        for (var change : changes) {
            var all = versions.getOrDefault(change.subject(), List.of());
            var version = lastUntil(all, batch.effectiveDate());
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
                    version.price()));
            if (previous != null && !previous.superseded()) {
                writes.add(supersede(batch.store(), batch.channel(), change.subject(), previous, clock.instant()));
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
        try {
            db.transact(List.of(Write.delete(
                    batchKey(batch),
                    Expression.of("#version = :version")
                            .name("#version", VERSION)
                            .number(":version", version))));
            return true;
        } catch (ConditionFailed e) {
            return e.current().isEmpty();
        }
    }

    private void removeIfEmpty(PriceBatch batch) {
        db.get(batchKey(batch), Consistency.STRONG)
                .filter(item -> counts(item).values().stream().allMatch(count -> count <= 0))
                .ifPresent(item -> removed(batch, item.integer(VERSION)));
    }

    // ---- reading

    /** Every batch that takes effect on that day of UTC, by shard and then by instant, as it is consumed. */
    Stream<Scheduled> batchesOf(LocalDate utc) {
        return IntStream.range(0, config.shards())
                .mapToObj(shard -> Query.index("batches", INDEX, "BATCH#" + utc + "#" + shard))
                .flatMap(db::all)
                .map(DynamoPriceChanges::scheduled);
    }

    /** The batch as it is now, strongly consistent: one read unit. */
    Optional<Scheduled> find(PriceBatch batch) {
        return db.get(batchKey(batch), Consistency.STRONG).map(DynamoPriceChanges::scheduled);
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
        var low = from == null ? "" : EffectiveDate.latestAt(from.minusNanos(1), store.timeZone()) + "~";
        var high = to == null ? "~" : EffectiveDate.latestAt(to.minusNanos(1), store.timeZone()) + "~";
        var query = Query.table("upcomingChanges", DynamoStores.partition(store.id()))
                .between(prefix + low, prefix + high);
        return db.query(query, page).map(item -> {
            var parts = item.key().sort().split("#", 4);
            var date = EffectiveDate.inKey(parts[2]);
            return new UpcomingChange(
                    store,
                    channel,
                    PriceSubject.of(parts[3]),
                    date,
                    date.startsAt(store.timeZone()),
                    item.findString("after").map(DynamoPrices::money).orElse(null),
                    Objects.requireNonNull(DynamoPrices.changeSetOf(item)));
        });
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

    private Write addToBatch(ChangeChunk chunk, Store store, EffectiveDate date, Map<ChangeSetId, Integer> counts) {
        var instant = date.startsAt(store.timeZone());
        var shard = Math.floorMod(store.id().value().hashCode(), config.shards());
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

    private static @Nullable Version lastUntil(List<Version> versions, EffectiveDate date) {
        return versions.stream()
                .filter(version -> version.effectiveDate().compareTo(date) <= 0)
                .reduce((_, last) -> last)
                .orElse(null);
    }

    private Write supersede(StoreId store, Channel channel, PriceSubject subject, Version version, Instant now) {
        return Write.update(
                DynamoPrices.key(store, channel, subject, version.effectiveDate()),
                Expression.of("SET #ttl = :ttl")
                        .name("#ttl", "ttl")
                        .number(":ttl", now.plus(config.supersededKept()).getEpochSecond()),
                Expression.of("attribute_exists(pk) AND attribute_not_exists(#ttl)")
                        .name("#ttl", "ttl"));
    }

    private Write record(Terms terms, StoreId store, Channel channel, EffectiveDate date, List<PriceSubject> subjects) {
        return audit.write(
                terms.actor(),
                "STORE#" + store,
                "prices changed",
                Map.of(
                        "changeSet", terms.set().value(),
                        "channel", channel.value(),
                        "effectiveDate", date.toString(),
                        "reason", terms.reason(),
                        "prices", subjects.stream().map(PriceSubject::toString).collect(joining(", "))));
    }

    private static Item change(ChangeChunk chunk, Line line, EffectiveDate date, ChangeSetId set) {
        var item = Item.at(changeKey(chunk.store(), chunk.channel(), date, line.subject()))
                .type("priceChange")
                .string(DynamoPrices.CHANGE_SET, set.value())
                .number(LINE, line.number());
        var after = line.after();
        return after == null
                ? item.build()
                : item.string("after", DynamoPrices.text(after)).build();
    }

    private static Key changeKey(StoreId store, Channel channel, EffectiveDate date, PriceSubject subject) {
        return new Key(DynamoStores.partition(store), channel + "#Change#" + date + "#" + subject);
    }

    private static Key batchKey(PriceBatch batch) {
        return new Key(DynamoStores.partition(batch.store()), batch.channel() + "#Batch#" + batch.effectiveDate());
    }
}
