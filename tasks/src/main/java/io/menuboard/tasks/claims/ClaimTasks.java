package io.menuboard.tasks.claims;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks for work.
 *
 * @param types at least one
 * @param max most tasks, at least 1
 * @param maxWait how long to wait for a task where there is none; zero for not at all
 * @param lease how long the claims are to last; null for the configured time
 */
public record ClaimTasks(
        WorkerId worker,
        List<TaskType> types,
        int max,
        Duration maxWait,
        @Nullable Duration lease) {

    /** Throws {@link InvalidInput} naming field and rule. */
    public ClaimTasks {
        types = types.stream().distinct().toList();
        if (types.isEmpty()) {
            throw new InvalidInput("INVALID_TYPES", "types", "must name at least one type of task");
        }
        if (max < 1) {
            throw new InvalidInput("INVALID_MAX", "max", "must be at least 1, not " + max);
        }
        if (maxWait.isNegative()) {
            throw new InvalidInput("INVALID_WAIT", "waitSeconds", "must not be negative");
        }
    }
}
