package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.BulkChange;
import io.menuboard.tasks.BulkPreview;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/bulk-preview}: the question before many tasks are changed.
 *
 * @param action address that the form is sent to, with the filter
 * @param count with its noun: {@code 1,240 tasks}
 * @param key makes two submissions of this form one operation
 * @param started the operation that another submission of this form began, with another reason; or null
 */
record BulkPreviewPage(
        String question,
        String consequence,
        String filter,
        String action,
        String listHref,
        String count,
        boolean nothing,
        String confirmation,
        boolean danger,
        String sampleNote,
        List<TasksPage.Row> sample,
        String key,
        String reason,
        int maxReason,
        @Nullable Problem problem,
        @Nullable String started) {

    static BulkPreviewPage of(
            BulkChange change,
            BulkPreview preview,
            TaskFilterForm form,
            String key,
            String reason,
            @Nullable Problem problem,
            @Nullable String started,
            Instant now) {
        var verb = verb(change.action());
        var count = (preview.countIsLeast() ? "at least " : "")
                + Counts.of(preview.count())
                + (preview.count() == 1 ? " task" : " tasks");
        return new BulkPreviewPage(
                verb + " " + count + "?",
                switch (change.action()) {
                    case CANCEL -> "Nobody will do them any more. They can be retried later.";
                    case RETRY -> "They are pending again, and may fail as often as new ones. Their histories go on.";
                },
                TaskFilterForm.words(change.filter()),
                address(change.action(), form).toString(),
                form.on(Link.to("tasks")).toString(),
                count,
                preview.count() == 0,
                verb + " " + count,
                change.action() == BulkChange.Action.CANCEL,
                preview.sample().size() < preview.count()
                        ? "The first " + preview.sample().size() + " of them"
                        : "All of them",
                preview.sample().stream()
                        .map(task -> TasksPage.Row.of(task, now))
                        .toList(),
                key,
                reason,
                TaskEvent.MAX_REASON,
                problem,
                started);
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

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
