package io.menuboard.tasks.bulk;

import io.menuboard.tasks.Task;

/**
 * Progress of a bulk operation.
 *
 * @param task that does it; cancelling it ends the operation, and what is changed stays so
 * @param changed tasks that it has changed so far, some seconds late while it runs
 * @param unchanged tasks that something else had changed before it came to them
 */
public record BulkStatus(Task task, BulkChange change, long changed, long unchanged) {}
