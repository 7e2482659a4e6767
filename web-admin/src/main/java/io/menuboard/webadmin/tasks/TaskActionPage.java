package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/action}: the question before something is done to a task.
 *
 * @param worker null where there is no field for one
 * @param reason null where there is no field for one
 * @param problem what is wrong with what was sent, or null
 */
record TaskActionPage(
        Confirmation confirmation,
        String id,
        String type,
        Badge status,
        String summary,
        @Nullable String worker,
        @Nullable String reason,
        int maxReason,
        @Nullable Problem problem) {

    /** @param key makes one clone of two submissions of this form; other actions leave a task that is as they want it alone */
    static TaskActionPage of(
            TaskAction action, Task task, String key, String worker, String reason, @Nullable Problem problem) {
        var id = task.id().value();
        var page = Link.to("tasks", id);
        return new TaskActionPage(
                Confirmation.of(
                                List.of(
                                        Reference.of("Tasks", Link.to("tasks")),
                                        Reference.of(TaskWords.shortId(task), page)),
                                action.question(),
                                action.consequence(),
                                action.confirmation(),
                                Link.to("tasks", id, action.path()),
                                Reference.of("Back to the task", page))
                        .with("key", key)
                        .dangerous(action == TaskAction.CANCEL),
                id,
                task.type().value(),
                TaskWords.badge(task.status()),
                TaskWords.summary(task),
                action == TaskAction.REASSIGN ? worker : null,
                action == TaskAction.CLONE ? null : reason,
                TaskEvent.MAX_REASON,
                problem);
    }
}
