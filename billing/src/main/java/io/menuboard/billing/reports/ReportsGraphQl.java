package io.menuboard.billing.reports;

import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
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
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code billing.graphqls} to reports. Fields of records need no fetcher of their own. */
final class ReportsGraphQl implements GraphQlModule {
    private static final int MOST_MONTHS = 24;
    private static final int MOST_QUARTERS = 96;

    private final @Nullable ReportRuns runs;
    private final @Nullable Reports reports;

    /**
     * @param runs null where there is nowhere for reports to be
     * @param reports as {@code runs}
     */
    ReportsGraphQl(@Nullable ReportRuns runs, @Nullable Reports reports) {
        this.runs = runs;
        this.reports = reports;
    }

    private ReportRuns runs() {
        if (runs == null) {
            throw notConfigured();
        }
        return runs;
    }

    private static InvalidInput notConfigured() {
        return new InvalidInput(
                "REPORTS_NOT_CONFIGURED", "reports", "need a bucket, menuboard.files.bucket, which is not configured");
    }

    private Reports reports() {
        if (reports == null) {
            throw notConfigured();
        }
        return reports;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("billingCheckpoint", _ -> runs().checkpoint());
        parts.query("reportRun", args -> runs().find(run(args)).orElse(null));
        parts.query("reportRuns", args -> runs().list(args.page()));
        parts.query("agencyStatements", this::statements);
        parts.query("reconciliation", this::reconciliation);
        parts.mutation(
                "setBillingInterval",
                this::setBillingInterval,
                refused -> new SetBillingIntervalPayload(
                        null,
                        UserError.list(refused.field().equals("interval") ? refused.renamed("minutes") : refused)));
        parts.mutation(
                "runBilling", args -> RunBillingPayload.of(runs().runNow(args.actor())), RunBillingPayload::refused);
        parts.mutation(
                "runBillingAgain",
                args -> RunBillingPayload.of(runs().runAgain(run(args), args.actor())),
                RunBillingPayload::refused);
        parts.object("BillableTransaction", Transaction.class)
                .field("reports", sold -> reports().of(sold).stream().toList())
                .field("reporting", sold -> reports().reporting(sold));
        parts.object("BillingCheckpoint", Checkpoint.class)
                .field("upTo", known -> known.upTo().start())
                .field("open", this::open)
                .field("intervalMinutes", known -> known.interval().toMinutes())
                .field("overdueSeconds", _ -> runs().overdue().toSeconds());
        parts.object("ReportRun", ReportRun.class)
                .field("from", run -> run.id().from().start())
                .field("to", run -> run.id().to().start())
                .field("startedBy", run -> run.startedBy().name())
                .field("version", ReportRun::effectiveVersion)
                .field("making", ReportRun::latestVersion)
                .field("committedAt", ofResult(Result::committedAt))
                .field("lines", ofResult(Result::lines))
                .field("lateLines", ofResult(Result::lateLines))
                .field("agencies", ofResult(Result::agencies))
                .field(
                        "totals",
                        run -> run.result() == null ? List.of() : run.result().totals())
                .field("agencyTotals", (run, args) -> reports().agencies(run.id(), version(args, run), args.page()))
                .field("agencyLines", (run, args) -> lines(run.id(), version(args, run), agency(args), args.page()));
        parts.object("QuarterReconciliation", Reports.Reconciliation.class)
                .field("quarterHour", quarter -> quarter.quarter())
                .field("ingested", quarter -> sums(quarter.ingested()))
                .field("reported", quarter -> sums(quarter.reported()));
    }

    private @Nullable ReportRun open(Checkpoint known) {
        return known.open() == null ? null : runs().find(known.open()).orElse(null);
    }

    private Page<LedgerLine> lines(RunId run, int version, AgencyId agency, PageRequest page) {
        if (reports().agency(run, version, agency).isEmpty()) {
            throw new InvalidInput(
                    "NOT_FOUND",
                    "agency",
                    "must have lines in version " + version + " of run " + run + ", which " + agency + " has not");
        }
        return reports().lines(run, version, agency, page);
    }

    // ---- queries

    private List<Reports.Statement> statements(Arguments args) {
        var from = month(args, "from");
        var to = month(args, "to");
        var months = ChronoUnit.MONTHS.between(from, to) + 1;
        if (months < 1 || months > MOST_MONTHS) {
            throw new InvalidInput(
                    "INVALID_MONTHS",
                    "to",
                    "must be " + from + " or one of the " + (MOST_MONTHS - 1) + " months after it");
        }
        return reports().statements(agency(args), from, to);
    }

    private List<Reports.Reconciliation> reconciliation(Arguments args) {
        var from = args.<Instant>get("from");
        var to = args.<Instant>get("to");
        if (from.isAfter(to) || Duration.between(from, to).compareTo(Quarter.LENGTH.multipliedBy(MOST_QUARTERS)) > 0) {
            throw new InvalidInput("INVALID_RANGE", "to", "must be after from, and at most 24 hours after it");
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

    private SetBillingIntervalPayload setBillingInterval(Arguments args) {
        var interval = Duration.ofMinutes(args.number("minutes"));
        return new SetBillingIntervalPayload(runs().setInterval(interval, args.actor()), List.of());
    }

    /** Answer of runBilling and runBillingAgain. */
    record RunBillingPayload(@Nullable ReportRun run, List<UserError> errors) {
        static RunBillingPayload refused(InvalidInput refused) {
            return new RunBillingPayload(null, UserError.list(refused));
        }

        static RunBillingPayload of(RunResult result) {
            return switch (result) {
                case RunResult.Started(var run) -> new RunBillingPayload(run, List.of());
                case RunResult.AlreadyStarted(var run) ->
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

    // ---- arguments

    private static SchemaParts.Reader<ReportRun> ofResult(Function<Result, Object> field) {
        return run -> run.result() == null ? null : field.apply(run.result());
    }

    private static AgencyId agency(Arguments args) {
        return new AgencyId(args.text("agency"));
    }

    private static RunId run(Arguments args) {
        return Arguments.named("id", () -> RunId.parse(args.text("id")));
    }

    private static YearMonth month(Arguments args, String name) {
        try {
            return YearMonth.parse(args.text(name));
        } catch (DateTimeException _) {
            throw new InvalidInput("INVALID_MONTH", name, "must be a month such as 2026-11");
        }
    }

    /** The one that was asked for, or the one that counts. */
    private static int version(Arguments args, ReportRun run) {
        return args.get("version", run.effectiveVersion());
    }
}
