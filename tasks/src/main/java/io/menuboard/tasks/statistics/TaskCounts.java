package io.menuboard.tasks.statistics;

import io.menuboard.tasks.TaskType;
import java.time.Instant;

/**
 * Counts of what happened to tasks in one minute, as far as it has been reported: instances report every few
 * seconds, and one that is killed takes its last seconds with it.
 *
 * @param minute its beginning, UTC
 * @param failed attempts that failed, expired leases among them
 */
public record TaskCounts(
        Instant minute, TaskType type, long submitted, long claimed, long completed, long failed, long dead) {

    /** Kind of count. */
    enum Count {
        SUBMITTED,
        CLAIMED,
        COMPLETED,
        FAILED,
        DEAD
    }
}
