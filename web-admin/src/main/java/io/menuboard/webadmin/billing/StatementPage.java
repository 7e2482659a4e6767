package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/** View model of {@code billing/statement}: what an agency has in a month, and the reports that say so. */
record StatementPage(AgencyMonthPage month, List<CurrencyTotals> totals, Listing list, List<Row> rows) {

    /** Totals of one report in one currency. */
    record Row(String range, String href, String runHref, String version, CurrencyTotals totals) {

        static List<Row> of(AgencyTotals report, Amounts amounts) {
            return report.totals().stream()
                    .map(totals -> new Row(
                            BillingWords.range(report.run()),
                            BillingWords.link(report.run(), report.agency()).toString(),
                            BillingWords.link(report.run()).toString(),
                            Integer.toString(report.version()),
                            CurrencyTotals.of(totals, amounts)))
                    .toList();
        }
    }
}
