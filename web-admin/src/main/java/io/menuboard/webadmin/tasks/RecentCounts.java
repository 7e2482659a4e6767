package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.statistics.QueueStatistics;
import io.menuboard.tasks.statistics.TaskStatistics;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How all queues stand and how many tasks there are, as this instance read it, two seconds ago at the most: with many types
 * that costs far more than the page of tasks that it stands above. Who asks meanwhile waits for the same reading. Thread-safe.
 */
@Singleton
final class RecentCounts {
    static final Duration VALIDITY = Duration.ofSeconds(2);

    /** Statuses in which tasks wait for somebody or must be seen to. */
    static final List<TaskStatus> COUNTED =
            List.of(TaskStatus.PENDING, TaskStatus.SCHEDULED, TaskStatus.RUNNING, TaskStatus.DEAD);

    private final TaskReads tasks;
    private final TaskStatistics statistics;
    private final LongSupplier nanoTime;
    private @Nullable Counts last;
    private long readAt;

    @Inject
    RecentCounts(TaskReads tasks, TaskStatistics statistics) {
        this(tasks, statistics, System::nanoTime);
    }

    RecentCounts(TaskReads tasks, TaskStatistics statistics, LongSupplier nanoTime) {
        this.tasks = tasks;
        this.statistics = statistics;
        this.nanoTime = nanoTime;
    }

    /** @param byStatus number of all tasks of each status that is {@link #COUNTED} */
    record Counts(List<QueueStatistics> queues, Map<TaskStatus, Long> byStatus) {}

    /** Takes {@link Permission#TASKS_READ} for everything. */
    synchronized Counts get(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        var counts = last;
        if (counts == null || nanoTime.getAsLong() - readAt > VALIDITY.toNanos()) {
            readAt = nanoTime.getAsLong();
            counts = read(access);
            last = counts;
        }
        return counts;
    }

    private Counts read(Access access) {
        var queues = statistics.queues(access);
        var byStatus = new EnumMap<TaskStatus, Long>(TaskStatus.class);
        for (var status : COUNTED) {
            if (status == TaskStatus.PENDING) {
                byStatus.put(
                        status,
                        queues.stream().mapToLong(QueueStatistics::pending).sum());
            } else {
                tasks.count(access, TaskFilter.of(status), TasksPage.Tab.COUNTED_AT_MOST)
                        .ifPresent(count -> byStatus.put(status, count));
            }
        }
        return new Counts(queues, byStatus);
    }
}
