package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Consistency;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.DynamoTasks.Step;
import io.menuboard.tasks.TaskCounts.Count;
import io.menuboard.tasks.TaskEvent.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What follows in this instance from a step that was saved: it is counted, the task that a worker held is forgotten, and
 * one that is pending again is offered to a claim that waits. Thread-safe.
 */
final class TaskSteps {
    private static final int MANY_FAILURES = 5;
    private static final long HELD_BYTES = 32_000_000;
    private static final int TASK_BYTES = 2_000;

    private final DynamoTasks store;
    private final TaskQueue queue;
    private final DynamoTaskCounts counts;
    private final Clock clock;
    private final RandomGenerator random;
    private final TasksConfig config;

    /** Tasks as they were claimed here, so that completing them needs no read. */
    private final Cache<TaskId, Task> held = Caffeine.newBuilder()
            .maximumWeight(HELD_BYTES)
            .weigher((TaskId _, Task task) -> TASK_BYTES
                    + (task.payload() == null ? 0 : 2 * task.payload().text().length()))
            .build();

    /**
     * @param clock server time, to the millisecond
     * @param random spreads retries
     */
    TaskSteps(
            DynamoTasks store,
            TaskQueue queue,
            DynamoTaskCounts counts,
            Clock clock,
            RandomGenerator random,
            TasksConfig config) {
        this.store = store;
        this.queue = queue;
        this.counts = counts;
        this.clock = clock;
        this.random = random;
        this.config = config;
    }

    Instant now() {
        return clock.instant();
    }

    Step step(Kind kind, Actor actor, @Nullable WorkerId worker, @Nullable String reason) {
        return new Step(kind, actor, now(), worker, reason);
    }

    void submitted(Task task) {
        counts.add(task.type(), Count.SUBMITTED);
        queue.offer(task);
    }

    void claimed(Task task) {
        held.put(task.id(), task);
        counts.add(task.type(), Count.CLAIMED);
    }

    /** The task as it was claimed here with that token, and else as the table has it. */
    Optional<Task> held(TaskId id, int token) {
        var here = held.getIfPresent(id);
        return here != null && here.token() == token ? Optional.of(here) : store.find(id, Consistency.STRONG);
    }

    /** Does what follows from a change of that kind, if it was made; returns the change. */
    Changed saved(Kind kind, Changed changed) {
        if (changed instanceof Changed.Made(var task)) {
            held.invalidate(task.id());
            switch (kind) {
                case COMPLETED -> counts.add(task.type(), Count.COMPLETED);
                case FAILED, LEASE_EXPIRED -> {
                    counts.add(task.type(), Count.FAILED);
                    if (task.status() == TaskStatus.DEAD) {
                        counts.add(task.type(), Count.DEAD);
                    }
                }
                default -> {}
            }
            queue.offer(task);
        }
        return changed;
    }

    Changed fail(Task task, Step step, boolean retryable) {
        var failures = task.failures() + 1;
        if (!retryable || failures >= task.maxAttempts()) {
            return saved(step.kind(), store.die(task, failures, step));
        }
        // A worker that dies is no reason to wait; but where one after the other does, trying on is no use.
        var pause = step.kind() == Kind.FAILED || failures >= MANY_FAILURES ? backoff(failures) : Duration.ZERO;
        return saved(
                step.kind(), store.again(task, pause.isZero() ? null : step.at().plus(pause), failures, step));
    }

    /** Doubles with each failure, and then is between half of that and all of it. */
    private Duration backoff(int failures) {
        var most = config.backoff().toMillis();
        var limit = config.maxBackoff().toMillis();
        for (var i = 1; i < failures && most < limit; i++) {
            most *= 2;
        }
        most = Math.min(most, limit);
        return Duration.ofMillis(most - (most > 1 ? random.nextLong(most / 2) : 0));
    }
}
