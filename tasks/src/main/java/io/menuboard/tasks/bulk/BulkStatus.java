package io.menuboard.tasks.bulk;

import io.menuboard.tasks.Task;

/**
 * Progress of a bulk operation.
 *
 * @param task that does it; cancelling it ends the operation, and what is changed stays so
 * @param changed tasks that it has changed so far, as of its last progress: some seconds late while it runs, and too few for ever
 *     where it was cancelled or is dead; {@link BulkOperations#outcomes} has each
 * @param unchanged tasks that it has left as they were, as late; their outcomes say why
 */
public record BulkStatus(Task task, BulkChange change, long changed, long unchanged) {}
