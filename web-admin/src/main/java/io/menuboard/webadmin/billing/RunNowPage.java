package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Checkpoint;
import io.menuboard.billing.reports.RunId;
import io.menuboard.webadmin.ui.Moments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/run-now}: the question before a run.
 *
 * @param range that would be closed; null where there is nothing to close, or a run is open
 * @param length how long it is
 * @param openRange of the run that is open, or null
 * @param upTo up to where everything is closed
 */
record RunNowPage(
        @Nullable String range,
        String length,
        @Nullable String openRange,
        @Nullable String openHref,
        String upTo) {

    static RunNowPage of(Checkpoint checkpoint, @Nullable RunId next) {
        var open = checkpoint.open();
        return new RunNowPage(
                next == null ? null : BillingWords.range(next),
                next == null
                        ? ""
                        : BillingWords.interval(
                                Duration.between(next.from().start(), next.to().start())),
                open == null ? null : BillingWords.range(open),
                open == null ? null : BillingWords.link(open).toString(),
                Moments.utc(checkpoint.upTo().start()));
    }
}
