package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.AgencyTotals;
import io.menuboard.billing.reports.LedgerLine;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/lines}: the lines of an agency in a version of a run.
 *
 * @param superseded which version is shown where another one counts, or null
 * @param href address of the same page
 * @param version null where it counts
 */
record RunAgencyPage(
        String agency,
        String agencyHref,
        String range,
        String runHref,
        String href,
        RunPage.@Nullable Superseded superseded,
        @Nullable String version,
        String csv,
        String json,
        List<CurrencyTotals> totals,
        Listing list,
        List<Row> rows) {

    static final String CSV = "report.csv";
    static final String JSON = "report.json";

    static RunAgencyPage of(ShownVersion shown, AgencyTotals agency, Amounts amounts, Listing list, List<Row> rows) {
        var run = shown.run();
        var link = BillingWords.link(run.id(), agency.agency());
        return new RunAgencyPage(
                agency.agency().value(),
                BillingWords.link(agency.agency()).toString(),
                BillingWords.range(run.id()),
                shown.on(BillingWords.link(run.id())).toString(),
                link.toString(),
                shown.counts()
                        ? null
                        : new RunPage.Superseded(shown.version(), run.effectiveVersion(), link.toString()),
                shown.counts() ? null : Integer.toString(shown.version()),
                file(shown, agency.agency(), CSV),
                file(shown, agency.agency(), JSON),
                CurrencyTotals.of(agency.totals(), amounts),
                list,
                rows);
    }

    /** Address of one of an agency's two files. */
    static String file(ShownVersion shown, AgencyId agency, String file) {
        return shown.on(Link.to("billing", "runs", shown.run().id().toString(), "agencies", agency.value(), file))
                .toString();
    }

    /** @param late which quarter hour it was late for, in words; null where it came in time */
    record Row(
            String transaction,
            String href,
            String product,
            String customer,
            String occurred,
            String amount,
            String rate,
            String share,
            @Nullable String late) {

        static Row of(LedgerLine line, Amounts amounts) {
            var transaction = line.transaction();
            return new Row(
                    transaction.id().value(),
                    BillingWords.link(transaction.id()).toString(),
                    transaction.product(),
                    transaction.customer(),
                    Moments.utcSeconds(transaction.occurredAt()),
                    amounts.of(transaction.amount()),
                    BillingWords.percent(transaction.commission().rate()),
                    amounts.of(transaction.agencyShare()),
                    line.late()
                            ? "Late, of "
                                    + BillingWords.quarter(transaction.place().quarter())
                            : null);
        }
    }
}
