package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.ReportRun;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import java.util.List;

/**
 * View model of {@code billing/run-again}: the question before another version.
 *
 * @param version that would be made
 * @param made the latest version that there is, so that a form that is sent twice makes one version
 */
record RunAgainPage(
        String range,
        String href,
        String action,
        int version,
        int made,
        String lines,
        String agencies,
        List<CurrencyTotals> totals) {

    static RunAgainPage of(ReportRun run, ReportRun.Result result, Amounts amounts) {
        return new RunAgainPage(
                BillingWords.range(run.id()),
                BillingWords.link(run.id()).toString(),
                Link.to("billing", "runs", run.id().toString(), "again").toString(),
                run.latestVersion() + 1,
                run.latestVersion(),
                BillingWords.lines(result.lines()),
                Counts.of(result.agencies()),
                CurrencyTotals.of(result.totals(), amounts));
    }
}
