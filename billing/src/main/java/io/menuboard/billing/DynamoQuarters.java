package io.menuboard.billing;

import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What came in and what was reported, of each quarter hour: counters {@code BILLQ#{quarter}#{shard}}/{@code INGESTED#{slot}},
 * and parts of ledgers {@code BILLQ#{quarter}}/{@code REPORTED#{run}}. Beside those are counters of versions that had all of
 * a quarter hour in one partition, {@code INGESTED#{shard}#{slot}}; they count as well (ADR 21). What else is there is of a newer version,
 * and left alone. Thread-safe.
 */
final class DynamoQuarters {
    private static final String REPORTED = "REPORTED#";

    private final QueryDb db;
    private final int shards;
    private final int slots;

    DynamoQuarters(QueryDb db, BillingConfig config) {
        this.db = db;
        this.shards = config.shards();
        this.slots = config.slots();
    }

    /**
     * One quarter hour.
     *
     * @param ingested by shard
     * @param reported parts of ledgers with its transactions, those of the run that closed it first
     */
    record Counts(Quarter quarter, Map<Integer, Tally> ingested, List<LedgerPart> reported) {
        Tally ingested(int shard) {
            return ingested.getOrDefault(shard, Tally.NONE);
        }

        Tally reported(int shard) {
            return reported.stream()
                    .map(part -> part.partitions().getOrDefault(shard, Tally.NONE))
                    .reduce(Tally.NONE, Tally::plus);
        }

        /** Shards that have transactions which no ledger has. */
        List<Integer> unreported() {
            return ingested.keySet().stream()
                    .filter(shard -> ingested(shard).count() > reported(shard).count())
                    .sorted()
                    .toList();
        }

        Tally allIngested() {
            return ingested.values().stream().reduce(Tally.NONE, Tally::plus);
        }

        Tally allReported() {
            return reported.stream()
                    .flatMap(part -> part.partitions().values().stream())
                    .reduce(Tally.NONE, Tally::plus);
        }
    }

    /**
     * Strongly consistent, because what the last run reported must not be taken for late: one read unit, and one for each
     * shard, in as many requests at the same time.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote some of it and this one cannot read it: a sum
     *     without it would be wrong
     */
    Counts find(Quarter quarter) {
        var ingested = new TreeMap<Integer, Tally>();
        var reported = new ArrayList<LedgerPart>();
        for (var item : load(quarter)) {
            if (item.key().sort().startsWith(DynamoTransactions.INGESTED)) {
                ingested.merge(
                        db.read(item, counter -> shard(counter.key())),
                        db.read(item, DynamoQuarters::counted),
                        Tally::plus);
            } else if (item.key().sort().startsWith(REPORTED)) {
                reported.add(db.read(item, part -> part(quarter, part)));
            }
        }
        return new Counts(quarter, ingested, reported);
    }

    private List<Item> load(Quarter quarter) {
        var partitions = Stream.concat(
                Stream.of(partition(quarter)),
                IntStream.range(0, shards).mapToObj(shard -> DynamoTransactions.counters(quarter, shard)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var loads = partitions
                    .map(partition ->
                            CompletableFuture.supplyAsync(() -> db.load(partition, Consistency.STRONG), threads))
                    .toList();
            return loads.stream().flatMap(load -> load.join().stream()).toList();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Of {@code BILLQ#{quarter}#{shard}}/{@code INGESTED#{slot}}, or of the older form. */
    private static int shard(Key counter) {
        var sort = counter.sort();
        var end = sort.lastIndexOf('#');
        return end < DynamoTransactions.INGESTED.length()
                ? Integer.parseInt(
                        counter.partition().substring(counter.partition().lastIndexOf('#') + 1))
                : Integer.parseInt(sort.substring(DynamoTransactions.INGESTED.length(), end));
    }

    /** Parts of ledgers with transactions of the quarter hour, that of the run that closed it first: one read unit. */
    List<LedgerPart> reported(Quarter quarter) {
        return db.all(Query.table("parts of ledgers", partition(quarter)).beginsWith(REPORTED), Consistency.STRONG)
                .map(item -> db.read(item, part -> part(quarter, part)))
                .toList();
    }

    /**
     * Sees to it that nothing is recorded in the quarter hour from now on: whoever is late enough to try is refused, and
     * records it in the present one. Two write units for each counter. Doing it again changes nothing.
     */
    void seal(Quarter quarter) {
        var writes = IntStream.range(0, shards * slots)
                .mapToObj(i -> Write.update(
                        DynamoTransactions.counter(quarter, i % shards, i / shards),
                        Expression.of("SET #type = :type, #sealed = :sealed")
                                .name("#type", "type")
                                .name("#sealed", DynamoTransactions.SEALED)
                                .string(":type", DynamoTransactions.COUNTER)
                                .number(":sealed", 1)))
                .toList();
        for (var from = 0; from < writes.size(); from += QueryDb.MAX_TRANSACTION) {
            db.transact(writes.subList(from, Math.min(from + QueryDb.MAX_TRANSACTION, writes.size())));
        }
    }

    /** Says where the transactions of some quarter hours are; one write unit each. Saying it again changes nothing. */
    void save(List<LedgerPart> parts) {
        db.saveBatch(parts.stream()
                        .map(part -> new Save(item(part), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    private static Tally counted(Item item) {
        var sums = new TreeMap<String, BigDecimal>();
        item.attributes().forEach((name, value) -> {
            if (name.startsWith(DynamoTransactions.SUM)) {
                sums.put(name.substring(DynamoTransactions.SUM.length()), new BigDecimal(value.n()));
            }
        });
        var count = item.findNumber(DynamoTransactions.COUNT).orElse(BigDecimal.ZERO);
        return new Tally(count.longValueExact(), sums, null);
    }

    private static String partition(Quarter quarter) {
        return "BILLQ#" + quarter.label();
    }

    private static Item item(LedgerPart part) {
        var partitions = part.partitions().entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().toString(), entry -> entry.getValue()
                        .written()));
        var item = Item.at(new Key(partition(part.quarter()), REPORTED + part.run()))
                .type("reportedQuarter")
                .flag("late", part.late())
                .number("offset", part.offset())
                .number("length", part.length())
                .stringMap("partitions", partitions);
        if (!part.index().equals(LineIndex.NONE)) {
            item.string("index", part.index().written());
        }
        return item.build();
    }

    private static LedgerPart part(Quarter quarter, Item item) {
        var partitions = new TreeMap<Integer, Tally>();
        item.stringMap("partitions")
                .forEach((shard, tally) -> partitions.put(Integer.parseInt(shard), Tally.read(tally)));
        return new LedgerPart(
                RunId.parse(item.key().sort().substring(REPORTED.length())),
                quarter,
                item.flag("late"),
                item.integer("offset"),
                item.integer("length"),
                partitions,
                item.findString("index").map(LineIndex::read).orElse(LineIndex.NONE));
    }
}
