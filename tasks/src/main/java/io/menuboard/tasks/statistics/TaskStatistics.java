package io.menuboard.tasks.statistics;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.LazyStreams;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.DynamoTaskTypes;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of queues, and counts of what happened to tasks lately. Reads take {@link Permission#TASKS_READ} for everything.
 * Thread-safe.
 */
public final class TaskStatistics {
    private static final Access SYSTEM = Access.ofSystem("tasks", Actor.Source.SCHEDULER);
    private static final int TYPES_AT_ONCE = 32;
    private static final Duration BACKLOG_VALIDITY = Duration.ofMinutes(3);

    private final TaskReads reads;
    private final DynamoTaskTypes types;
    private final DynamoTaskCounts counts;
    private final TaskLimits limits;
    private volatile @Nullable TaskBacklog backlog;

    TaskStatistics(TaskReads reads, DynamoTaskTypes types, DynamoTaskCounts counts, TaskLimits limits) {
        this.reads = reads;
        this.types = types;
        this.counts = counts;
        this.limits = limits;
    }

    /**
     * State of every queue, by type. As dear as reading the pending tasks, up to a configured number of each; a request for each
     * shard that has few or none.
     */
    public List<QueueStatistics> queues(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        var now = reads.now();
        var claims = counts.since(now.minus(1, ChronoUnit.MINUTES)).stream()
                .collect(Collectors.groupingBy(TaskCounts::type, Collectors.summingLong(TaskCounts::claimed)));
        var seconds = 60.0
                + Duration.between(now.truncatedTo(ChronoUnit.MINUTES), now).toSeconds();
        return Concurrently.map(TYPES_AT_ONCE, types.all(), type -> {
            var shards = reads.pending(access, type);
            return new QueueStatistics(
                    type,
                    shards.stream().mapToLong(shard -> shard.count().count()).sum(),
                    shards.stream().anyMatch(shard -> shard.count().precision() == Count.Precision.AT_LEAST),
                    shards.stream()
                            .flatMap(shard -> Stream.ofNullable(shard.oldest()))
                            .min(Comparator.naturalOrder())
                            .orElse(null),
                    claims.getOrDefault(type, 0L) / seconds);
        });
    }

    /** Counts of each minute from then on, by type, oldest first. */
    public List<TaskCounts> counts(Access access, Instant from) {
        access.requireForAll(Permission.TASKS_READ);
        return counts.since(from);
    }

    /** A page of {@link #counts(Access, Instant)}; costs as much. */
    public Page<TaskCounts> counts(Access access, Instant from, PageRequest page) {
        access.requireForAll(Permission.TASKS_READ);
        return counts.since(from, page);
    }

    /**
     * The backlog, as this instance last measured it; empty where it has not done so for three minutes,
     * because others did, or the table was away. No request.
     */
    public Optional<TaskBacklog> backlog(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        return Optional.ofNullable(backlog)
                .filter(measured -> measured.at().plus(BACKLOG_VALIDITY).isAfter(reads.now()));
    }

    /**
     * Measures how far behind the work is: what {@link TaskReads#nextInLine} costs for each type, and two read units for each
     * shard. Types that wait stay registered.
     */
    public void measureBacklog() {
        var now = reads.now();
        var waiting = new HashMap<Boolean, Instant>();
        for (var type : types.all()) {
            reads.nextInLine(SYSTEM, type)
                    .map(Task::availableAt)
                    .min(Comparator.naturalOrder())
                    .ifPresent(since -> {
                        if (!type.isDelivery()) {
                            waiting.merge(type.isOperation(), since, (one, other) -> one.isBefore(other) ? one : other);
                        }
                        types.register(type, now);
                    });
        }
        backlog = new TaskBacklog(
                now,
                waiting.get(false),
                waiting.get(true),
                reads.nextDue(SYSTEM)
                        .flatMap(task -> time(task).stream())
                        .filter(time -> time.isBefore(now))
                        .min(Comparator.naturalOrder())
                        .orElse(null),
                deadOperations(SYSTEM).limit(limits.countAtMost()).count());
    }

    /** When it is to be moved; empty where it waits for somebody else. */
    private static Optional<Instant> time(Task task) {
        return switch (task) {
            case Task.Scheduled scheduled -> Optional.of(scheduled.availableAt());
            case Task.Running running -> Optional.of(running.lease().endsAt());
            case Task.Pending _, Task.Finished _ -> Optional.empty();
        };
    }

    /**
     * The operations that gave up, by type, without those that a server of somebody else has failed; half a read unit for each
     * shard of each type of operation.
     */
    public Stream<Task> deadOperations(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        return LazyStreams.flatMap(
                types.all().stream().filter(TaskType::isInternal),
                type -> reads.all(access, new TaskFilter(TaskStatus.DEAD, type, null, null, null, null)));
    }

    /** Writes the counts that have come together in this instance: one write unit for each type. */
    public void flush() {
        counts.flush();
    }

    /** Server time, to the millisecond. */
    public Instant now() {
        return reads.now();
    }
}
