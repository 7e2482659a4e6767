package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.billing.reports.DynamoQuarters.Counts;
import io.menuboard.billing.transactions.ArrivedTransactions;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.kernel.Actor;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Finds the lines of a run in the table: those of the quarter hours of its range, and those of earlier ones that no
 * ledger has yet. Where a run is made again, the lines that it had, with the commission rules of today. Thread-safe.
 */
final class LedgerLines {
    private static final int READ_TOGETHER = 100;

    private static final Access REPORTING = Access.ofSystem("billing", Actor.Source.WORKER);

    private final ArrivedTransactions transactions;
    private final DynamoQuarters quarters;
    private final CommissionRules rules;
    private final ReportFiles files;
    private final LookBack lookBack;

    LedgerLines(
            ArrivedTransactions transactions,
            DynamoQuarters quarters,
            CommissionRules rules,
            ReportFiles files,
            LookBack lookBack) {
        this.transactions = transactions;
        this.quarters = quarters;
        this.rules = rules;
        this.files = files;
        this.lookBack = lookBack;
    }

    /** Takes lines in the order of the ledger. */
    @FunctionalInterface
    interface Sink {
        void add(LedgerLine line) throws IOException, InterruptedException;
    }

    /**
     * Half a read unit per 4 KB of new transactions, and for each quarter hour of the look-back one, and one for each shard.
     */
    void ofRange(RunId run, Sink sink) throws IOException, InterruptedException {
        for (var quarter = run.from(); quarter.compareTo(run.to()) < 0; quarter = quarter.next()) {
            merge(quarter, IntStream.range(0, transactions.shards()).boxed().toList(), false, Set.of(), sink);
        }
        for (var quarter = lookBack.begin(run); quarter.compareTo(run.from()) < 0; quarter = quarter.next()) {
            var counts = quarters.find(quarter);
            var unreported = counts.unreported();
            if (!unreported.isEmpty()) {
                merge(quarter, unreported, true, reported(counts), sink);
            }
        }
    }

    /** The lines of some shards of a quarter hour, merged in the order of arrival, without those that are reported. */
    private void merge(Quarter quarter, List<Integer> shards, boolean late, Set<String> reported, Sink sink)
            throws IOException, InterruptedException {
        var open = new ArrayList<ReadAhead<Transaction>>();
        try {
            var heads = new PriorityQueue<Head>(
                    Comparator.comparing(Head::transaction, Comparator.comparing(Transaction::place)));
            for (var shard : shards) {
                var rest = new ReadAhead<>(transactions.partition(quarter, shard));
                open.add(rest);
                Head.of(rest).ifPresent(heads::add);
            }
            for (var head = heads.poll(); head != null; head = heads.poll()) {
                var transaction = head.transaction();
                if (!reported.contains(transaction.place().sortKey())) {
                    sink.add(new LedgerLine(transaction, late));
                }
                Head.of(head.rest()).ifPresent(heads::add);
            }
        } finally {
            open.forEach(ReadAhead::close);
        }
    }

    private record Head(Transaction transaction, Iterator<Transaction> rest) {
        static Optional<Head> of(Iterator<Transaction> rest) {
            return rest.hasNext() ? Optional.of(new Head(rest.next(), rest)) : Optional.empty();
        }
    }

    /** Sort keys of a quarter hour that ledgers have: random enough to be each transaction's own. */
    private Set<String> reported(Counts counts) throws IOException {
        var places = new HashSet<String>();
        for (var part : counts.reported()) {
            try (var lines = open(part)) {
                for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                    places.add(line.get().transaction().place().sortKey());
                }
            }
        }
        return places;
    }

    /** The lines of a part of a ledger. */
    LedgerReader open(LedgerPart part) {
        var name = new RunFiles(part.run(), 1).ledger();
        return LedgerReader.part(files.open(name, part.offset(), part.length())
                .orElseThrow(() -> new IllegalStateException("there is no " + name + ", which was reported")));
    }

    /**
     * A read unit for each line, and one for each commission rule: each is read once, so that all lines follow from one
     * rate, also where somebody changes it meanwhile. A transaction that is no longer in the table is no line any more.
     */
    void ofVersion(RunId run, int version, Sink sink) throws IOException, InterruptedException {
        try (var lines = LedgerReader.file(ledger(run, version))) {
            var chunk = new ArrayList<LedgerLine>();
            var known = new HashMap<String, Optional<Supplier<CommissionRule>>>();
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                chunk.add(line.get());
                if (chunk.size() == READ_TOGETHER) {
                    again(chunk, known, sink);
                    chunk.clear();
                }
            }
            again(chunk, known, sink);
        }
    }

    /** The whole ledger of a version that there is. */
    InputStream ledger(RunId run, int version) {
        var name = new RunFiles(run, version).ledger();
        return files.open(name).orElseThrow(() -> new IllegalStateException("there is no " + name));
    }

    /** @param known rules that were looked up before; of those that there are not, empty */
    private void again(List<LedgerLine> lines, Map<String, Optional<Supplier<CommissionRule>>> known, Sink sink)
            throws IOException, InterruptedException {
        var found = transactions.at(
                lines.stream().map(line -> line.transaction().place()).toList());
        var unknown = found.stream()
                .flatMap(Optional::stream)
                .flatMap(transaction ->
                        Optional.ofNullable(transaction.commission().rule()).stream())
                .filter(rule -> !known.containsKey(rule))
                .distinct()
                .toList();
        var now = rules.find(REPORTING, unknown);
        unknown.forEach(rule -> known.put(rule, Optional.ofNullable(now.get(rule))));
        for (var i = 0; i < lines.size(); i++) {
            if (found.get(i).isPresent()) {
                var transaction = found.get(i).get();
                var rule = transaction.commission().rule() == null
                        ? null
                        : known.getOrDefault(transaction.commission().rule(), Optional.empty())
                                .orElse(null);
                sink.add(new LedgerLine(
                        rule == null ? transaction : transaction.with(rule.get().commission()),
                        lines.get(i).late()));
            }
        }
    }
}
