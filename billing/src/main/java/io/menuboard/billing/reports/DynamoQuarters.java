package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.ControlTotals;
import io.menuboard.billing.transactions.DynamoQuarterCounters;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Control totals of what came in and of what was reported, of each quarter hour: parts of ledgers are
 * {@code BILLQ#{quarter}}/{@code REPORTED#{run}}. What else is there is of a newer version, and left alone. Thread-safe.
 */
final class DynamoQuarters {
    private static final String REPORTED = "REPORTED#";

    private final QueryDb db;
    private final DynamoQuarterCounters counters;

    DynamoQuarters(QueryDb db, DynamoQuarterCounters counters) {
        this.db = db;
        this.counters = counters;
    }

    /**
     * One quarter hour.
     *
     * @param ingested by shard
     * @param reported parts of ledgers with its transactions, those of the run that closed it first
     */
    record Counts(Quarter quarter, Map<Integer, ControlTotals> ingested, List<LedgerPart> reported) {
        private Counts upTo(Optional<Quarter> checkpoint) {
            return new Counts(
                    quarter,
                    ingested,
                    reported.stream()
                            .filter(part -> checkpoint
                                    .filter(end -> part.run().to().compareTo(end) <= 0)
                                    .isPresent())
                            .toList());
        }

        ControlTotals ingested(int shard) {
            return ingested.getOrDefault(shard, ControlTotals.NONE);
        }

        ControlTotals reported(int shard) {
            return reported.stream().map(part -> part.totals(shard)).reduce(ControlTotals.NONE, ControlTotals::plus);
        }

        /** Shards that have transactions which no ledger has. */
        List<Integer> unreported() {
            return ingested.keySet().stream()
                    .filter(shard -> ingested(shard).count() > reported(shard).count())
                    .sorted()
                    .toList();
        }

        ControlTotals allIngested() {
            return ingested.values().stream().reduce(ControlTotals.NONE, ControlTotals::plus);
        }

        ControlTotals allReported() {
            return reported.stream()
                    .flatMap(part -> part.partitions().values().stream())
                    .map(LedgerPartition::totals)
                    .reduce(ControlTotals.NONE, ControlTotals::plus);
        }
    }

    /**
     * With what a run has reported that is not committed yet. Strongly consistent, because what the last run reported must not be taken
     * for late: one read unit, and one for each shard, in as many requests at the same time.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote some of it and this one cannot read it: a sum
     *     without it would be wrong
     */
    Counts find(Quarter quarter) {
        var counts = counters.counts(quarter);
        var reported = counts.others().stream()
                .filter(item -> item.key().sort().startsWith(REPORTED))
                .map(item -> db.read(item, part -> part(quarter, part)))
                .toList();
        return new Counts(quarter, counts.byShard(), reported);
    }

    /**
     * As {@link #find}, without what a run has reported that is not committed yet.
     *
     * @param checkpoint where reports are; empty before they have begun
     */
    Counts findCommitted(Quarter quarter, Optional<Quarter> checkpoint) {
        return find(quarter).upTo(checkpoint);
    }

    /** Parts of ledgers with transactions of the quarter hour, that of the run that closed it first: one read unit. */
    List<LedgerPart> reported(Quarter quarter) {
        return db.all(Query.table("parts of ledgers", partition(quarter)).beginsWith(REPORTED), Consistency.STRONG)
                .map(item -> db.read(item, part -> part(quarter, part)))
                .toList();
    }

    /** Does {@link DynamoQuarterCounters#seal}. */
    void seal(Quarter quarter) {
        counters.seal(quarter);
    }

    /** Says where the transactions of some quarter hours are; one write unit each. Saying it again changes nothing. */
    void save(List<LedgerPart> parts) {
        db.saveBatch(parts.stream()
                        .map(part -> new Save(item(part), SaveMode.ANY))
                        .toList())
                .orThrow();
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
        var partitions = new TreeMap<Integer, LedgerPartition>();
        item.stringMap("partitions")
                .forEach((shard, lines) -> partitions.put(Integer.parseInt(shard), LedgerPartition.read(lines)));
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
