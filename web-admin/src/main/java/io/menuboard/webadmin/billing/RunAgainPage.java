package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.ReportRun;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;

/**
 * View model of {@code billing/run-again}: the question before another version.
 *
 * @param made the version that counts
 */
record RunAgainPage(
        Confirmation confirmation, String range, int made, String lines, String agencies, List<CurrencyTotals> totals) {

    static RunAgainPage of(ReportRun run, ReportRun.Result result, Amounts amounts) {
        var page = BillingWords.link(run.id());
        var next = run.latestVersion() + 1;
        var counting = run.effectiveVersion();
        return new RunAgainPage(
                Confirmation.of(
                                List.of(
                                        Reference.of("Billing", Link.to("billing")),
                                        Reference.of(BillingWords.range(run.id()), page)),
                                "Make version " + next + "?",
                                "It has the same transactions, with the commission rules of today, and counts instead of"
                                        + " version " + counting + ". Version " + counting
                                        + " can still be read, and what differs is in a file of its own.",
                                "Make version " + next,
                                Link.to("billing", "runs", run.id().toString(), "again"),
                                Reference.of("Back to the run", page))
                        // So that a form that is sent twice makes one version.
                        .with("latest", Integer.toString(run.latestVersion())),
                BillingWords.range(run.id()),
                counting,
                BillingWords.lines(result.lines()),
                Counts.of(result.agencies()),
                CurrencyTotals.of(result.totals(), amounts));
    }
}
