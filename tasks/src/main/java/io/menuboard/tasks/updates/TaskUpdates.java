package io.menuboard.tasks.updates;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.graphql.streams.Watches;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.reactivestreams.Publisher;

/** Tasks that somebody watches, as {@link TaskReads} finds them: one read unit per 4 KB and interval for each. Thread-safe. */
public final class TaskUpdates {
    private final Watches<Watched, Task> watches;

    TaskUpdates(TaskReads tasks, Duration interval, ScheduledExecutorService timer) {
        watches = new Watches<>(
                watched -> tasks.find(watched.access, watched.id),
                task -> task.status().isFinished(),
                interval,
                timer);
    }

    private record Watched(Access access, TaskId id) {}

    /**
     * The task as it is, and each time that it is another one, until it is finished; a subscriber that does not keep up misses
     * states between. Nothing, where it is not to be seen.
     */
    public Publisher<Task> of(Access access, TaskId id) {
        access.require(Permission.TASKS_READ);
        return watches.watch(new Watched(access, id));
    }
}
