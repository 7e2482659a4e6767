package io.menuboard.tasks.claims;

import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Instant;
import java.util.List;

/**
 * A worker that has asked for work lately.
 *
 * @param types what it last asked for
 * @param firstSeen when it first asked
 * @param lastSeen when it last asked, up to a minute late, as its types are
 */
public record WorkerStatus(WorkerId worker, List<TaskType> types, Instant firstSeen, Instant lastSeen) {

    public WorkerStatus {
        types = List.copyOf(types);
    }
}
