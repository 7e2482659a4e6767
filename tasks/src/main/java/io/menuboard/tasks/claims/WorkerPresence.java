package io.menuboard.tasks.claims;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskListener;
import io.menuboard.tasks.TaskTransition;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Heartbeats of workers, which are the claims that they make, and the tasks that are reserved for them. A worker's item
 * is read every few seconds and written once a minute, whatever the number of its claims. Thread-safe.
 */
final class WorkerPresence implements TaskListener {
    private static final Duration READ_INTERVAL = Duration.ofSeconds(5);
    private static final Duration WRITE_INTERVAL = Duration.ofSeconds(60);
    private static final int CONCURRENT_WRITES = 16;
    private static final Logger log = LoggerFactory.getLogger(WorkerPresence.class);

    /**
     * The latest reading of a worker's item.
     *
     * @param leftBy types of claims that have left reserved tasks since, which are of other types; empty where none has
     */
    private record Reading(Instant at, Set<TaskType> leftBy) {

        Reading andLeftBy(List<TaskType> types) {
            return new Reading(
                    at, Stream.concat(leftBy.stream(), types.stream()).collect(Collectors.toUnmodifiableSet()));
        }

        /** True if there may be reserved tasks for a claim of these types among those that were left. */
        boolean hasLeftFor(List<TaskType> types) {
            return !leftBy.isEmpty() && !leftBy.containsAll(types);
        }
    }

    private final DynamoWorkers workers;
    private final InstantSource clock;
    private final Executor background;
    private final Semaphore writes = new Semaphore(CONCURRENT_WRITES);
    private final Cache<WorkerId, Reading> readings =
            Caffeine.newBuilder().maximumSize(10_000).build();

    /** @param background does what no caller is to wait for */
    WorkerPresence(DynamoWorkers workers, InstantSource clock, Executor background) {
        this.workers = workers;
        this.clock = clock;
        this.background = background;
    }

    /** Records that a worker asks for tasks of these types, and finds those that are reserved for it. */
    List<TaskId> recordHeartbeat(WorkerId worker, List<TaskType> types) {
        var now = clock.instant();
        if (!isDue(worker, types, now)) {
            return List.of();
        }
        var stored = workers.read(worker);
        write(worker, types, stored.writtenAt(), now);
        return stored.reserved();
    }

    /** Records that a worker is there, in the background. */
    void recordHeartbeat(WorkerId worker) {
        var now = clock.instant();
        if (isDue(worker, List.of(), now)) {
            inBackground(() -> {
                var stored = workers.read(worker);
                if (!stored.reserved().isEmpty()) {
                    // For the next claim that can take them.
                    readAgain(worker);
                }
                write(worker, List.of(), stored.writtenAt(), now);
            });
        }
    }

    @Override
    public void changed(TaskTransition transition, Task task) {
        if (transition instanceof TaskTransition.Reserve reserved) {
            reserve(reserved.worker(), task.id());
        }
    }

    /** Reserves a task for a worker. Where that fails, the worker does not learn of it, and anybody may have the task. */
    private void reserve(WorkerId worker, TaskId task) {
        try {
            workers.reserve(worker, task, clock.instant());
            readAgain(worker);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "reservation not recorded with its worker: worker={} task={}", worker, task);
        }
    }

    /** Forgets reservations that the worker has collected. */
    void collected(WorkerId worker, List<TaskId> tasks) {
        workers.collected(worker, Set.copyOf(tasks));
    }

    /** Lets the next heartbeat read the worker's item again. */
    void readAgain(WorkerId worker) {
        readings.invalidate(worker);
    }

    /** Lets the next heartbeat with another type read the worker's item again: a claim of these has left reserved tasks. */
    void leftByClaimOf(WorkerId worker, List<TaskType> types) {
        readings.asMap().computeIfPresent(worker, (_, latest) -> latest.andLeftBy(types));
    }

    private boolean isDue(WorkerId worker, List<TaskType> types, Instant now) {
        var latest = readings.getIfPresent(worker);
        // Later than now: the clock was set back since.
        if (latest != null
                && latest.at().plus(READ_INTERVAL).isAfter(now)
                && !latest.at().isAfter(now)) {
            return latest.hasLeftFor(types);
        }
        readings.put(worker, new Reading(now, Set.of()));
        return true;
    }

    private void write(WorkerId worker, List<TaskType> types, @Nullable Instant writtenAt, Instant now) {
        var since = now.minus(WRITE_INTERVAL);
        if (writtenAt == null || !writtenAt.isAfter(since)) {
            inBackground(() -> workers.recordHeartbeat(worker, types, now, since));
        }
    }

    /** Skips the write where many are under way already: the next heartbeat makes it. */
    private void inBackground(Runnable write) {
        if (!writes.tryAcquire()) {
            return;
        }
        background.execute(() -> {
            try {
                write.run();
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "worker's heartbeat not recorded");
            } finally {
                writes.release();
            }
        });
    }
}
