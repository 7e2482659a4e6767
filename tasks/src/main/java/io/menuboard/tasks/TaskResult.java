package io.menuboard.tasks;

import org.jspecify.annotations.Nullable;

/** Outcome of a change to one task. */
public sealed interface TaskResult {

    /** Done, now or by the same request before; the task as it is, with the token of its lease while it is running. */
    record Done(Task task) implements TaskResult {

        public Done {
            task = task instanceof Task.Running ? task : task.withoutToken();
        }
    }

    /**
     * The token is not that of the lease that there is: that has ended, or is another one. Nothing was changed.
     *
     * @param task as it is now; null where whoever asks may not see it, or there is none
     */
    record LeaseLost(TaskId id, @Nullable Task task) implements TaskResult {

        public LeaseLost {
            task = task == null ? null : task.withoutToken();
        }

        public LeaseLost(Task task) {
            this(task.id(), task);
        }
    }

    /**
     * A task of this status does not allow that. Nothing was changed.
     *
     * @param task as it is now
     * @param message names field and rule
     */
    record NotAllowed(Task task, String message) implements TaskResult {

        public NotAllowed {
            task = task.withoutToken();
        }
    }

    /** There is no such task, or not any more. */
    record NotFound(TaskId id) implements TaskResult {}
}
