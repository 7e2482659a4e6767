package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Totals;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Counts;
import java.util.List;

/**
 * Sums of the lines of one currency, for {@code billing/parts :: totals}.
 *
 * @param late how many of the lines are late
 */
record CurrencyTotals(
        String currency, String lines, String late, String amount, String agencyShare, String houseShare) {

    static CurrencyTotals of(Totals totals, Amounts amounts) {
        return new CurrencyTotals(
                totals.currency().getCurrencyCode(),
                Counts.of(totals.lines()),
                Counts.of(totals.lateLines()),
                amounts.of(totals.amount(), totals.currency()),
                amounts.of(totals.agencyShare(), totals.currency()),
                amounts.of(totals.houseShare(), totals.currency()));
    }

    static List<CurrencyTotals> of(List<Totals> totals, Amounts amounts) {
        return totals.stream().map(each -> of(each, amounts)).toList();
    }
}
