package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.statistics.QueueStatistics;
import io.menuboard.tasks.statistics.TaskStatistics;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How all queues stand and how many tasks there are, as this instance read it, two seconds ago at the most: with many types
 * that costs far more than the page of tasks that it stands above. Where the reading before is not older than {@link #OLDEST}, nobody
 * waits for a new one that takes long: who asks while it is read gets the one before, and so does who would read it, where that
 * took longer than {@link #QUICK}. A reading that fails leaves the one before as old as it is. Thread-safe.
 */
@Singleton
final class RecentCounts {
    static final Duration VALIDITY = Duration.ofSeconds(2);
    static final Duration OLDEST = Duration.ofSeconds(15);
    static final Duration QUICK = Duration.ofMillis(500);

    private static final Logger log = LoggerFactory.getLogger(RecentCounts.class);

    /** Tasks of so many types are counted with a filter, each type by itself. */
    private static final int MOST_TYPES = 50;

    /** Statuses in which tasks wait for somebody or must be seen to. */
    private static final List<TaskStatus> COUNTED =
            List.of(TaskStatus.PENDING, TaskStatus.SCHEDULED, TaskStatus.RUNNING, TaskStatus.DEAD);

    private final TaskReads tasks;
    private final TaskStatistics statistics;
    private final int mostTypes;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Reading last;

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

    /**
     * @param at when that was, by server time
     * @param byStatus number of all tasks of each status in which they wait for somebody or must be seen to
     */
    record Counts(Instant at, List<QueueStatistics> queues, Map<TaskStatus, Long> byStatus) {}

    /**
     * @param end when it was read, in nanoseconds since whenever
     * @param isQuick true if that took no longer than {@link #QUICK}
     */
    private record Reading(Counts counts, long end, boolean isQuick) {}

    /** Takes {@link Permission#TASKS_READ} for everything. */
    Counts get(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        var recent = within(VALIDITY);
        if (recent != null) {
            return recent.counts();
        }
        var older = within(OLDEST);
        if (older != null && !older.isQuick()) {
            readBeside(access);
            return older.counts();
        }
        if (!isMine(older == null ? Workload.current().patience(OLDEST) : Duration.ZERO)) {
            return older == null ? read(access) : older.counts();
        }
        try {
            return readOnce(access);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Reading within(Duration age) {
        var reading = last;
        return reading == null || nanoTime.getAsLong() - reading.end() > age.toNanos() ? null : reading;
    }

    /** True where the caller is the one who reads it now. */
    private boolean isMine(Duration patience) {
        try {
            return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void readBeside(Access access) {
        if (!lock.isLocked()) {
            Thread.ofVirtual()
                    .start(() -> Workload.BACKGROUND.run(() -> {
                        if (isMine(Duration.ZERO)) {
                            try {
                                readOnce(access);
                            } catch (RuntimeException e) {
                                log.warn("counts of tasks not read", e);
                            } finally {
                                lock.unlock();
                            }
                        }
                    }));
        }
    }

    /** Reads, for who holds the lock, unless somebody who held it before has just done so. */
    private Counts readOnce(Access access) {
        var recent = within(VALIDITY);
        if (recent != null) {
            return recent.counts();
        }
        var begun = nanoTime.getAsLong();
        var counts = read(access);
        var end = nanoTime.getAsLong();
        last = new Reading(counts, end, end - begun <= QUICK.toNanos());
        return counts;
    }

    /**
     * Number of tasks of each of those statuses, with the form's filter; none where that would take asking for each of very many types.
     */
    Map<TaskStatus, Long> counts(Access access, TaskFilterForm form) {
        if (!form.narrows()) {
            return get(access).byStatus();
        }
        var isOfVeryMany = form.type().isEmpty() && get(access).queues().size() > mostTypes;
        return isOfVeryMany ? Map.of() : count(access, COUNTED, form);
    }

    private Counts read(Access access) {
        var at = tasks.now();
        var queues = statistics.queues(access);
        var others =
                COUNTED.stream().filter(status -> status != TaskStatus.PENDING).toList();
        var byStatus = count(access, others, TaskFilterForm.of(TaskStatus.PENDING));
        byStatus.put(
                TaskStatus.PENDING,
                queues.stream().mapToLong(QueueStatistics::pending).sum());
        return new Counts(at, queues, byStatus);
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
