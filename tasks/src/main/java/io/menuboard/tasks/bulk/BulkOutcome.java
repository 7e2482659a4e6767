package io.menuboard.tasks.bulk;

import io.menuboard.tasks.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a bulk operation for one task.
 *
 * @param message why it was not changed; null where it was
 */
public record BulkOutcome(
        TaskId task, boolean changed, @Nullable String message) {
    static final String OPEN = "begun, and not known to be done";

    static BulkOutcome open(TaskId task) {
        return new BulkOutcome(task, false, OPEN);
    }

    /** True if it was written before the change, which may have been made since or not. */
    boolean isOpen() {
        return OPEN.equals(message);
    }
}
