package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.time.YearMonth;

/**
 * Header of the pages of an agency's month.
 *
 * @param href address of its statement
 */
record AgencyMonthPage(
        String agency,
        String agencyHref,
        String month,
        String href,
        String transactionsHref,
        String earlier,
        String later) {

    static AgencyMonthPage of(AgencyId agency, YearMonth month, boolean transactions) {
        var statement = BillingWords.link(agency, month);
        return new AgencyMonthPage(
                agency.value(),
                BillingWords.link(agency).toString(),
                Moments.month(month),
                statement.toString(),
                AgencyMonthController.transactions(agency, month).toString(),
                neighbour(agency, month.minusMonths(1), transactions).toString(),
                neighbour(agency, month.plusMonths(1), transactions).toString());
    }

    private static Link neighbour(AgencyId agency, YearMonth month, boolean transactions) {
        return transactions ? AgencyMonthController.transactions(agency, month) : BillingWords.link(agency, month);
    }
}
