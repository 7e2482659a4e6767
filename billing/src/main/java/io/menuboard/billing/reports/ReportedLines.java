package io.menuboard.billing.reports;

import io.menuboard.billing.reports.DynamoRunVersions.PartKey;
import io.menuboard.billing.reports.DynamoRunVersions.PartPlace;
import io.menuboard.billing.reports.LineIndex.Range;
import io.menuboard.billing.reports.Reports.Appearance;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.querydb.requests.Concurrently;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the lines of transactions in ledgers, of many together: what they have in common is read once. Thread-safe. */
final class ReportedLines {
    private static final int AT_ONCE = 8;

    /** Bytes between two places that are read rather than asked for apart. */
    private static final long GAP = 64 * 1024;

    private final DynamoRuns runs;
    private final DynamoRunVersions versions;
    private final DynamoQuarters quarters;
    private final ReportFiles files;

    ReportedLines(DynamoRuns runs, DynamoRunVersions versions, DynamoQuarters quarters, ReportFiles files) {
        this.runs = runs;
        this.versions = versions;
        this.quarters = quarters;
        this.files = files;
    }

    /**
     * Does {@link Reports#of(List)}. Of most transactions it is the first part of a ledger that has some of their quarter hour
     * and shard; the parts of later runs have those that were late.
     */
    Map<TransactionId, Appearance> find(Collection<Transaction> transactions) {
        var all = transactions.stream()
                .map(transaction -> transaction.place().quarter())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        var parts = new HashMap<Quarter, List<LedgerPart>>();
        Concurrently.map(AT_ONCE, all, quarters::reported).stream()
                .filter(known -> !known.isEmpty())
                .forEach(known -> parts.put(known.getFirst().quarter(), known));
        // Read once each, so that an answer says one thing of a run that changes meanwhile.
        var committed = new HashMap<RunId, ReportRun>();
        var found = new HashMap<TransactionId, Appearance>();
        var left = List.copyOf(transactions);
        for (var attempt = 0; !left.isEmpty(); attempt++) {
            var next = attempt;
            var sought = left.stream()
                    .flatMap(transaction -> candidates(parts, transaction)
                            .skip(next)
                            .limit(1)
                            .map(part -> new Sought(transaction, part)))
                    .toList();
            found.putAll(inParts(sought, committed));
            left = sought.stream()
                    .map(Sought::transaction)
                    .filter(transaction -> !found.containsKey(transaction.id()))
                    .toList();
        }
        return found;
    }

    private static Stream<LedgerPart> candidates(Map<Quarter, List<LedgerPart>> parts, Transaction transaction) {
        var place = transaction.place();
        return parts.getOrDefault(place.quarter(), List.of()).stream()
                .filter(part -> part.partitions().containsKey(place.shard()));
    }

    /** A transaction, and a part of a ledger that may have it. */
    private record Sought(Transaction transaction, LedgerPart part) {
        /** The part in the version of the run that counts. */
        PartKey counting(Map<RunId, ReportRun> runs) {
            var run = Objects.requireNonNull(runs.get(part.run()), part.run()::toString);
            return new PartKey(run.id(), run.effectiveVersion(), part.quarter());
        }

        /** Empty where nobody noted where that is. */
        Optional<Wanted> in(Map<PartKey, PartPlace> places, PartKey counting) {
            return Optional.ofNullable(places.get(counting))
                    .map(place -> new Wanted(
                            new RunFiles(counting.run(), counting.version()),
                            place.around(transaction.place()),
                            transaction));
        }

        Wanted inFirst() {
            return new Wanted(new RunFiles(part.run(), 1), part.around(transaction.place()), transaction);
        }
    }

    /**
     * Of the parts of runs that are committed: the others may have been given up or be on their way.
     *
     * @param known runs that are committed, to which those are added that are read here
     */
    private Map<TransactionId, Appearance> inParts(List<Sought> sought, Map<RunId, ReportRun> known) {
        var unknown = sought.stream()
                .map(one -> one.part().run())
                .filter(run -> !known.containsKey(run))
                .distinct()
                .toList();
        runs.findAll(unknown).stream()
                .filter(run -> run.effectiveVersion() > 0)
                .forEach(run -> known.put(run.id(), run));
        var all = sought.stream()
                .filter(one -> known.containsKey(one.part().run()))
                .toList();
        var places = versions.parts(all.stream()
                .map(one -> one.counting(known))
                .filter(part -> part.version() > 1)
                .collect(Collectors.toCollection(LinkedHashSet::new)));
        var lines = new HashMap<>(read(all.stream()
                .flatMap(one -> one.in(places, one.counting(known)).stream())
                .toList()));
        lines.putAll(read(all.stream()
                .filter(one -> !lines.containsKey(one.transaction().id()))
                .map(Sought::inFirst)
                .toList()));
        var found = new HashMap<TransactionId, Appearance>();
        for (var one : all) {
            var transaction = one.transaction();
            var line = lines.get(transaction.id());
            if (line != null) {
                var part = one.counting(known);
                var isNoted = part.version() == 1 || places.containsKey(part);
                found.put(
                        transaction.id(),
                        new Appearance(
                                Objects.requireNonNull(known.get(part.run())),
                                isNoted ? line : lineOfAgency(part, transaction).orElse(line)));
            }
        }
        return found;
    }

    /** A transaction whose line is in a range of a ledger, if it is in that ledger. */
    private record Wanted(RunFiles files, Range range, Transaction transaction) {}

    /** A range of a ledger, and the transactions that may be in it. */
    private record Stretch(String name, Range range, Set<TransactionId> wanted) {}

    /** The lines that there are. */
    private Map<TransactionId, LedgerLine> read(List<Wanted> wanted) {
        var found = new HashMap<TransactionId, LedgerLine>();
        Concurrently.map(AT_ONCE, stretches(wanted), this::read).forEach(found::putAll);
        return found;
    }

    /** What is near to each other in a ledger becomes one. */
    private static List<Stretch> stretches(List<Wanted> wanted) {
        var stretches = new ArrayList<Stretch>();
        wanted.stream()
                .collect(Collectors.groupingBy(one -> one.files().ledger()))
                .forEach((name, some) -> {
                    Stretch last = null;
                    for (var one : some.stream()
                            .sorted(Comparator.comparingLong(
                                    each -> each.range().from()))
                            .toList()) {
                        if (last == null || one.range().from() > last.range().to() + GAP) {
                            last = new Stretch(name, one.range(), new HashSet<>());
                        } else {
                            stretches.removeLast();
                            var end = Math.max(last.range().to(), one.range().to());
                            last = new Stretch(name, new Range(last.range().from(), end), last.wanted());
                        }
                        last.wanted().add(one.transaction().id());
                        stretches.add(last);
                    }
                });
        return stretches;
    }

    private Map<TransactionId, LedgerLine> read(Stretch stretch) {
        var from = stretch.range().from();
        var bytes = files.open(stretch.name(), from, stretch.range().to() - from)
                .orElseThrow(() -> new IllegalStateException("there is no " + stretch.name()));
        var found = new HashMap<TransactionId, LedgerLine>();
        try (var lines = LedgerReader.part(bytes)) {
            while (found.size() < stretch.wanted().size()) {
                var line = lines.next();
                if (line.isEmpty()) {
                    break;
                }
                var id = line.get().transaction().id();
                if (stretch.wanted().contains(id)) {
                    found.put(id, line.get());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(stretch.name() + " could not be read", e);
        }
        return found;
    }

    /** Searches a version of which nobody has said where its lines are. */
    private Optional<LedgerLine> lineOfAgency(PartKey part, Transaction transaction) {
        var name = new RunFiles(part.run(), part.version()).agencyCsv(transaction.agency());
        try (var lines = LedgerReader.file(
                files.open(name).orElseThrow(() -> new IllegalStateException("there is no " + name)))) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                if (line.get().transaction().id().equals(transaction.id())) {
                    return line;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name + " could not be read", e);
        }
        return Optional.empty();
    }
}
