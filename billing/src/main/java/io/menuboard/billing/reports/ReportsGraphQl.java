package io.menuboard.billing.reports;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code billing.graphqls} to reports. Fields of records need no fetcher of their own. */
final class ReportsGraphQl {
    private static final int MOST_MONTHS = 24;
    private static final int MOST_QUARTERS = 96;

    private final @Nullable ReportRuns runs;
    private final @Nullable Reports reports;
    private final PageLimits limits;

    /**
     * @param runs null where there is nowhere for reports to be
     * @param reports as {@code runs}
     */
    ReportsGraphQl(@Nullable ReportRuns runs, @Nullable Reports reports, PageLimits limits) {
        this.runs = runs;
        this.reports = reports;
        this.limits = limits;
    }

    private ReportRuns runs() {
        if (runs == null) {
            throw notConfigured();
        }
        return runs;
    }

    private static InvalidInput notConfigured() {
        return new InvalidInput(
                "REPORTS_NOT_CONFIGURED",
                "reports",
                "reports need a bucket, menuboard.files.bucket, which is not configured");
    }

    private Reports reports() {
        if (reports == null) {
            throw notConfigured();
        }
        return reports;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("billingCheckpoint", args -> runs().checkpoint())
                .dataFetcher("reportRun", args -> runs().find(run(args)).orElse(null))
                .dataFetcher("reportRuns", args -> runs().list(page(args)))
                .dataFetcher("agencyStatements", this::statements)
                .dataFetcher("reconciliation", this::reconciliation)
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("setBillingInterval", this::setBillingInterval)
                .dataFetcher("runBilling", run(args -> runs().runNow(actor(args))))
                .dataFetcher("runBillingAgain", run(args -> runs().runAgain(run(args), actor(args))))
                .build();
    }

    TypeRuntimeWiring transaction() {
        return TypeRuntimeWiring.newTypeWiring("BillableTransaction")
                .dataFetcher("reports", on(Transaction.class, sold -> reports().of(sold)))
                .dataFetcher(
                        "reporting", on(Transaction.class, sold -> reports().reporting(sold)))
                .build();
    }

    TypeRuntimeWiring checkpoint() {
        return TypeRuntimeWiring.newTypeWiring("BillingCheckpoint")
                .dataFetcher("upTo", on(Checkpoint.class, known -> known.upTo().start()))
                .dataFetcher(
                        "open",
                        on(
                                Checkpoint.class,
                                known -> known.open() == null
                                        ? null
                                        : runs().find(known.open()).orElse(null)))
                .dataFetcher("intervalMinutes", on(Checkpoint.class, known -> known.interval()
                        .toMinutes()))
                .dataFetcher("overdueSeconds", on(Checkpoint.class, _ -> runs().overdue()
                        .toSeconds()))
                .build();
    }

    TypeRuntimeWiring reportRun() {
        return TypeRuntimeWiring.newTypeWiring("ReportRun")
                .dataFetcher("from", on(ReportRun.class, run -> run.id().from().start()))
                .dataFetcher("to", on(ReportRun.class, run -> run.id().to().start()))
                .dataFetcher("committedAt", onResult(Result::committedAt))
                .dataFetcher("lines", onResult(Result::lines))
                .dataFetcher("lateLines", onResult(Result::lateLines))
                .dataFetcher("agencies", onResult(Result::agencies))
                .dataFetcher(
                        "totals",
                        on(
                                ReportRun.class,
                                run -> run.result() == null
                                        ? List.of()
                                        : run.result().totals()))
                .dataFetcher("agencyTotals", args -> {
                    ReportRun run = Objects.requireNonNull(args.getSource());
                    return reports().agencies(run.id(), version(args, run), page(args));
                })
                .dataFetcher("agencyLines", args -> {
                    ReportRun run = Objects.requireNonNull(args.getSource());
                    return lines(run.id(), version(args, run), agency(args), page(args));
                })
                .build();
    }

    private Page<LedgerLine> lines(RunId run, int version, AgencyId agency, PageRequest page) {
        if (reports().agency(run, version, agency).isEmpty()) {
            throw new InvalidInput(
                    "NOT_FOUND",
                    "agency",
                    "agency must have lines in version " + version + " of run " + run + ", which " + agency
                            + " has not");
        }
        return reports().lines(run, version, agency, page);
    }

    static TypeRuntimeWiring reconciliation() {
        return TypeRuntimeWiring.newTypeWiring("QuarterReconciliation")
                .dataFetcher("quarterHour", on(Reports.Reconciliation.class, Reports.Reconciliation::quarter))
                .dataFetcher("ingested", on(Reports.Reconciliation.class, quarter -> sums(quarter.ingested())))
                .dataFetcher("reported", on(Reports.Reconciliation.class, quarter -> sums(quarter.reported())))
                .build();
    }

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    // ---- queries

    private List<Reports.Statement> statements(DataFetchingEnvironment args) {
        var from = month(args, "from");
        var to = month(args, "to");
        var months = ChronoUnit.MONTHS.between(from, to) + 1;
        if (months < 1 || months > MOST_MONTHS) {
            throw new InvalidInput(
                    "INVALID_MONTHS",
                    "to",
                    "to must be " + from + " or one of the " + (MOST_MONTHS - 1) + " months after it");
        }
        return reports().statements(agency(args), from, to);
    }

    private List<Reports.Reconciliation> reconciliation(DataFetchingEnvironment args) {
        var from = Objects.requireNonNull(args.<Instant>getArgument("from"));
        var to = Objects.requireNonNull(args.<Instant>getArgument("to"));
        if (from.isAfter(to) || Duration.between(from, to).compareTo(Quarter.LENGTH.multipliedBy(MOST_QUARTERS)) > 0) {
            throw new InvalidInput("INVALID_RANGE", "to", "to must be after from, and at most 24 hours after it");
        }
        return reports().reconcile(ceiling(from), ceiling(to));
    }

    /** The first quarter hour that begins then or later. */
    private static Quarter ceiling(Instant instant) {
        var quarter = Quarter.of(instant);
        return quarter.start().equals(instant) ? quarter : quarter.next();
    }

    /** A sum in one currency. */
    record CurrencySum(Currency currency, BigDecimal amount) {}

    private static List<CurrencySum> sums(Map<String, BigDecimal> sums) {
        return new TreeMap<>(sums)
                .entrySet().stream()
                        .map(sum -> new CurrencySum(Money.currencyOf(sum.getKey()), sum.getValue()))
                        .toList();
    }

    // ---- mutations

    /** Answer of setBillingInterval. */
    record SetBillingIntervalPayload(@Nullable Checkpoint checkpoint, List<UserError> errors) {}

    private SetBillingIntervalPayload setBillingInterval(DataFetchingEnvironment args) {
        try {
            var minutes = args.<Integer>getArgumentOrDefault("minutes", 0);
            return new SetBillingIntervalPayload(
                    runs().setInterval(Duration.ofMinutes(minutes), actor(args)), List.of());
        } catch (InvalidInput e) {
            return new SetBillingIntervalPayload(
                    null, UserError.list(e.field().equals("interval") ? e.renamed("minutes") : e));
        }
    }

    /** Answer of runBilling and runBillingAgain. */
    record RunBillingPayload(@Nullable ReportRun run, List<UserError> errors) {
        static RunBillingPayload of(RunResult result) {
            return switch (result) {
                case RunResult.Started(var run) -> new RunBillingPayload(run, List.of());
                case RunResult.Running(var run) ->
                    new RunBillingPayload(
                            run, UserError.list("RUN_IN_PROGRESS", "run " + run.id() + " is on its way", "id"));
                case RunResult.NothingToReport(var upTo) ->
                    new RunBillingPayload(
                            null,
                            UserError.list(
                                    "NOTHING_TO_REPORT",
                                    "everything before " + upTo.start()
                                            + " is reported, and nothing after it can be closed" + " yet"));
                case RunResult.NotFound(var id) ->
                    new RunBillingPayload(null, UserError.list("NOT_FOUND", "there is no run " + id, "id"));
            };
        }
    }

    private static DataFetcher<RunBillingPayload> run(Function<DataFetchingEnvironment, RunResult> change) {
        return args -> {
            try {
                return RunBillingPayload.of(change.apply(args));
            } catch (InvalidInput e) {
                return new RunBillingPayload(null, UserError.list(e));
            }
        };
    }

    // ---- arguments

    private static <T> DataFetcher<@Nullable Object> on(Class<T> type, Function<T, @Nullable Object> field) {
        return args -> field.apply(type.cast(Objects.requireNonNull(args.getSource())));
    }

    private static DataFetcher<@Nullable Object> onResult(Function<Result, Object> field) {
        return on(ReportRun.class, run -> run.result() == null ? null : field.apply(run.result()));
    }

    /** The one door: what logins will replace. */
    private static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    private static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    private static AgencyId agency(DataFetchingEnvironment args) {
        return new AgencyId(text(args, "agency"));
    }

    private static RunId run(DataFetchingEnvironment args) {
        try {
            return RunId.parse(text(args, "id"));
        } catch (InvalidInput e) {
            throw e.renamed("id");
        }
    }

    private static YearMonth month(DataFetchingEnvironment args, String name) {
        try {
            return YearMonth.parse(text(args, name));
        } catch (DateTimeException _) {
            throw new InvalidInput("INVALID_MONTH", name, name + " must be a month such as 2026-11");
        }
    }

    /** The one that was asked for, or the one that counts. */
    private static int version(DataFetchingEnvironment args, ReportRun run) {
        return args.<Integer>getArgumentOrDefault("version", run.version());
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }
}
