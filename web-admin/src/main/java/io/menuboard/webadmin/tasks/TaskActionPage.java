package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/action}: the question before something is done to a task.
 *
 * @param takesWorker whether there is a field for the worker
 * @param takesReason whether there is a field for the reason
 * @param danger whether the button says that something ends
 * @param key makes two submissions of this form one
 * @param problem what is wrong with what was sent, or null
 */
record TaskActionPage(
        String id,
        String shortId,
        String href,
        String action,
        String type,
        Badge status,
        String summary,
        String question,
        String consequence,
        String confirmation,
        boolean takesWorker,
        boolean takesReason,
        boolean danger,
        String key,
        String worker,
        String reason,
        int maxReason,
        @Nullable Problem problem) {

    static TaskActionPage of(
            TaskAction action, Task task, String key, String worker, String reason, @Nullable Problem problem) {
        return new TaskActionPage(
                task.id().value(),
                TaskWords.shortId(task),
                Link.to("tasks", task.id().value()).toString(),
                Link.to("tasks", task.id().value(), action.path()).toString(),
                task.type().value(),
                TaskWords.badge(task.status()),
                TaskWords.summary(task),
                action.question(),
                action.consequence(),
                action.confirmation(),
                action == TaskAction.REASSIGN,
                action != TaskAction.CLONE,
                action == TaskAction.CANCEL,
                key,
                worker,
                reason,
                TaskEvent.MAX_REASON,
                problem);
    }

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
