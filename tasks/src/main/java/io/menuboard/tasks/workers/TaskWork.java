package io.menuboard.tasks.workers;

import io.menuboard.tasks.TaskType;

/**
 * Registers a handler: a context that declares a bean of this type has its tasks done in every instance.
 *
 * @param concurrency most tasks of that type that one instance works on at once, at least 1
 */
public record TaskWork(TaskType type, int concurrency, TaskHandler handler) {

    public TaskWork {
        if (concurrency < 1) {
            throw new IllegalArgumentException("tasks of type " + type + " need a concurrency of at least 1");
        }
    }
}
