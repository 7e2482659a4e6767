package io.menuboard.billing.transactions;

import static io.menuboard.billing.transactions.DynamoTransactionItems.agencyPartition;
import static io.menuboard.billing.transactions.DynamoTransactionItems.partitionKey;

import io.menuboard.billing.transactions.DynamoQuarterCounters.NoCounter;
import io.menuboard.billing.transactions.DynamoTransactionItems.Marker;
import io.menuboard.billing.transactions.RecordOutcome.Conflict;
import io.menuboard.billing.transactions.RecordOutcome.NotSaved;
import io.menuboard.billing.transactions.RecordOutcome.Recorded;
import io.menuboard.billing.transactions.RecordOutcome.Replayed;
import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.ReadAgain;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions in the table. One is three writes in one DynamoDB transaction: its marker, which makes the id its own for
 * ever; itself, in the quarter hour of arrival; and a counter of that quarter, which is right at any instant for that reason
 * (ADR 15), and which takes nothing once it is sealed. Up to {@value #CHUNK} go together. Thread-safe.
 */
final class DynamoTransactions implements ArrivedTransactions {
    private static final Logger log = LoggerFactory.getLogger(DynamoTransactions.class);

    /** Two writes for each and one for the counter are the hundred that a DynamoDB transaction may have. */
    static final int CHUNK = (QueryDb.MAX_TRANSACTION - 1) / 2;

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final char BEHIND_POINT = '/';
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final int RANDOM_CHARACTERS = 16;
    private static final int MOST_STAMPS = 3;

    private final QueryDb db;
    private final Clock clock;
    private final RandomGenerator random;
    private final DynamoQuarterCounters counters;
    private final Duration lag;
    private final LongAdder slowWrites = new LongAdder();

    /** @param random secure, so that nobody can aim at a place; thread-safe */
    DynamoTransactions(QueryDb db, Clock clock, RandomGenerator random, DynamoQuarterCounters counters, Duration lag) {
        this.db = db;
        this.clock = clock;
        this.random = random;
        this.counters = counters;
        this.lag = lag;
    }

    /** A transaction to be recorded, with everything decided but its place. */
    record Draft(RecordTransaction command, Commission commission, Actor recordedBy) {
        Transaction at(Place place) {
            return new Transaction(
                    command.id(),
                    command.agency(),
                    command.product(),
                    command.customer(),
                    command.amount(),
                    command.occurredAt(),
                    commission,
                    commission.agencyShare(command.amount()),
                    command.corrects(),
                    recordedBy,
                    place);
        }
    }

    /**
     * Records drafts of different ids; one outcome each, in their order, whatever fails: {@link NotSaved} where it is not known
     * whether it is recorded.
     */
    List<RecordOutcome> record(List<Draft> drafts) {
        var chunks = drafts.stream().gather(Gatherers.windowFixed(CHUNK)).toList();
        // No more at once than there are counters, so that none waits for another one of its own call.
        return Concurrently.map(counters.size(), chunks, this::chunk).stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<RecordOutcome> chunk(List<Draft> drafts) {
        var outcomes = new LinkedHashMap<TransactionId, RecordOutcome>();
        var taken = new LinkedHashMap<RecordTransaction, Item>();
        var left = new ArrayList<>(drafts);
        for (var stamps = 1; !left.isEmpty(); ) {
            try {
                write(left).forEach(transaction -> outcomes.put(transaction.id(), new Recorded(transaction)));
                break;
            } catch (ConditionFailed e) {
                var known = left.removeIf(draft -> e.current(
                                DynamoTransactionItems.marker(draft.command().id()))
                        .map(marker -> taken.put(draft.command(), marker) == null)
                        .orElse(false));
                // If it was none of them it was the counter, which is sealed: this took longer than any run looks back.
                if (!known && stamps++ == MOST_STAMPS) {
                    outcomes.putAll(notSaved(left, e));
                    break;
                }
            } catch (QueryDbException | NoCounter e) {
                outcomes.putAll(notSaved(left, e));
                break;
            }
        }
        outcomes.putAll(taken(taken));
        return drafts.stream()
                .map(draft ->
                        Objects.requireNonNull(outcomes.get(draft.command().id())))
                .toList();
    }

    private static Map<TransactionId, RecordOutcome> notSaved(List<Draft> drafts, Exception cause) {
        log.warn("transactions not recorded: count={}", drafts.size(), cause);
        return drafts.stream()
                .map(draft -> draft.command().id())
                .collect(Collectors.toMap(Function.identity(), NotSaved::new));
    }

    /**
     * Outcomes of those whose ids have markers already; a read unit each, in one request, and again where one is just being
     * recorded: its marker may be seen before it is.
     */
    private Map<TransactionId, RecordOutcome> taken(Map<RecordTransaction, Item> markers) {
        // What is not there, or cannot be read now or by this version, stays so.
        var outcomes = new HashMap<TransactionId, RecordOutcome>();
        markers.keySet().forEach(command -> outcomes.put(command.id(), new NotSaved(command.id())));
        var readable = new LinkedHashMap<RecordTransaction, Marker>();
        markers.forEach((command, item) ->
                db.readable(item, DynamoTransactionItems::marker).ifPresent(marker -> readable.put(command, marker)));
        try {
            var keys = readable.values().stream()
                    .map(marker -> DynamoTransactionItems.key(marker.place()))
                    .toList();
            var items = ReadAgain.until(() -> db.getBatch(keys, Consistency.STRONG), found -> found.stream()
                            .allMatch(Optional::isPresent))
                    .iterator();
            readable.forEach((command, marker) -> {
                var item = items.next();
                if (item.isEmpty()) {
                    log.error("a transaction is not where its marker says: id={}", command.id());
                }
                item.flatMap(found -> db.readable(found, DynamoTransactionItems::transaction))
                        .ifPresent(existing -> outcomes.put(
                                command.id(),
                                marker.fingerprint().equals(command.fingerprint())
                                        ? new Replayed(existing)
                                        : new Conflict(existing, command)));
            });
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "transactions recorded before are not read: count={}", readable.size());
        }
        return outcomes;
    }

    private List<Transaction> write(List<Draft> drafts) throws NoCounter {
        var counter = counters.take();
        try {
            var now = clock.instant();
            var transactions = drafts.stream()
                    .map(draft -> draft.at(new Place(Quarter.of(now), counter.shard(), sortKey(now))))
                    .toList();
            var writes = new ArrayList<Write>();
            for (var i = 0; i < drafts.size(); i++) {
                var transaction = transactions.get(i);
                writes.add(Write.put(
                        DynamoTransactionItems.marker(
                                transaction, drafts.get(i).command().fingerprint()),
                        SaveMode.INIT));
                writes.add(Write.put(DynamoTransactionItems.item(transaction), SaveMode.INIT));
            }
            writes.add(DynamoQuarterCounters.count(Quarter.of(now), counter, transactions));
            db.transact(writes);
            var took = Duration.between(now, clock.instant());
            if (took.compareTo(lag) > 0) {
                slowWrites.increment();
                log.warn(
                        "recording took longer than the lag: count={} quarter={} took={}",
                        drafts.size(),
                        Quarter.of(now),
                        took);
            }
            return transactions;
        } finally {
            counters.free(counter);
        }
    }

    /** The number of times that recording took longer than the lag in this process, so that transactions may be late lines. */
    long slowWrites() {
        return slowWrites.sum();
    }

    private String sortKey(Instant now) {
        var key = new StringBuilder(SECOND.format(now)).append('.');
        random.ints(RANDOM_CHARACTERS, 0, BASE58.length()).forEach(i -> key.append(BASE58.charAt(i)));
        return key.toString();
    }

    /** The one of that id, if it is of an agency of these: two read units, or one where there is none. */
    Optional<Transaction> find(TransactionId id, Predicate<AgencyId> agencies) {
        return findMarker(id).filter(marker -> agencies.test(marker.agency())).flatMap(marker -> at(marker.place()));
    }

    /** Those that there are, as {@link #find}: two read units each, in two requests for a hundred. */
    List<Transaction> findAll(List<TransactionId> ids, Predicate<AgencyId> agencies) {
        var markers =
                db.getBatch(ids.stream().map(DynamoTransactionItems::marker).toList(), Consistency.STRONG);
        var keys = markers.stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoTransactionItems::marker))
                .filter(marker -> agencies.test(marker.agency()))
                .map(marker -> DynamoTransactionItems.key(marker.place()))
                .toList();
        return db.getBatch(keys, Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(this::read)
                .toList();
    }

    /** Strongly consistent: one read unit. */
    private Optional<Marker> findMarker(TransactionId id) {
        return db.get(DynamoTransactionItems.marker(id), Consistency.STRONG)
                .map(item -> db.read(item, DynamoTransactionItems::marker));
    }

    /**
     * Markers of those that there are, each of which throws {@link UnreadableItem} where another version wrote it and this one
     * cannot read it. Strongly consistent: one read unit each, in requests of 100.
     */
    Map<TransactionId, Supplier<Marker>> findMarkers(Collection<TransactionId> ids) {
        var all = List.copyOf(ids);
        var items = db.getBatch(all.stream().map(DynamoTransactionItems::marker).toList(), Consistency.STRONG);
        var markers = new HashMap<TransactionId, Supplier<Marker>>();
        for (var i = 0; i < all.size(); i++) {
            var id = all.get(i);
            items.get(i).ifPresent(item -> markers.put(id, () -> db.read(item, DynamoTransactionItems::marker)));
        }
        return markers;
    }

    Optional<Transaction> at(Place place) {
        return db.get(DynamoTransactionItems.key(place), Consistency.STRONG).map(this::read);
    }

    @Override
    public List<Optional<Transaction>> at(List<Place> places) {
        return db.getBatch(places.stream().map(DynamoTransactionItems::key).toList(), Consistency.STRONG).stream()
                .map(item -> item.map(this::read))
                .toList();
    }

    private static Instant ceiling(Instant instant) {
        var second = instant.truncatedTo(ChronoUnit.SECONDS);
        return second.equals(instant) ? second : second.plusSeconds(1);
    }

    private Transaction read(Item item) {
        return db.read(item, DynamoTransactionItems::transaction);
    }

    @Override
    public int shards() {
        return counters.shards();
    }

    @Override
    public Stream<Transaction> partition(Quarter quarter, int shard) {
        return db.all(Query.table("transactions of a quarter hour", partitionKey(quarter, shard))
                        .attributes(DynamoTransactionItems.REPORTED))
                .map(item -> db.read(item, one -> DynamoTransactionItems.transaction(one, quarter, shard)));
    }

    /** An agency's transactions of the seconds that begin from one instant on, before another, latest first. */
    Page<Transaction> ofAgency(AgencyId agency, Instant from, Instant to, PageRequest page) {
        var begin = ceiling(from);
        var end = ceiling(to);
        if (!begin.isBefore(end)) {
            return Page.empty();
        }
        // After the second, sort keys have a point.
        var low = SECOND.format(begin);
        var high = SECOND.format(end.minusSeconds(1)) + BEHIND_POINT;
        var last = YearMonth.from(to.minusNanos(1).atOffset(ZoneOffset.UTC));
        var queries = Stream.iterate(
                        YearMonth.from(from.atOffset(ZoneOffset.UTC)),
                        month -> !month.isAfter(last),
                        month -> month.plusMonths(1))
                .flatMap(month -> IntStream.range(0, shards()).mapToObj(shard -> Query.index(
                                "transactions of an agency", "gsi1", agencyPartition(agency, month, shard))
                        .between(low, high)
                        .reversed()))
                .toList();
        return db.query(queries, DynamoTransactionItems::transaction, page);
    }
}
