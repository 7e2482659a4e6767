package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.charts.Chart;
import java.time.YearMonth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/agency}: what an agency has, month by month.
 *
 * @param to last month that is shown, as its address has it
 * @param problem what is wrong with the month that was asked for, or null
 * @param later null where the last month is shown
 * @param rows latest month first; none where it has nothing in any
 */
record AgencyPage(
        String agency,
        String href,
        String to,
        @Nullable Problem problem,
        String earlier,
        @Nullable String later,
        String export,
        String summary,
        String thisMonthHref,
        String transactionsHref,
        List<Chart> charts,
        List<Row> rows) {

    /** Months that are shown at once. */
    static final int MONTHS = 12;

    static AgencyPage of(
            AgencyId agency,
            YearMonth to,
            YearMonth today,
            @Nullable Problem problem,
            List<Reports.Statement> statements,
            Amounts amounts) {
        var from = to.minusMonths(MONTHS - 1L);
        var any = statements.stream().anyMatch(statement -> !statement.totals().isEmpty());
        return new AgencyPage(
                agency.value(),
                BillingWords.link(agency).toString(),
                to.toString(),
                problem,
                on(agency, to.minusMonths(MONTHS)).toString(),
                to.isBefore(today)
                        ? on(agency, min(to.plusMonths(MONTHS), today)).toString()
                        : null,
                Link.to("billing", "agencies", agency.value(), "months.csv")
                        .with("to", to.toString())
                        .toString(),
                Moments.month(from) + " to " + Moments.month(to),
                BillingWords.link(agency, today).toString(),
                AgencyMonthController.transactions(agency, today).toString(),
                MonthlyShares.draw(statements, amounts),
                any
                        ? statements.reversed().stream()
                                .flatMap(statement -> Row.of(statement, amounts).stream())
                                .toList()
                        : List.of());
    }

    private static Link on(AgencyId agency, YearMonth to) {
        return BillingWords.link(agency).with("to", to.toString());
    }

    private static YearMonth min(YearMonth one, YearMonth other) {
        return one.isBefore(other) ? one : other;
    }

    /** @param totals null where the month has nothing */
    record Row(String month, String href, @Nullable CurrencyTotals totals) {

        /** One for each currency, or one for nothing. */
        static List<Row> of(Reports.Statement statement, Amounts amounts) {
            var month = Moments.month(statement.month());
            var href = BillingWords.link(statement.agency(), statement.month()).toString();
            return statement.totals().isEmpty()
                    ? List.of(new Row(month, href, null))
                    : statement.totals().stream()
                            .map(totals -> new Row(month, href, CurrencyTotals.of(totals, amounts)))
                            .toList();
        }
    }
}
