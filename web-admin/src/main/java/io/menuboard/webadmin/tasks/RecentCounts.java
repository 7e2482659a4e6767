package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
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

    /** Tasks of so many types are counted with a filter, each type by itself. */
    private static final int MOST_TYPES = 50;

    /** Statuses in which tasks wait for somebody or must be seen to. */
    private static final List<TaskStatus> COUNTED =
            List.of(TaskStatus.PENDING, TaskStatus.SCHEDULED, TaskStatus.RUNNING, TaskStatus.DEAD);

    private final TaskReads tasks;
    private final TaskStatistics statistics;
    private final int mostTypes;
    private final LongSupplier nanoTime;
    private @Nullable Counts last;
    private long readAt;

    @Inject
    RecentCounts(TaskReads tasks, TaskStatistics statistics) {
        this(tasks, statistics, MOST_TYPES, System::nanoTime);
    }

    RecentCounts(TaskReads tasks, TaskStatistics statistics, int mostTypes, LongSupplier nanoTime) {
        this.tasks = tasks;
        this.statistics = statistics;
        this.mostTypes = mostTypes;
        this.nanoTime = nanoTime;
    }

    /** @param byStatus number of all tasks of each status in which they wait for somebody or must be seen to */
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

    /**
     * Number of tasks of each of those statuses, with the form's filter; none where that would take asking for each of very many types.
     */
    Map<TaskStatus, Long> counts(Access access, TaskFilterForm form) {
        var all = get(access);
        if (!form.narrows()) {
            return all.byStatus();
        }
        return form.type().isEmpty() && all.queues().size() > mostTypes ? Map.of() : count(access, COUNTED, form);
    }

    private Counts read(Access access) {
        var queues = statistics.queues(access);
        var others =
                COUNTED.stream().filter(status -> status != TaskStatus.PENDING).toList();
        var byStatus = count(access, others, TaskFilterForm.of(TaskStatus.PENDING));
        byStatus.put(
                TaskStatus.PENDING,
                queues.stream().mapToLong(QueueStatistics::pending).sum());
        return new Counts(queues, byStatus);
    }

    private Map<TaskStatus, Long> count(Access access, List<TaskStatus> statuses, TaskFilterForm form) {
        var counts = new EnumMap<TaskStatus, Long>(TaskStatus.class);
        for (var status : statuses) {
            tasks.count(access, form.in(status).filter(), TasksPage.Tab.COUNTED_AT_MOST)
                    .ifPresent(count -> counts.put(status, count));
        }
        return counts;
    }
}
