package io.menuboard.webadmin.billing;

import io.menuboard.billing.reports.Checkpoint;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.tasks.TaskProgressBar;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/runs}.
 *
 * @param notice what was just done, or null
 * @param alarm what is overdue, or null; only for who may see all agencies
 * @param open whether a run is on its way, so that the page asks again
 * @param refreshHref address of this page as it is shown, to ask again
 */
record RunsPage(
        BillingDoors doors,
        @Nullable String notice,
        CheckpointPanel checkpoint,
        @Nullable Alarm alarm,
        boolean open,
        String refreshHref,
        Listing list,
        List<Row> rows) {

    /** Progress of reports. */
    record CheckpointPanel(String upTo, String ago, String interval, String due) {
        static CheckpointPanel of(Checkpoint checkpoint, Instant due, Instant now) {
            var upTo = checkpoint.upTo().start();
            return new CheckpointPanel(
                    Moments.utc(upTo),
                    Moments.ago(upTo, now),
                    BillingWords.interval(checkpoint.interval()),
                    due.isAfter(now)
                            ? Moments.utc(due) + ", " + Moments.distance(now, due)
                            : Moments.utc(due) + ", " + Moments.ago(due, now));
        }
    }

    /**
     * Reports that should be there.
     *
     * @param taskHref address of the task that should have made them; null where no run is open, and for who may not see tasks
     */
    record Alarm(String text, @Nullable String taskHref) {
        static @Nullable Alarm of(
                BillingDoors doors, Checkpoint checkpoint, Duration overdue, @Nullable ReportRun open) {
            if (!doors.everything() || overdue.compareTo(checkpoint.interval()) <= 0) {
                return null;
            }
            var task = open == null || !doors.tasks() ? null : open.task();
            return new Alarm(
                    "Nothing from " + Moments.utc(checkpoint.upTo().start())
                            + " on is reported yet, and a run has been due for " + Moments.span(overdue) + ".",
                    task == null ? null : Link.to("tasks", task.value()).toString());
        }
    }

    /**
     * @param progress of the version that is being made, or null
     * @param result null while no version counts
     */
    record Row(
            String range,
            String href,
            Badge status,
            @Nullable TaskProgressBar progress,
            String version,
            @Nullable Result result) {

        static Row of(BillingDoors may, ReportRun run, @Nullable Task task, Amounts amounts) {
            var result = run.result();
            return new Row(
                    BillingWords.range(run.id()),
                    BillingWords.link(run.id()).toString(),
                    BillingWords.status(may, run, task),
                    task == null ? null : TaskProgressBar.of(task),
                    run.effectiveVersion() == 0 ? "" : Integer.toString(run.effectiveVersion()),
                    result == null ? null : Result.of(result, amounts));
        }
    }

    record Result(String lines, String late, String agencies, List<CurrencyTotals> totals) {
        static Result of(ReportRun.Result result, Amounts amounts) {
            return new Result(
                    Counts.of(result.lines()),
                    Counts.of(result.lateLines()),
                    Counts.of(result.agencies()),
                    CurrencyTotals.of(result.totals(), amounts));
        }
    }
}
