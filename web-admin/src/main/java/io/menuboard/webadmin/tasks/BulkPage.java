package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.bulk.BulkOutcome;
import io.menuboard.tasks.bulk.BulkStatus;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Refresh;
import io.menuboard.webadmin.ui.Submission;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/bulk}.
 *
 * @param taskHref address of the task that does it
 * @param cancelHref null where there is nothing left to cancel
 * @param filterHref address of the tasks that match now
 */
record BulkPage(
        String id,
        String href,
        String taskHref,
        @Nullable String cancelHref,
        String filterHref,
        String title,
        Submission submitted,
        String reason,
        Refresh refresh,
        WorkState state,
        Listing list,
        List<Row> rows) {

    private static final int SECONDS = 1;

    static BulkPage of(Access access, BulkStatus bulk, Link here, Listing list, List<BulkOutcome> outcomes) {
        var task = bulk.task();
        var open = !task.status().isFinished();
        return new BulkPage(
                task.id().value(),
                link(task).toString(),
                Link.to("tasks", task.id().value()).toString(),
                open && access.may(Permission.TASKS_OPERATE)
                        ? Link.to("tasks", task.id().value(), TaskAction.CANCEL.path())
                                .toString()
                        : null,
                TaskFilterForm.of(bulk.change().filter()).on(Link.to("tasks")).toString(),
                BulkPreviewPage.verb(bulk.change().action()) + " "
                        + TaskFilterForm.words(bulk.change().filter()),
                Submission.of(task.submittedAt(), task.submittedBy()),
                bulk.change().reason(),
                TaskWords.onUpdates(Refresh.of(here, open, SECONDS), true, task),
                new WorkState(
                        TaskWords.badge(task.status()),
                        summary(bulk),
                        task.reason(),
                        open ? TaskProgressBar.of(task) : null,
                        List.of()),
                list,
                outcomes.stream()
                        .map(outcome -> Row.of(outcome, bulk.change().action()))
                        .toList());
    }

    static Link link(Task task) {
        return Link.to("tasks", "bulk", task.id().value());
    }

    static String summary(BulkStatus bulk) {
        return switch (bulk.task().status()) {
            case PENDING, SCHEDULED -> "Waits for its turn.";
            case RUNNING -> "Goes through the tasks.";
            case COMPLETED -> counts(bulk) + ".";
            // It has gone on for some seconds after it last said how many.
            case DEAD, CANCELLED ->
                bulk.changed() + bulk.unchanged() == 0
                        ? "It ended early. The list has each task that it came to."
                        : "At least " + counts(bulk) + "; the list has each.";
        };
    }

    private static String counts(BulkStatus bulk) {
        var verb = done(bulk.change().action()).toLowerCase(Locale.ROOT);
        return Counts.of(bulk.changed()) + " " + verb
                + (bulk.unchanged() == 0 ? "" : ", " + Counts.of(bulk.unchanged()) + " not changed");
    }

    private static String done(BulkChange.Action action) {
        return switch (action) {
            case CANCEL -> "Cancelled";
            case RETRY -> "Retried";
        };
    }

    /** @param message why it was not changed, empty where it was */
    record Row(String id, String href, Badge outcome, String message) {
        static Row of(BulkOutcome outcome, BulkChange.Action action) {
            return new Row(
                    outcome.task().value(),
                    Link.to("tasks", outcome.task().value()).toString(),
                    outcome.changed() ? new Badge("badge-good", done(action)) : new Badge("badge-warn", "Not changed"),
                    outcome.message() == null ? "" : outcome.message());
        }
    }
}
