package io.menuboard.tasks.workers;

import io.menuboard.tasks.Json;
import org.jspecify.annotations.Nullable;

/** Does the work of tasks of one type, in this process. Thread-safe. */
@FunctionalInterface
public interface TaskHandler {

    /**
     * Does the work of one task, on a thread of its own. What it does may be done again: after it has returned and
     * before that is known, the process may die.
     *
     * @return what came of it, or null
     * @throws TaskFailed when it could not be done; any other exception is a fault that is logged, and tried again
     * @throws InterruptedException when it was interrupted to stop: the lease was lost, the task was cancelled, or the process
     *     is ending, and the task then goes back undone
     */
    @Nullable
    Json handle(TaskRun run) throws TaskFailed, InterruptedException;
}
