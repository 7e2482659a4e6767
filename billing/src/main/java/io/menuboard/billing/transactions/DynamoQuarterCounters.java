package io.menuboard.billing.transactions;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.requests.Concurrently;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Counts and sums of what came in, {@code BILLQ#{quarter}#{shard}}/{@code INGESTED#{slot}}. Versions that had all of a
 * quarter hour in one partition left {@code BILLQ#{quarter}}/{@code INGESTED#{shard}#{slot}}, which counts as well (ADR 21).
 * Thread-safe.
 */
public final class DynamoQuarterCounters {
    private static final String TYPE = "billableCount";
    private static final String INGESTED = "INGESTED#";
    private static final String COUNT = "count";
    private static final String SUM = "sum";
    private static final String SEALED = "sealed";

    /** Longest wait for a counter while the table is slow, so that not all threads of the instance stand here. */
    private static final Duration MOST_PATIENCE = Duration.ofSeconds(5);

    private final QueryDb db;
    private final int shards;
    private final int slots;
    /** Transactions that meet at an item refuse each other: no two of this instance are at the same counter. */
    private final BlockingQueue<Counter> free;

    DynamoQuarterCounters(QueryDb db, RandomGenerator random, TransactionsConfig config) {
        this.db = db;
        this.shards = config.shards();
        this.slots = config.slots();
        var all = new ArrayList<>(counters().toList());
        // Instances begin at different ones.
        Collections.shuffle(all, Random.from(random));
        this.free = new LinkedBlockingQueue<>(all);
    }

    /** One of the counters that share the transactions of a quarter hour. */
    record Counter(int shard, int slot) {
        Key key(Quarter quarter) {
            return new Key(partition(quarter, shard), INGESTED + slot);
        }
    }

    /** All are in use, and have been for a while. Nothing was written. */
    static final class NoCounter extends Exception {
        private static final long serialVersionUID = 1L;

        NoCounter() {
            super("no counter was free for " + MOST_PATIENCE);
        }
    }

    int shards() {
        return shards;
    }

    /** The number of counters of a quarter hour. */
    int size() {
        return shards * slots;
    }

    private Stream<Counter> counters() {
        return IntStream.range(0, size()).mapToObj(i -> new Counter(i % shards, i / shards));
    }

    /** A counter that no other thread has until it is {@link #free}d. */
    Counter take() throws NoCounter {
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

    void free(Counter counter) {
        free.add(counter);
    }

    /** Counts transactions of a quarter hour that is not sealed. */
    static Write count(Quarter quarter, Counter counter, List<Transaction> transactions) {
        var sums = new TreeMap<String, BigDecimal>();
        transactions.forEach(transaction -> sums.merge(
                transaction.amount().currency().getCurrencyCode(),
                transaction.amount().amount(),
                BigDecimal::add));
        var update = Update.of(counter.key(quarter)).type(TYPE).add(COUNT, transactions.size());
        for (var sum : sums.entrySet()) {
            update = update.add(SUM + sum.getKey(), sum.getValue());
        }
        return update.when(Condition.absent(SEALED));
    }

    /**
     * Closes the quarter hour: a transaction that comes too late is refused, and recorded in the present one. Two write units for each counter. Doing it again changes nothing.
     */
    public void seal(Quarter quarter) {
        var writes = counters()
                .<Write>map(
                        counter -> Update.of(counter.key(quarter)).type(TYPE).set(SEALED, 1))
                .toList();
        for (var from = 0; from < writes.size(); from += QueryDb.MAX_TRANSACTION) {
            db.transact(writes.subList(from, Math.min(from + QueryDb.MAX_TRANSACTION, writes.size())));
        }
    }

    /**
     * Control totals of a quarter hour.
     *
     * @param byShard of shards that have transactions
     * @param others items of the quarter hour's partition that are no counters: what reports note there comes with the same
     *     read
     */
    public record Counts(Map<Integer, ControlTotals> byShard, List<Item> others) {
        public Counts {
            byShard = Map.copyOf(byShard);
            others = List.copyOf(others);
        }
    }

    /**
     * Loads control totals, which are right at any instant; strongly consistent: a read unit for the quarter hour and one for
     * each shard, in as many requests at the same time.
     *
     * @throws UnreadableItem where another version wrote some of it and this one cannot read it: a sum without it would be
     *     wrong
     */
    public Counts counts(Quarter quarter) {
        var byShard = new TreeMap<Integer, ControlTotals>();
        var others = new ArrayList<Item>();
        for (var item : load(quarter)) {
            if (item.key().sort().startsWith(INGESTED)) {
                byShard.merge(
                        db.read(item, counter -> shard(counter.key())),
                        db.read(item, DynamoQuarterCounters::totals),
                        ControlTotals::plus);
            } else {
                others.add(item);
            }
        }
        return new Counts(byShard, others);
    }

    /** Number of the quarter hour's transactions; costs as {@link #counts}, and fails as that. */
    public long count(Quarter quarter) {
        return counts(quarter).byShard().values().stream()
                .mapToLong(ControlTotals::count)
                .sum();
    }

    private List<Item> load(Quarter quarter) {
        var partitions = Stream.concat(
                        Stream.of(partition(quarter)),
                        IntStream.range(0, shards).mapToObj(shard -> partition(quarter, shard)))
                .toList();
        var loads =
                Concurrently.map(partitions.size(), partitions, partition -> db.load(partition, Consistency.STRONG));
        return loads.stream().flatMap(List::stream).toList();
    }

    /** The shard of {@code BILLQ#{quarter}#{shard}}/{@code INGESTED#{slot}}, or of the older form. */
    private static int shard(Key counter) {
        var sort = counter.sort();
        var end = sort.lastIndexOf('#');
        return end < INGESTED.length()
                ? Integer.parseInt(
                        counter.partition().substring(counter.partition().lastIndexOf('#') + 1))
                : Integer.parseInt(sort.substring(INGESTED.length(), end));
    }

    private static ControlTotals totals(Item item) {
        var sums = new TreeMap<String, BigDecimal>();
        item.attributes().forEach((name, value) -> {
            if (name.startsWith(SUM)) {
                sums.put(name.substring(SUM.length()), new BigDecimal(value.n()));
            }
        });
        var count = item.findNumber(COUNT).orElse(BigDecimal.ZERO);
        return new ControlTotals(count.longValueExact(), sums);
    }

    private static String partition(Quarter quarter) {
        return "BILLQ#" + quarter.label();
    }

    /** Counters of a shard: a partition takes 500 calls a second. */
    private static String partition(Quarter quarter, int shard) {
        return partition(quarter) + "#" + shard;
    }
}
