package io.menuboard.tasks.statistics;

import io.menuboard.tasks.TaskType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of the queue of one type.
 *
 * @param pending tasks that could be claimed, counted in the index
 * @param pendingIsLeast whether there are more than that: counting stops at a configured number
 * @param oldestPending when the oldest of them was submitted; null where there is none
 * @param claimsPerSecond over the last full minute and what has passed of this one, as far as it has been reported
 */
public record QueueStatistics(
        TaskType type,
        long pending,
        boolean pendingIsLeast,
        @Nullable Instant oldestPending,
        double claimsPerSecond) {}
