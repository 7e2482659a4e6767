package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.AgencyId;
import java.util.List;

/**
 * Totals of an agency in a version of a run.
 *
 * @param totals one for each currency, by code
 */
public record AgencyTotals(RunId run, int version, AgencyId agency, List<Totals> totals) {
    public AgencyTotals {
        totals = List.copyOf(totals);
    }
}
