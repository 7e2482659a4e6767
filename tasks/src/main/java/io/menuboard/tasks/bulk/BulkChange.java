package io.menuboard.tasks.bulk;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;

/**
 * One change to every task that a filter finds, however many pages that is; to Menuboard's own operations only where the
 * filter names their type.
 *
 * @param reason why, for the history of each task; 1 to {@value TaskEvent#MAX_REASON} characters
 */
public record BulkChange(Action action, TaskFilter filter, String reason) {

    /** Throws {@link InvalidInput} naming field and rule. */
    public BulkChange {
        var allowed =
                switch (action) {
                    case CANCEL -> !filter.status().isFinished();
                    case RETRY -> filter.status() == TaskStatus.DEAD || filter.status() == TaskStatus.CANCELLED;
                };
        if (!allowed) {
            throw new InvalidInput(
                    "INVALID_FILTER",
                    "status",
                    "must be one of tasks that can be "
                            + (action == Action.CANCEL
                                    ? "cancelled: SCHEDULED, PENDING or RUNNING"
                                    : "retried: DEAD or CANCELLED"));
        }
        TaskEvent.checkReason(reason);
    }

    /**
     * True if its filter names an idempotency key. Only earlier versions began such a change: keys are of principals, and a
     * key alone does not tell whose.
     */
    boolean hasKey() {
        return filter.idempotencyKey() != null;
    }

    /** True of a task that it is to change, as that is now. */
    boolean reaches(Task task) {
        return task.status() == filter.status()
                && filter.matches(task)
                && (!task.type().isOperation() || task.type().equals(filter.type()));
    }

    /** Action on each task. */
    public enum Action {
        /** As {@link TaskAdministration#cancel}. */
        CANCEL(TaskEvent.Kind.CANCELLED),
        /** As {@link TaskAdministration#retry}. */
        RETRY(TaskEvent.Kind.RETRIED);

        private final TaskEvent.Kind kind;

        Action(TaskEvent.Kind kind) {
            this.kind = kind;
        }

        TaskEvent.Kind kind() {
            return kind;
        }
    }
}
