package io.menuboard.webadmin.tasks;

import io.menuboard.tasks.Task;
import io.menuboard.tasks.claims.WorkerStatus;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/worker}.
 *
 * @param everything whether all workers are in sight, and not only some
 * @param seen what is known of it; null where it has not asked for work within a day
 */
record WorkerPage(
        boolean everything,
        String worker,
        String href,
        @Nullable Seen seen,
        Listing list,
        List<Row> rows) {

    /** When it asked for work, and for which. */
    record Seen(String types, String first, String last, String age) {
        static Seen of(WorkerStatus status, Instant now) {
            return new Seen(
                    WorkersPage.typeNames(status),
                    Moments.utcSeconds(status.firstSeen()),
                    Moments.utcSeconds(status.lastSeen()),
                    Moments.ago(status.lastSeen(), now));
        }
    }

    /** @param left how long its lease lasts */
    record Row(String id, String href, String type, int attempt, String started, String left) {
        static Row of(Task task, Instant now) {
            return new Row(
                    TaskWords.shortId(task),
                    Link.to("tasks", task.id().value()).toString(),
                    task.type().value(),
                    task.attempt(),
                    task.startedAt() == null ? "" : Moments.utcSeconds(task.startedAt()),
                    TaskWords.left(task, now));
        }
    }
}
