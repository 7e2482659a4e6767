package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.billing.reports.DynamoCheckpoint.Settled;
import io.menuboard.billing.reports.DynamoQuarters.Counts;
import io.menuboard.billing.reports.DynamoRunVersions.AgencyKey;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.requests.Concurrently;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reports: from an agency's total to its lines to a transaction, and back. All of it takes {@link Permission#BILLING_READ}; whoever
 * has that for one agency finds what is of that agency, and what is of others or of all of them as if it was not there. Thread-safe.
 */
public final class Reports {
    private static final int QUARTERS_AT_ONCE = 8;

    private final DynamoRuns runs;
    private final DynamoRunVersions versions;
    private final DynamoCheckpoint checkpoints;
    private final DynamoQuarters quarters;
    private final ReportFiles files;
    private final ReportedLines lines;
    private final VisibleRuns visible;

    Reports(
            DynamoRuns runs,
            DynamoRunVersions versions,
            DynamoCheckpoint checkpoints,
            DynamoQuarters quarters,
            ReportFiles files) {
        this.runs = runs;
        this.versions = versions;
        this.checkpoints = checkpoints;
        this.quarters = quarters;
        this.files = files;
        this.lines = new ReportedLines(runs, versions, quarters, files);
        this.visible = new VisibleRuns(runs, versions);
    }

    /** Contents of a version that was committed once, as far as they may be seen; one read unit, and two for one agency. */
    public Optional<ReportRun.Result> version(Access access, RunId run, int version) {
        return visible.version(access, run, version);
    }

    /** Totals of each agency in a version, by agency; a read unit per 4 KB, which is about twenty, or for each of those that may be seen. */
    public Page<AgencyTotals> agencies(Access access, RunId run, int version, PageRequest page) {
        return VisibleRuns.agencies(access)
                .map(own -> Page.of(
                        ofVersion(run, version, own), totals -> totals.agency().value(), page))
                .orElseGet(() -> versions.agencies(run, version, page));
    }

    /** Totals of those of the agencies that have something in a version; a request for a hundred, and one read unit each. */
    public Map<AgencyId, AgencyTotals> agencies(Access access, RunId run, int version, List<AgencyId> agencies) {
        var seen = agencies.stream().filter(agency -> isVisible(access, agency)).toList();
        return ofVersion(run, version, seen).stream()
                .collect(Collectors.toMap(AgencyTotals::agency, Function.identity()));
    }

    private List<AgencyTotals> ofVersion(RunId run, int version, List<AgencyId> agencies) {
        return versions.agencies(agencies.stream()
                .map(agency -> new AgencyKey(run, version, agency))
                .toList());
    }

    /** Totals of an agency in a version; one read unit. */
    public Optional<AgencyTotals> agency(Access access, RunId run, int version, AgencyId agency) {
        return isVisible(access, agency) ? versions.agency(run, version, agency) : Optional.empty();
    }

    /** The files that a version has beside those of agencies. */
    public enum Kind {
        /** Every line. */
        LEDGER("ledger.csv", RunFiles.CSV),
        /** Totals of each agency. */
        SUMMARY_CSV("summary.csv", RunFiles.CSV),
        SUMMARY_JSON("summary.json", RunFiles.JSON),
        /** Counts, sums and hashes of partitions and files. */
        MANIFEST("manifest.json", RunFiles.JSON),
        /** Differences from the version before; of versions from 2 on. */
        DIFFERENCE("difference.csv", RunFiles.CSV);

        private final String fileName;
        private final String mediaType;

        Kind(String fileName, String mediaType) {
            this.fileName = fileName;
            this.mediaType = mediaType;
        }

        /** Its name in its folder. */
        public String fileName() {
            return fileName;
        }

        public String mediaType() {
            return mediaType;
        }
    }

    private static boolean isVisible(Access access, AgencyId agency) {
        access.require(Permission.BILLING_READ);
        return VisibleRuns.isVisible(access, agency);
    }

    /**
     * Reads a file as it is consumed; close it. Empty where there is none, and for who may see one agency only. One request for
     * files.
     */
    public Optional<InputStream> file(Access access, RunId run, int version, Kind kind) {
        if (VisibleRuns.agencies(access).isPresent()) {
            return Optional.empty();
        }
        return files.open(new RunFiles(run, version).of(kind));
    }

    /** An agency's report as CSV; as {@link #file}. */
    public Optional<InputStream> csv(Access access, RunId run, int version, AgencyId agency) {
        return isVisible(access, agency) ? files.open(new RunFiles(run, version).agencyCsv(agency)) : Optional.empty();
    }

    /** An agency's report as JSON; as {@link #file}. */
    public Optional<InputStream> json(Access access, RunId run, int version, AgencyId agency) {
        return isVisible(access, agency) ? files.open(new RunFiles(run, version).agencyJson(agency)) : Optional.empty();
    }

    /**
     * Lines of an agency in a version, in the order of its report. A request or two for files, for about as many bytes as
     * the page has, and one for a cursor.
     *
     * @throws IllegalStateException where {@link #agency} finds nothing
     * @throws InvalidInput {@code INVALID_CURSOR} for a cursor at which no line begins
     */
    public Page<LedgerLine> lines(Access access, RunId run, int version, AgencyId agency, PageRequest page) {
        if (!isVisible(access, agency)) {
            throw new IllegalStateException("agency " + agency + " has nothing in run " + run);
        }
        var cursor = page.cursor();
        try {
            return new LineFile(files, new RunFiles(run, version).agencyCsv(agency)).page(page);
        } catch (NumberFormatException _) {
            throw InvalidInput.sentence(
                    "INVALID_CURSOR",
                    page.direction() == Direction.FORWARD ? "after" : "before",
                    "the cursor " + cursor + " is not of this list");
        } catch (IOException e) {
            throw new UncheckedIOException("lines of run " + run + " could not be read", e);
        }
    }

    /**
     * A report that a transaction is in.
     *
     * @param run with the version that counts, and how many there are
     * @param line what the report says, in the version that counts
     */
    public record Appearance(ReportRun run, LedgerLine line) {}

    /**
     * The report that a transaction is in, by its id, once its quarter hour is closed. Of each quarter hour a read unit; for each
     * different run that has transactions of it and their shards, until they are found, a read unit and a request for files, for
     * 64 KB or two in a hundred of the lines of the quarter hour; of ledgers that were written without an index, for all of them
     * up to the line. What several have in common is read once.
     */
    public Map<TransactionId, Appearance> of(Access access, List<Transaction> transactions) {
        var found = lines.find(transactions.stream()
                .filter(transaction -> isVisible(access, transaction.agency()))
                .toList());
        var runs = visible
                .show(
                        access,
                        found.values().stream().map(Appearance::run).distinct().toList())
                .stream()
                .collect(Collectors.toMap(ReportRun::id, Function.identity()));
        var shown = new HashMap<TransactionId, Appearance>();
        found.forEach((id, appearance) -> shown.put(
                id,
                new Appearance(Objects.requireNonNull(runs.get(appearance.run().id())), appearance.line())));
        return shown;
    }

    /** As {@link #of(Access, List)}, of one. */
    public Optional<Appearance> of(Access access, Transaction transaction) {
        return Optional.ofNullable(of(access, List.of(transaction)).get(transaction.id()));
    }

    /** State of a transaction on its way into a report. */
    public enum Reporting {
        /** One has it. */
        REPORTED,
        /** Its quarter hour is not closed; the run that closes it has it, or the next one as a late line. */
        OPEN,
        /** It arrived after its quarter hour was closed; the next run has it as a late line. */
        LATE,
        /** It is behind what any run looks at, and in no report. */
        MISSED
    }

    /**
     * Tells whether a report has a transaction. A read unit, for each quarter hour one, and one for each shard; and where transactions
     * of the quarter hour are not reported yet, what {@link #of(Access, List)} takes and one more.
     *
     * @return in the order of the transactions
     * @throws io.menuboard.access.Denied for a transaction of an agency that may not be seen
     */
    public List<Reporting> reporting(Access access, List<Transaction> transactions) {
        for (var transaction : transactions) {
            access.require(
                    Permission.BILLING_READ,
                    Scope.Kind.AGENCY,
                    transaction.agency().value());
        }
        var upTo = checkpoints.find().map(Checkpoint::upTo);
        var closed = transactions.stream()
                .filter(transaction -> upTo.filter(
                                end -> transaction.place().quarter().compareTo(end) < 0)
                        .isPresent())
                .collect(Collectors.toSet());
        // Counted strongly consistent: where as many are reported as came in, all of them are.
        var unreported = unreported(
                closed.stream()
                        .map(transaction -> transaction.place().quarter())
                        .collect(Collectors.toCollection(LinkedHashSet::new)),
                upTo);
        var doubtful = closed.stream()
                .filter(transaction -> unreported
                        .getOrDefault(transaction.place().quarter(), List.of())
                        .contains(transaction.place().shard()))
                .collect(Collectors.toSet());
        var reported = new HashMap<>(lines.find(doubtful));
        var settled = reported.size() == doubtful.size() ? Optional.<Settled>empty() : checkpoints.settled();
        // What was settled since they were looked for may have been reported just before.
        reported.putAll(lines.find(doubtful.stream()
                .filter(transaction -> !reported.containsKey(transaction.id()) && isSettled(settled, transaction))
                .toList()));
        return transactions.stream()
                .map(transaction -> {
                    if (!closed.contains(transaction)) {
                        return Reporting.OPEN;
                    }
                    if (!doubtful.contains(transaction) || reported.containsKey(transaction.id())) {
                        return Reporting.REPORTED;
                    }
                    return isSettled(settled, transaction) ? Reporting.MISSED : Reporting.LATE;
                })
                .toList();
    }

    private static boolean isSettled(Optional<Settled> settled, Transaction transaction) {
        return settled.filter(done -> transaction.place().quarter().compareTo(done.from()) < 0)
                .isPresent();
    }

    /** As {@link #reporting(Access, List)}, of one. */
    public Reporting reporting(Access access, Transaction transaction) {
        return reporting(access, List.of(transaction)).getFirst();
    }

    /** Shards of quarter hours that have transactions which no report has, where reports have reached that place. */
    private Map<Quarter, List<Integer>> unreported(Set<Quarter> all, Optional<Quarter> upTo) {
        return Concurrently.map(QUARTERS_AT_ONCE, all, quarter -> quarters.findCommitted(quarter, upTo)).stream()
                .collect(Collectors.toMap(Counts::quarter, Counts::unreported));
    }

    /**
     * Statement of an agency for a month of UTC: reports of ranges in it, late lines of earlier months included.
     *
     * @param reports in the order of ranges, in the versions that count; none where only totals were asked for
     * @param totals of all of them, one for each currency, by code
     */
    public record Statement(AgencyId agency, YearMonth month, List<AgencyTotals> reports, List<Totals> totals) {
        private Statement with(List<AgencyTotals> more, boolean withReports) {
            var all = withReports
                    ? Stream.concat(reports.stream(), more.stream())
                            .sorted(Comparator.comparing(report -> report.run().from()))
                            .toList()
                    : reports;
            var sums = Stream.concat(totals.stream(), ReportBuilder.sum(more).stream());
            return new Statement(agency, month, all, Totals.sum(sums.toList()));
        }
    }

    /**
     * All that is committed, but another version of an earlier run than the latest three may count some moments later. Half a read
     * unit per 4 KB, which is about twenty reports, one and a half for the checkpoint and the latest three runs, two for each of
     * these that is of the month, and one for each of the others that was made again.
     */
    public Statement statement(Access access, AgencyId agency, YearMonth month) {
        return statements(access, agency, month, month).getFirst();
    }

    /** The {@link #statement} of each month from one to another, both included. */
    public List<Statement> statements(Access access, AgencyId agency, YearMonth from, YearMonth to) {
        return statements(access, agency, from, to, true);
    }

    /** As {@link #statements}, without reports: they may be thousands a month, and no more than those of a month are kept at once. */
    public List<Statement> totals(Access access, AgencyId agency, YearMonth from, YearMonth to) {
        return statements(access, agency, from, to, false);
    }

    private List<Statement> statements(
            Access access, AgencyId agency, YearMonth from, YearMonth to, boolean withReports) {
        var statements = new TreeMap<YearMonth, Statement>();
        for (var month = from; !month.isAfter(to); month = month.plusMonths(1)) {
            statements.put(month, new Statement(agency, month, List.of(), List.of()));
        }
        if (isVisible(access, agency)) {
            counting(agency, from, to, some -> some.stream()
                    .collect(Collectors.groupingBy(report -> report.run().month()))
                    .forEach((month, reports) -> statements.computeIfPresent(
                            month, (_, statement) -> statement.with(reports, withReports))));
        }
        return List.copyOf(statements.values());
    }

    /** Totals of the versions that count, some at a time. The index may not know yet what was just committed. */
    private void counting(AgencyId agency, YearMonth from, YearMonth to, Consumer<List<AgencyTotals>> consumer) {
        var upTo = checkpoints.find().map(Checkpoint::upTo);
        var latest = runs.latest(from, to);
        var ids = latest.stream().map(ReportRun::id).collect(Collectors.toSet());
        var ofMonth = new ArrayList<AgencyTotals>();
        versions.ofAgency(agency, from, to)
                .filter(report -> !ids.contains(report.run()))
                .forEachOrdered(report -> {
                    if (!ofMonth.isEmpty()
                            && !ofMonth.getLast()
                                    .run()
                                    .month()
                                    .equals(report.run().month())) {
                        consumer.accept(counting(ofMonth, upTo));
                        ofMonth.clear();
                    }
                    ofMonth.add(report);
                });
        consumer.accept(counting(ofMonth, upTo));
        consumer.accept(versions.agencies(latest.stream()
                .filter(run -> run.result() != null)
                .map(run -> new AgencyKey(run.id(), run.effectiveVersion(), agency))
                .toList()));
    }

    /**
     * Totals of the versions that count. Of most runs there is one version, and only the last run may not be committed; those that were
     * made again are read in one batch.
     */
    private List<AgencyTotals> counting(List<AgencyTotals> reports, Optional<Quarter> upTo) {
        var versions = new HashMap<RunId, Integer>();
        for (var report : reports) {
            versions.merge(report.run(), report.version(), Math::max);
        }
        var madeAgain = reports.stream()
                .filter(report -> report.version() > 1)
                .map(AgencyTotals::run)
                .distinct()
                .toList();
        var again =
                runs.findAll(madeAgain).stream().collect(Collectors.toMap(ReportRun::id, ReportRun::effectiveVersion));
        versions.replaceAll((run, latest) -> latest == 1
                ? upTo.filter(end -> run.to().compareTo(end) <= 0).isPresent() ? 1 : 0
                : Objects.requireNonNull(again.get(run)));
        return reports.stream()
                .filter(report -> Integer.valueOf(report.version()).equals(versions.get(report.run()))
                        && !report.totals().isEmpty())
                .toList();
    }
}
