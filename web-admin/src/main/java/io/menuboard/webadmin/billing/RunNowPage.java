package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Checkpoint;
import io.menuboard.billing.reports.RunId;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.NothingPage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/run-now}: the question before a run.
 *
 * @param refusal why nothing was done yet, or null
 *
 * @param range that would be closed
 * @param length of the range
 * @param upTo up to where everything is closed
 */
record RunNowPage(Confirmation confirmation, @Nullable String refusal, String range, String length, String upTo) {

    private static final Reference BILLING = Reference.of("Billing", Link.to("billing"));

    static RunNowPage of(Checkpoint checkpoint, RunId next, @Nullable String refusal) {
        return new RunNowPage(
                Confirmation.of(
                                List.of(BILLING),
                                "Run now?",
                                "What came in before " + Moments.utc(next.to().start())
                                        + " is reported without waiting for the next run, and what came in since is left to a"
                                        + " later one. What still arrives for these quarter hours is a late line of the next"
                                        + " run.",
                                "Close and report it",
                                Link.to("billing", "run-now"),
                                Reference.of("Back to the runs", Link.to("billing")))
                        .with("run", next.toString()),
                refusal,
                BillingWords.range(next),
                BillingWords.interval(
                        Duration.between(next.from().start(), next.to().start())),
                upTo(checkpoint));
    }

    /** The page where there is nothing to close, or a run is open. */
    static NothingPage nothing(Checkpoint checkpoint) {
        var open = checkpoint.open();
        return new NothingPage(
                "billing",
                List.of(BILLING),
                "Nothing can be run now",
                null,
                open == null
                        ? new Listing.Empty(
                                "Every quarter hour that can be closed is closed",
                                "Everything is reported up to " + upTo(checkpoint)
                                        + ". A quarter hour can be closed some minutes after its end.",
                                "/billing",
                                "All runs")
                        : new Listing.Empty(
                                "A run is on its way",
                                "The one of " + BillingWords.range(open)
                                        + " must be committed before another one begins.",
                                BillingWords.link(open).toString(),
                                "Show the run"));
    }

    private static String upTo(Checkpoint checkpoint) {
        return Moments.utc(checkpoint.upTo().start());
    }
}
