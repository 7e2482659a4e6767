package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.reports.Reports.Statement;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.BillingInput;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.querydb.requests.Concurrently;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries of {@code billing.graphqls} to reports. Fields of records need no fetcher of their own. */
final class ReportsGraphQl implements GraphQlModule {
    private static final int LISTS_AT_ONCE = 8;
    private static final int MOST_MONTHS = 24;
    private static final int MOST_QUARTERS = 96;
    private static final String RUN = "ReportRun";

    private final Transactions transactions;
    private final @Nullable ReportRuns runs;
    private final @Nullable Reports reports;
    private final @Nullable Reconciliations reconciliations;

    /**
     * @param runs null where there is nowhere for reports to be
     * @param reports as {@code runs}
     * @param reconciliations as {@code runs}
     */
    ReportsGraphQl(
            Transactions transactions,
            @Nullable ReportRuns runs,
            @Nullable Reports reports,
            @Nullable Reconciliations reconciliations) {
        this.transactions = transactions;
        this.runs = runs;
        this.reports = reports;
        this.reconciliations = reconciliations;
    }

    private ReportRuns runs() {
        if (runs == null) {
            throw notConfigured();
        }
        return runs;
    }

    static InvalidInput notConfigured() {
        return InvalidInput.sentence(
                "REPORTS_NOT_CONFIGURED", "", "Reports need a bucket, menuboard.files.bucket, which is not configured");
    }

    private Reports reports() {
        if (reports == null) {
            throw notConfigured();
        }
        return reports;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("billingCheckpoint", args -> runs().checkpoint(args.access()));
        parts.query("reportRun", args -> runs().find(args.access(), run(args)).orElse(null));
        parts.query(
                "reportRuns",
                args -> selectsTotals(args)
                        ? runs().list(args.access(), args.page())
                        : runs().listWithoutTotals(args.access(), args.page()));
        parts.query("agencyStatements", args -> {
            var months = Months.of(args);
            var agency = BillingInput.agency(args);
            return transactions.isAgency(args.access(), agency)
                    ? months.of(reports(), args.access(), agency, args.selects("reports"))
                    : null;
        });
        parts.query("reconciliation", this::reconciliation);
        parts.object(BillingInput.TRANSACTION, Transaction.class)
                .batch("report", (sold, args) -> {
                    var found = reports().of(args.access(), sold);
                    return sold.stream()
                            .<@Nullable Object>map(one -> found.get(one.id()))
                            .toList();
                })
                .batch("reporting", (sold, args) -> reports().reporting(args.access(), sold));
        parts.object(BillingInput.AGENCY, AgencyId.class).batch("statements", (agencies, args) -> {
            var months = Months.of(args);
            // With reports: other fields that get the same may select them.
            return Concurrently.map(
                    LISTS_AT_ONCE, agencies, agency -> months.of(reports(), args.access(), agency, true));
        });
        parts.object("BillingCheckpoint", Checkpoint.class)
                .field("reportedUntil", known -> known.upTo().start())
                .reference("openRun", RUN, known -> {
                    var open = known.open();
                    return open == null ? null : open.toString();
                })
                .field("intervalMinutes", known -> (int) known.interval().toMinutes())
                .field("overdueSeconds", (_, _) -> runs().overdue().toSeconds());
        runs(parts);
        contents(parts);
    }

    private void runs(SchemaParts parts) {
        parts.node(
                        RUN,
                        ReportRun.class,
                        run -> run.id().toString(),
                        NodeReader.of(RunId::parse, (access, ids) -> runs().findAll(access, ids), run -> run.id()
                                .toString()))
                .field("key", run -> run.id().toString())
                .field("from", run -> run.id().from().start())
                .field("to", run -> run.id().to().start())
                .field("version", ReportRun::effectiveVersion)
                .reference("task", "Task", run -> {
                    var task = run.task();
                    return task == null ? null : task.value();
                })
                .field("committedAt", ofResult(Result::committedAt))
                .field("lines", ofResult(Result::lines))
                .field("lateLines", ofResult(Result::lateLines))
                .field("agencies", ofResult(Result::agencies))
                .field(
                        "totals",
                        run -> run.result() == null ? List.of() : run.result().totals())
                .batch("agencyTotals", (some, args) -> {
                    var page = args.page();
                    return ofVersion(
                            some, args, (run, version) -> reports().agencies(args.access(), run, version, page));
                })
                .batch("agencyLines", (some, args) -> {
                    var page = args.page();
                    var agency = BillingInput.agency(args);
                    return ofVersion(
                            some,
                            args,
                            (run, version) -> reports()
                                            .agency(args.access(), run, version, agency)
                                            .isEmpty()
                                    ? null
                                    : reports().lines(args.access(), run, version, agency, page));
                });
    }

    /** Tells whether a list is to have what agencies have in its runs, which is read of each of them for partners. */
    private static boolean selectsTotals(Arguments args) {
        return Stream.of("lines", "lateLines", "agencies", "totals")
                .anyMatch(field -> args.selects("nodes/" + field, "edges/node/" + field));
    }

    private static SchemaParts.Reader<ReportRun> ofResult(Function<Result, Object> field) {
        return run -> run.result() == null ? null : field.apply(run.result());
    }

    /** Reads a list of a version of a run; null where there is none. */
    @FunctionalInterface
    private interface OfVersion<T> {
        @Nullable
        Page<T> read(RunId run, int version);
    }

    /** Lists of the version that was asked for, or of that which counts; null where the run has not committed such a version. */
    private <T> List<@Nullable Object> ofVersion(List<ReportRun> runs, Arguments args, OfVersion<T> list) {
        var asked = args.<Integer>find("version");
        // A value of Concurrently cannot be null.
        return Concurrently.map(LISTS_AT_ONCE, runs, run -> {
                    var version = asked == null ? run.effectiveVersion() : asked;
                    return Optional.ofNullable(
                            hasMade(args.access(), run, version) ? list.read(run.id(), version) : null);
                })
                .stream()
                .<@Nullable Object>map(found -> found.orElse(null))
                .toList();
    }

    /** Versions before the one that counts may have been given up. */
    private boolean hasMade(Access access, ReportRun run, int version) {
        return version >= 1
                && (version == run.effectiveVersion()
                        || (version < run.effectiveVersion()
                                && reports().version(access, run.id(), version).isPresent()));
    }

    private void contents(SchemaParts parts) {
        parts.object("ReportTotals", Totals.class)
                .field("amount", totals -> new Sum(totals.amount(), totals.currency()))
                .field("agencyShare", totals -> new Sum(totals.agencyShare(), totals.currency()))
                .field("houseShare", totals -> new Sum(totals.houseShare(), totals.currency()));
        parts.object("AgencyTotals", AgencyTotals.class)
                .reference("run", RUN, totals -> totals.run().toString());
        parts.object("ReportLine", LedgerLine.class)
                .reference("transaction", BillingInput.TRANSACTION, line -> line.transaction()
                        .id()
                        .value())
                .field("transactionKey", line -> line.transaction().id())
                .field("amount", line -> line.transaction().amount())
                .field("agencyShare", line -> line.transaction().agencyShare())
                .field("houseShare", line -> line.transaction().houseShare())
                .field("commissionRate", line -> line.transaction().commission().rate())
                .field("rounding", line -> line.transaction().commission().rounding())
                .reference("commissionRule", BillingInput.COMMISSION_RULE, line -> line.transaction()
                        .commission()
                        .rule());
        parts.node(
                        "AgencyStatement",
                        Statement.class,
                        MonthOfAgency::key,
                        NodeReader.of(MonthOfAgency::parse, this::statements, MonthOfAgency::key))
                .field(
                        "reports",
                        (statement, args) -> Page.of(
                                statement.reports(), report -> report.run().toString(), args.page()));
        parts.object("QuarterReconciliation", Reconciliation.class)
                .field("startsAt", quarter -> quarter.quarter().start())
                .field("ingested", quarter -> sums(quarter.ingested()))
                .field("reported", quarter -> sums(quarter.reported()))
                .batch("runs", (quarters, args) -> runsOf(args.access(), quarters));
    }

    /** The statement that a key is of; all months have one, of agencies that there are. */
    private record MonthOfAgency(AgencyId agency, YearMonth month) {
        /** No id has one. */
        private static final char SEPARATOR = '#';

        /** Of the years 0001 to 9999. */
        private static final DateTimeFormatter MONTH = new DateTimeFormatterBuilder()
                .appendValue(ChronoField.YEAR_OF_ERA, 4)
                .appendPattern("-MM")
                .toFormatter(Locale.ROOT);

        static MonthOfAgency parse(String key) {
            var separator = Math.max(0, key.indexOf(SEPARATOR));
            try {
                return new MonthOfAgency(
                        new AgencyId(key.substring(0, separator)),
                        MONTH.parse(key.substring(separator + 1), YearMonth::from));
            } catch (DateTimeParseException _) {
                throw new InvalidInput("INVALID_ID", "id", "must end with a month such as 2026-11");
            }
        }

        static String key(Statement statement) {
            return statement.agency().value() + SEPARATOR + statement.month();
        }
    }

    /** Few: {@code nodes} costs the same whatever it finds, and a statement is a list that is read whole. */
    private List<Statement> statements(Access access, List<MonthOfAgency> wanted) {
        if (wanted.size() > MOST_MONTHS) {
            throw InvalidInput.sentence(
                    "TOO_MANY_STATEMENTS",
                    "ids",
                    "One operation finds at most " + MOST_MONTHS + " statements by their ids");
        }
        var known = Set.copyOf(transactions.findAgencies(
                access, wanted.stream().map(MonthOfAgency::agency).distinct().toList()));
        var found = wanted.stream().filter(one -> known.contains(one.agency())).toList();
        return Concurrently.map(LISTS_AT_ONCE, found, one -> reports().statement(access, one.agency(), one.month()));
    }

    /** Money, of any number of digits. */
    record Sum(BigDecimal amount, Currency currency) {}

    private static List<Sum> sums(Map<String, BigDecimal> sums) {
        return new TreeMap<>(sums)
                .entrySet().stream()
                        .map(sum -> new Sum(sum.getValue(), Money.currencyOf(sum.getKey())))
                        .toList();
    }

    private List<List<ReportRun>> runsOf(Access access, List<Reconciliation> quarters) {
        var ids = quarters.stream()
                .flatMap(quarter -> quarter.runs().stream())
                .distinct()
                .toList();
        var found = runs().findAll(access, ids).stream().collect(Collectors.toMap(ReportRun::id, Function.identity()));
        return quarters.stream()
                .map(quarter -> quarter.runs().stream()
                        .flatMap(id -> Stream.ofNullable(found.get(id)))
                        .toList())
                .toList();
    }

    /** The arguments {@code from} and {@code to} of statements. */
    private record Months(YearMonth from, YearMonth to) {
        static Months of(Arguments args) {
            var months = new Months(args.get("from"), args.get("to"));
            var count = ChronoUnit.MONTHS.between(months.from, months.to) + 1;
            if (count < 1 || count > MOST_MONTHS) {
                throw new InvalidInput(
                        "INVALID_MONTHS",
                        "to",
                        "must be " + months.from + " or one of the " + (MOST_MONTHS - 1) + " months after it");
            }
            return months;
        }

        List<Statement> of(Reports reports, Access access, AgencyId agency, boolean withReports) {
            return withReports
                    ? reports.statements(access, agency, from, to)
                    : reports.totals(access, agency, from, to);
        }
    }

    private List<Reconciliation> reconciliation(Arguments args) {
        var from = args.<Instant>get("from");
        var to = args.<Instant>get("to");
        if (!from.isBefore(to)
                || Duration.between(from, to).compareTo(Quarter.LENGTH.multipliedBy(MOST_QUARTERS)) > 0) {
            throw new InvalidInput("INVALID_RANGE", "to", "must be after from, and at most 24 hours after it");
        }
        if (reconciliations == null) {
            throw notConfigured();
        }
        return reconciliations.reconcile(args.access(), ceiling(from), ceiling(to));
    }

    /** The first quarter hour that begins then or later. */
    private static Quarter ceiling(Instant instant) {
        var quarter = Quarter.of(instant);
        return quarter.start().equals(instant) ? quarter : quarter.next();
    }

    /** The argument {@code id}. */
    static RunId run(Arguments args) {
        return Arguments.named("id", () -> RunId.parse(args.key("id", RUN)));
    }
}
