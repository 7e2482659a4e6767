package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.RunId;
import io.menuboard.billing.reports.Totals;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.webadmin.ui.Actors;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of files about billing, in the order of their columns. */
final class BillingCsv {
    private static final List<String> TOTALS_COLUMNS =
            List.of("currency", "lines", "lateLines", "amount", "agencyShare", "houseShare");

    static final List<String> RUN_COLUMNS = with(
            List.of("run", "from", "to", "status", "version", "startedAt", "by", "committedAt", "agencies"),
            TOTALS_COLUMNS);

    static final List<String> STATEMENT_COLUMNS =
            with(List.of("agency", "month", "run", "from", "to", "version"), TOTALS_COLUMNS);

    static final List<String> MONTH_COLUMNS = with(List.of("agency", "month"), TOTALS_COLUMNS);

    static final List<String> TRANSACTION_COLUMNS =
            with(Transaction.COLUMNS, with(List.of("receivedAt", "quarterHour"), Actors.COLUMNS));

    static final List<String> RECONCILIATION_COLUMNS = List.of(
            "quarterHour",
            "closed",
            "agrees",
            "currency",
            "ingestedCount",
            "reportedCount",
            "ingested",
            "reported",
            "runs");

    static final List<String> RULE_COLUMNS = List.of("commissionRule", "commissionRate", "rounding");

    private BillingCsv() {}

    /** One for each currency, or one without totals while no version counts. */
    static List<List<?>> rows(ReportRun run) {
        var result = run.result();
        var head = List.<Object>of(
                run.id(),
                run.id().from().start(),
                run.id().to().start(),
                run.status(),
                run.effectiveVersion(),
                run.startedAt(),
                run.startedBy().name(),
                result == null ? "" : result.committedAt(),
                result == null ? "" : result.agencies());
        return rows(head, result == null ? List.of() : result.totals());
    }

    static List<List<?>> rows(YearMonth month, AgencyTotals report) {
        return rows(
                List.of(
                        report.agency(),
                        month,
                        report.run(),
                        report.run().from().start(),
                        report.run().to().start(),
                        report.version()),
                report.totals());
    }

    static List<List<?>> rows(Reports.Statement statement) {
        return rows(List.of(statement.agency(), statement.month()), statement.totals());
    }

    private static List<List<?>> rows(List<Object> head, List<Totals> totals) {
        return totals.isEmpty()
                ? List.of(with(head, List.of("", "", "", "", "", "")))
                : totals.stream().<List<?>>map(each -> with(head, cells(each))).toList();
    }

    private static List<Object> cells(Totals totals) {
        return List.of(
                totals.currency(),
                totals.lines(),
                totals.lateLines(),
                totals.amount(),
                totals.agencyShare(),
                totals.houseShare());
    }

    static List<List<?>> rows(Transaction transaction) {
        return List.of(with(
                transaction.cells(),
                with(
                        List.of(transaction.receivedAt(), transaction.place().quarter()),
                        transaction.recordedBy() == null ? List.of("", "") : Actors.cells(transaction.recordedBy()))));
    }

    /**
     * One for each currency that came in or was reported; one without where there was none. Counts are of all currencies, so they
     * are in the first row alone, and a column of them adds up.
     */
    static List<List<?>> rows(Reconciliation quarter) {
        var currencies = new TreeSet<>(quarter.ingested().keySet());
        currencies.addAll(quarter.reported().keySet());
        if (currencies.isEmpty()) {
            return List.of(row(quarter, "", true));
        }
        var first = currencies.first();
        return currencies.stream()
                .<List<?>>map(currency -> row(quarter, currency, currency.equals(first)))
                .toList();
    }

    private static List<?> row(Reconciliation quarter, String currency, boolean hasCounts) {
        return List.of(
                quarter.quarter(),
                quarter.closed(),
                quarter.agrees(),
                currency,
                hasCounts ? quarter.ingestedCount() : "",
                hasCounts ? quarter.reportedCount() : "",
                quarter.ingested().getOrDefault(currency, BigDecimal.ZERO),
                quarter.reported().getOrDefault(currency, BigDecimal.ZERO),
                quarter.runs().stream().map(RunId::toString).collect(Collectors.joining(" ")));
    }

    static List<List<?>> rows(CommissionRule rule) {
        return List.of(List.of(rule.id(), rule.rate(), rule.rounding()));
    }

    private static <T> List<T> with(List<? extends T> head, List<? extends T> tail) {
        return Stream.<T>concat(head.stream(), tail.stream()).toList();
    }
}
