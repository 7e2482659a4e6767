package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.bulk.BulkPreview;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.NothingPage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/bulk-preview}: the question before many tasks are changed.
 *
 * @param count with its noun: {@code 1,240 tasks}
 * @param started address of the operation that another submission of this form began, with another reason; or null
 */
record BulkPreviewPage(
        Confirmation confirmation,
        String filter,
        String count,
        Examples examples,
        String reason,
        int maxReason,
        @Nullable Problem problem,
        @Nullable String started) {

    /**
     * Fields of the form, as they were sent or empty.
     *
     * @param key makes two submissions of the form one operation
     */
    record Sent(TaskFilterForm filter, String key, String reason) {}

    static BulkPreviewPage of(
            BulkChange change,
            BulkPreview preview,
            Sent sent,
            @Nullable Problem problem,
            @Nullable Link started,
            Instant now) {
        var list = sent.filter().on(Link.to("tasks"));
        return new BulkPreviewPage(
                Confirmation.of(
                                crumbs(list),
                                question(change, preview),
                                switch (change.action()) {
                                    case CANCEL -> "Nobody will do them any more. They can be retried later.";
                                    case RETRY ->
                                        "They are pending again, or scheduled where their time is still to come, and may"
                                                + " fail as often as new ones. Their histories go on.";
                                },
                                verb(change.action()) + " " + count(preview),
                                address(change.action(), sent.filter()),
                                Reference.of("Back to the list", list))
                        .with("key", sent.key())
                        .dangerous(change.action() == BulkChange.Action.CANCEL),
                TaskFilterForm.words(change.filter()),
                count(preview),
                Examples.of(preview, now),
                sent.reason(),
                TaskEvent.MAX_REASON,
                problem,
                started == null ? null : started.toString());
    }

    /**
     * The page where nothing matches any more.
     *
     * @param started as in {@link #of}
     */
    static NothingPage nothing(BulkChange change, BulkPreview preview, TaskFilterForm filter, @Nullable Link started) {
        var list = filter.on(Link.to("tasks"));
        return new NothingPage(
                "tasks",
                crumbs(list),
                question(change, preview),
                started == null
                        ? null
                        : new NothingPage.Notice(
                                "This form was sent before, with another reason",
                                Reference.of("The operation that it began", started)),
                new Listing.Empty(
                        "Nothing matches any more",
                        "There are no " + TaskFilterForm.words(change.filter()) + ".",
                        list.toString(),
                        "Back to the list"));
    }

    private static List<Reference> crumbs(Link list) {
        return List.of(Reference.of("Tasks", Link.to("tasks")), Reference.of("The list", list));
    }

    private static String question(BulkChange change, BulkPreview preview) {
        return verb(change.action()) + " " + count(preview) + "?";
    }

    private static String count(BulkPreview preview) {
        return (preview.countIsLeast() ? "at least " : "")
                + Counts.of(preview.count())
                + (preview.count() == 1 ? " task" : " tasks");
    }

    /** Some of the tasks. */
    record Examples(String note, List<TasksPage.Row> rows) {
        static Examples of(BulkPreview preview, Instant now) {
            return new Examples(
                    preview.sample().size() < preview.count()
                            ? "The first " + preview.sample().size() + " of them"
                            : "All of them",
                    preview.sample().stream()
                            .map(task -> TasksPage.Row.of(task, now))
                            .toList());
        }
    }

    /** Address of the preview of that change to what the form asks for. */
    static Link address(BulkChange.Action action, TaskFilterForm form) {
        return form.on(Link.to("tasks", "bulk").with("action", action.name()));
    }

    static String verb(BulkChange.Action action) {
        return switch (action) {
            case CANCEL -> "Cancel";
            case RETRY -> "Retry";
        };
    }
}
