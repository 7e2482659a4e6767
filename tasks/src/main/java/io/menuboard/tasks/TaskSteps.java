package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Consistency;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.TaskCounts.Count;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Saves transitions, and does in this instance what follows from them: counts them, forgets the task that a worker held,
 * and offers one that is pending again to a claim that waits. Thread-safe.
 */
final class TaskSteps {
    private static final long HELD_BYTES = 32_000_000;
    private static final int TASK_BYTES = 2_000;

    private final DynamoTasks store;
    private final TaskQueue queue;
    private final DynamoTaskCounts counts;
    private final Clock clock;

    /** Tasks as they were claimed here, so that completing them needs no read. */
    private final Cache<TaskId, Task> held = Caffeine.newBuilder()
            .maximumWeight(HELD_BYTES)
            .weigher((TaskId _, Task task) -> TASK_BYTES
                    + (task.payload() == null ? 0 : 2 * task.payload().text().length()))
            .build();

    /** @param clock server time, to the millisecond */
    TaskSteps(DynamoTasks store, TaskQueue queue, DynamoTaskCounts counts, Clock clock) {
        this.store = store;
        this.queue = queue;
        this.counts = counts;
        this.clock = clock;
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

    /** Saves a transition, and does what follows from it. */
    Changed save(TaskTransition transition) {
        var changed = store.save(transition);
        if (changed instanceof Changed.Made(var task)) {
            held.invalidate(task.id());
            switch (transition.step().kind()) {
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
}
