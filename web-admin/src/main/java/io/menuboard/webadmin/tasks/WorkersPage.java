package io.menuboard.webadmin.tasks;

import static java.util.stream.Collectors.joining;

import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.claims.WorkerStatus;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;

/** View model of {@code tasks/workers}. */
record WorkersPage(Listing list, List<Row> rows) {

    /** @param claims how many tasks it holds */
    record Row(String worker, String href, String types, String seen, String age, String claims) {
        static Row of(WorkerStatus status, int claims, Instant now) {
            return new Row(
                    status.worker().value(),
                    Link.to("tasks", "workers", status.worker().value()).toString(),
                    typeNames(status),
                    Moments.utcSeconds(status.lastSeen()),
                    Moments.ago(status.lastSeen(), now),
                    Counts.of(claims));
        }
    }

    static String typeNames(WorkerStatus status) {
        return status.types().stream().map(TaskType::value).collect(joining(", "));
    }
}
