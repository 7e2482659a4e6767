package io.menuboard.webadmin.billing;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.YearMonth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/agencies}.
 *
 * @param agency that was looked for, as it was sent
 * @param problem what is wrong with it, or null
 * @param month this one, in words
 */
record AgenciesPage(
        BillingDoors doors, String agency, @Nullable Problem problem, String month, Listing list, List<Row> rows) {

    /** @param statementHref address of what it has this month */
    record Row(String agency, String href, String statementHref, String transactionsHref) {
        static Row of(AgencyId agency, YearMonth month) {
            return new Row(
                    agency.value(),
                    BillingWords.link(agency).toString(),
                    BillingWords.link(agency, month).toString(),
                    AgencyMonthController.transactions(agency, month).toString());
        }
    }
}
