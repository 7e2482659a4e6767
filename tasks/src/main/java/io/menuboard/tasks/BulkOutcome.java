package io.menuboard.tasks;

import org.jspecify.annotations.Nullable;

/**
 * What became of one task of a bulk operation.
 *
 * @param message why it was not changed; null where it was
 */
public record BulkOutcome(
        TaskId task, boolean changed, @Nullable String message) {}
