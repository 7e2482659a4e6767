package io.menuboard.billing;

import io.menuboard.billing.RecordOutcome.Conflict;
import io.menuboard.billing.RecordOutcome.NotSaved;
import io.menuboard.billing.RecordOutcome.Recorded;
import io.menuboard.billing.RecordOutcome.Replayed;
import io.menuboard.billing.Transaction.Place;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Write;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions in the table. One is three writes in one DynamoDB transaction: its marker {@code BILLTX#{id}}, which makes
 * the id its own for ever; itself, in the quarter hour of arrival; and the count and sum of a counter of that quarter,
 * {@code BILLQ#{quarter}#{shard}}/{@code INGESTED#{slot}}, which is right at any instant for that reason (ADR 15), and which
 * takes nothing once it is sealed. Up to {@value #CHUNK} go together. Thread-safe.
 */
final class DynamoTransactions {
    private static final Logger log = LoggerFactory.getLogger(DynamoTransactions.class);

    static final String TYPE = "billableTransaction";
    static final String COUNTER = "billableCount";
    static final String INGESTED = "INGESTED#";
    static final String COUNT = "count";
    static final String SUM = "sum";
    static final String SEALED = "sealed";

    /** Two writes for each and one for the counter are the hundred that a DynamoDB transaction may have. */
    static final int CHUNK = (QueryDb.MAX_TRANSACTION - 1) / 2;

    private static final String[] REPORTED = {
        "id",
        "agency",
        "product",
        "customer",
        "amount",
        "currency",
        "occurredAt",
        "rate",
        "rounding",
        "rule",
        "agencyShare",
        "corrects"
    };

    private static final String META = "META";
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final int RANDOM_CHARACTERS = 16;

    /** How long to wait for a counter while the table is slow, rather than have all threads of the instance stand here. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    private static final int MOST_STAMPS = 3;

    private final QueryDb db;
    private final Clock clock;
    private final RandomGenerator random;
    private final int shards;
    private final int counters;
    private final Duration lag;
    private final LongAdder slowWrites = new LongAdder();
    /** Transactions that meet at an item refuse each other: no two of this instance are at the same counter. */
    private final BlockingQueue<Counter> free;

    /** @param random secure, so that nobody can aim at a place; thread-safe */
    DynamoTransactions(QueryDb db, Clock clock, RandomGenerator random, BillingConfig config) {
        this.db = db;
        this.clock = clock;
        this.random = random;
        this.shards = config.shards();
        this.lag = config.lag();
        this.counters = shards * config.slots();
        var all = new ArrayList<>(IntStream.range(0, counters)
                .mapToObj(i -> new Counter(i % shards, i / shards))
                .toList());
        // Instances begin at different ones.
        Collections.shuffle(all, Random.from(random));
        this.free = new LinkedBlockingQueue<>(all);
    }

    /** One of the counters that share the transactions of a quarter. */
    private record Counter(int shard, int slot) {}

    /** What is to be recorded, with everything decided but its place. */
    record Draft(RecordTransaction command, Commission commission, String recordedBy) {
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

    /** What an id stands for. */
    record Marker(String fingerprint, AgencyId agency, String currency, Place place) {}

    /** Records drafts of different ids; one outcome each, in their order. */
    List<RecordOutcome> record(List<Draft> drafts) {
        if (drafts.size() <= CHUNK) {
            return chunk(drafts);
        }
        var chunks = new ArrayList<CompletableFuture<List<RecordOutcome>>>();
        // No more at once than there are counters, so that none waits for another one of its own call.
        try (var threads =
                Executors.newFixedThreadPool(counters, Thread.ofVirtual().factory())) {
            for (var from = 0; from < drafts.size(); from += CHUNK) {
                var chunk = drafts.subList(from, Math.min(from + CHUNK, drafts.size()));
                chunks.add(CompletableFuture.supplyAsync(() -> chunk(chunk), threads));
            }
        }
        return chunks.stream().flatMap(chunk -> chunk.join().stream()).toList();
    }

    private List<RecordOutcome> chunk(List<Draft> drafts) {
        var outcomes = new LinkedHashMap<TransactionId, RecordOutcome>();
        var taken = new HashMap<Draft, Item>();
        var left = new ArrayList<>(drafts);
        for (var stamps = 1; !left.isEmpty(); ) {
            try {
                write(left).forEach(transaction -> outcomes.put(transaction.id(), new Recorded(transaction)));
                break;
            } catch (ConditionFailed e) {
                var known =
                        left.removeIf(draft -> e.current(marker(draft.command().id()))
                                .map(marker -> taken.put(draft, marker) == null)
                                .orElse(false));
                // If it was none of them it was the counter, which is sealed: this took longer than any run looks back.
                if (!known && stamps++ == MOST_STAMPS) {
                    throw e;
                }
            } catch (QueryDbException | NoCounter e) {
                log.warn("transactions not recorded: count={}", left.size(), e);
                left.forEach(draft -> outcomes.put(
                        draft.command().id(), new NotSaved(draft.command().id())));
                break;
            }
        }
        taken.forEach((draft, marker) -> outcomes.put(draft.command().id(), taken(draft.command(), marker)));
        return drafts.stream()
                .map(draft ->
                        Objects.requireNonNull(outcomes.get(draft.command().id())))
                .toList();
    }

    private RecordOutcome taken(RecordTransaction command, Item there) {
        Marker marker;
        Transaction existing;
        try {
            marker = db.read(there, DynamoTransactions::marker);
            existing = at(marker.place())
                    .orElseThrow(() -> new IllegalStateException("nothing is where " + command.id() + " should be"));
        } catch (UnreadableItem e) {
            log.warn("whether it was recorded is left to another version: transaction={}", command.id(), e);
            return new NotSaved(command.id());
        }
        return marker.fingerprint().equals(command.fingerprint())
                ? new Replayed(existing)
                : new Conflict(existing, command);
    }

    private List<Transaction> write(List<Draft> drafts) throws NoCounter {
        var counter = takeCounter();
        try {
            var now = clock.instant();
            var transactions = drafts.stream()
                    .map(draft -> draft.at(new Place(Quarter.of(now), counter.shard(), sortKey(now))))
                    .toList();
            var writes = new ArrayList<Write>();
            for (var i = 0; i < drafts.size(); i++) {
                var transaction = transactions.get(i);
                writes.add(Write.put(marker(transaction, drafts.get(i).command().fingerprint()), SaveMode.INIT));
                writes.add(Write.put(item(transaction), SaveMode.INIT));
            }
            writes.add(count(Quarter.of(now), counter, transactions));
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
            free.add(counter);
        }
    }

    /** How often recording took longer than the lag in this process, so that transactions may be late lines. */
    long slowWrites() {
        return slowWrites.sum();
    }

    /** All are in use, and have been for a while. Nothing was written. */
    private static final class NoCounter extends Exception {
        private static final long serialVersionUID = 1L;

        NoCounter() {
            super("no counter was free for " + MOST_PATIENCE);
        }
    }

    private Counter takeCounter() throws NoCounter {
        try {
            var counter = free.poll(MOST_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (counter == null) {
                throw new NoCounter();
            }
            return counter;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a counter", e);
        }
    }

    private static Write count(Quarter quarter, Counter counter, List<Transaction> transactions) {
        var sums = new TreeMap<String, BigDecimal>();
        transactions.forEach(transaction -> sums.merge(
                transaction.amount().currency().getCurrencyCode(),
                transaction.amount().amount(),
                BigDecimal::add));
        var text = new StringBuilder("SET #type = :type ADD #count :count");
        var update = Expression.of("");
        for (var sum : sums.entrySet()) {
            text.append(", #").append(sum.getKey()).append(" :").append(sum.getKey());
            update = update.name("#" + sum.getKey(), SUM + sum.getKey()).number(":" + sum.getKey(), sum.getValue());
        }
        return Write.update(
                counter(quarter, counter.shard(), counter.slot()),
                new Expression(text.toString(), update.names(), update.values())
                        .name("#type", "type")
                        .string(":type", COUNTER)
                        .name("#count", COUNT)
                        .number(":count", transactions.size()),
                Expression.of("attribute_not_exists(#sealed)").name("#sealed", SEALED));
    }

    // ---- reading

    Optional<Transaction> find(TransactionId id) {
        return findMarker(id).flatMap(marker -> at(marker.place()));
    }

    /** Strongly consistent: one read unit. */
    Optional<Marker> findMarker(TransactionId id) {
        return db.get(marker(id), Consistency.STRONG).map(item -> db.read(item, DynamoTransactions::marker));
    }

    Optional<Transaction> at(Place place) {
        return db.get(key(place), Consistency.STRONG).map(this::read);
    }

    /** Those at some places, in the order of the places; empty where nothing is. */
    List<Optional<Transaction>> at(List<Place> places) {
        return db.getBatch(places.stream().map(DynamoTransactions::key).toList()).stream()
                .map(item -> item.map(this::read))
                .toList();
    }

    private Transaction read(Item item) {
        return db.read(item, DynamoTransactions::transaction);
    }

    int shards() {
        return shards;
    }

    /**
     * A whole partition in its order, without who recorded what, read as it is consumed; half a read unit per 4 KB. What
     * reports do not say is not read, which is a third of the attributes, and of the time.
     *
     * <p>Throws {@link UnreadableItem} at one that another version wrote and this one cannot read: it belongs in the report of
     * this range, and nobody would miss it there. So all reports of the range wait for an instance of that version, and not
     * its agency's alone, because they are made of one ledger.
     */
    Stream<Transaction> partition(Quarter quarter, int shard) {
        return db.all(Query.table("transactions of a quarter hour", partitionKey(quarter, shard))
                        .attributes(REPORTED))
                .map(item -> db.read(item, one -> transaction(one, quarter, shard)));
    }

    /** What an agency's transactions of a month are, as they arrived. */
    Page<Transaction> ofAgency(AgencyId agency, YearMonth month, PageRequest page) {
        var queries = IntStream.range(0, shards)
                .mapToObj(
                        shard -> Query.index("transactions of an agency", "gsi1", agencyPartition(agency, month, shard))
                                .reversed())
                .toList();
        return db.query(queries, page, item -> db.readable(item, DynamoTransactions::transaction));
    }

    // ---- items

    static Key counter(Quarter quarter, int shard, int slot) {
        return new Key(counters(quarter, shard), INGESTED + slot);
    }

    /** The partition of a shard's counters: each of them takes what a partition can, 500 calls a second. */
    static String counters(Quarter quarter, int shard) {
        return "BILLQ#" + quarter.label() + "#" + shard;
    }

    private static String partitionKey(Quarter quarter, int shard) {
        return "BILL#" + quarter.label() + "#" + shard;
    }

    private static String agencyPartition(AgencyId agency, YearMonth month, int shard) {
        return "AGENCY#" + agency + "#" + month + "#" + shard;
    }

    private static Key key(Place place) {
        return new Key(partitionKey(place.quarter(), place.shard()), place.sortKey());
    }

    private static Key marker(TransactionId id) {
        return new Key("BILLTX#" + id, META);
    }

    private String sortKey(Instant now) {
        var key = new StringBuilder(SECOND.format(now)).append('.');
        random.ints(RANDOM_CHARACTERS, 0, BASE58.length()).forEach(i -> key.append(BASE58.charAt(i)));
        return key.toString();
    }

    private static Item marker(Transaction transaction, String fingerprint) {
        return Item.at(marker(transaction.id()))
                .type("billableTransactionId")
                .string("fingerprint", fingerprint)
                .string("agency", transaction.agency().value())
                .string("currency", transaction.amount().currency().getCurrencyCode())
                .string("quarter", transaction.place().quarter().label())
                .number("shard", transaction.place().shard())
                .string("sortKey", transaction.place().sortKey())
                .build();
    }

    private static Marker marker(Item item) {
        return new Marker(
                item.string("fingerprint"),
                new AgencyId(item.string("agency")),
                item.string("currency"),
                new Place(
                        Quarter.parse("quarter", item.string("quarter")),
                        (int) item.integer("shard"),
                        item.string("sortKey")));
    }

    private static Item item(Transaction transaction) {
        var place = transaction.place();
        var commission = transaction.commission();
        var item = Item.at(key(place))
                .type(TYPE)
                .index(agencyPartition(transaction.agency(), place.quarter().month(), place.shard()), place.sortKey())
                .string("id", transaction.id().value())
                .string("agency", transaction.agency().value())
                .string("product", transaction.product())
                .string("customer", transaction.customer())
                .number("amount", transaction.amount().amount())
                .string("currency", transaction.amount().currency().getCurrencyCode())
                .string("occurredAt", transaction.occurredAt().toString())
                .number("rate", commission.rate())
                .string("rounding", commission.rounding().name())
                .number("agencyShare", transaction.agencyShare().amount())
                .number("houseShare", transaction.houseShare().amount());
        optional(item, "recordedBy", transaction.recordedBy());
        optional(item, "rule", commission.rule());
        optional(item, "corrects", transaction.corrects());
        return item.build();
    }

    private static void optional(Item.Builder item, String name, @Nullable Object value) {
        if (value != null) {
            item.string(name, value.toString());
        }
    }

    private static Transaction transaction(Item item) {
        var partition = item.key().partition();
        var end = partition.lastIndexOf('#');
        return transaction(
                item,
                Quarter.parse("quarter", partition.substring("BILL#".length(), end)),
                Integer.parseInt(partition.substring(end + 1)));
    }

    private static Transaction transaction(Item item, Quarter quarter, int shard) {
        var currency = Money.currencyOf(item.string("currency"));
        return new Transaction(
                new TransactionId(item.string("id")),
                new AgencyId(item.string("agency")),
                item.string("product"),
                item.string("customer"),
                new Money(item.number("amount"), currency),
                Instant.parse(item.string("occurredAt")),
                new Commission(
                        item.number("rate"),
                        Rounding.valueOf(item.string("rounding")),
                        item.findString("rule").orElse(null)),
                new Money(item.number("agencyShare"), currency),
                item.findString("corrects").map(TransactionId::new).orElse(null),
                item.findString("recordedBy").orElse(null),
                new Place(quarter, shard, item.key().sort()));
    }
}
