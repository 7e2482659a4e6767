package io.menuboard.billing;

import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came in and what was reported, of each quarter hour: items of {@code BILLQ#{quarter}}, counters
 * {@code INGESTED#{shard}#{slot}} and parts of ledgers {@code REPORTED#{run}}. Thread-safe.
 */
final class DynamoQuarters {
    private static final String REPORTED = "REPORTED#";

    private final QueryDb db;

    DynamoQuarters(QueryDb db) {
        this.db = db;
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
    }

    /**
     * Strongly consistent, because what the last run reported must not be taken for late: one read unit, or two for more
     * than some thirty counters.
     */
    Counts find(Quarter quarter) {
        var ingested = new TreeMap<Integer, Tally>();
        var reported = new ArrayList<LedgerPart>();
        for (var item : db.load(DynamoTransactions.quarterPartition(quarter), Consistency.STRONG)) {
            var sort = item.key().sort();
            if (sort.startsWith(DynamoTransactions.INGESTED)) {
                var shard = sort.substring(DynamoTransactions.INGESTED.length(), sort.lastIndexOf('#'));
                ingested.merge(Integer.parseInt(shard), counted(item), Tally::plus);
            } else {
                reported.add(part(quarter, item));
            }
        }
        return new Counts(quarter, ingested, reported);
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
        return new Tally(item.integer(DynamoTransactions.COUNT), sums, null);
    }

    private static Item item(LedgerPart part) {
        var partitions = part.partitions().entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().toString(), entry -> entry.getValue()
                        .written()));
        return Item.at(new Key(DynamoTransactions.quarterPartition(part.quarter()), REPORTED + part.run()))
                .type("reportedQuarter")
                .flag("late", part.late())
                .number("offset", part.offset())
                .number("length", part.length())
                .stringMap("partitions", partitions)
                .build();
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
                partitions);
    }
}
