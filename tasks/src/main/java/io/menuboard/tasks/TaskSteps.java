package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.DynamoTasks.Beside;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.SubmitTask.Audited;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Saves transitions, and tells this instance's {@linkplain TaskListener listeners} of them. Remembers the tasks that were
 * claimed here, so that completing them needs no read. Thread-safe.
 */
public final class TaskSteps {
    private static final long HELD_BYTES = 32_000_000;
    private static final int TASK_BYTES = 2_000;

    private final DynamoTasks store;
    private final List<TaskListener> listeners;
    private final Backoff backoff;
    private final Clock clock;

    /** Tasks as they were claimed here. */
    private final Cache<TaskId, Task> held = Caffeine.newBuilder()
            .maximumWeight(HELD_BYTES)
            .weigher((TaskId _, Task task) -> TASK_BYTES
                    + (task.payload() == null ? 0 : 2 * task.payload().text().length()))
            .build();

    /** @param clock server time, to the millisecond */
    TaskSteps(DynamoTasks store, List<TaskListener> listeners, Backoff backoff, Clock clock) {
        this.store = store;
        this.listeners = List.copyOf(listeners);
        this.backoff = backoff;
        this.clock = clock;
    }

    /** Server time, to the millisecond. */
    public Instant now() {
        return clock.instant();
    }

    /** A step that is taken now. */
    public Step step(Kind kind, Actor actor, @Nullable WorkerId worker, @Nullable String reason) {
        return new Step(kind, actor, now(), worker, reason);
    }

    void submitted(Task task) {
        listeners.forEach(listener -> listener.submitted(task));
    }

    /** Says that this instance gave a task to a worker. */
    public void claimed(Task task) {
        held.put(task.id(), task);
        listeners.forEach(listener -> listener.claimed(task));
    }

    /** The task as it was claimed here with that token, and else as the table has it. */
    public Optional<Task> held(TaskId id, int token) {
        var here = held.getIfPresent(id);
        return here != null && here.token() == token ? Optional.of(here) : store.find(id, Consistency.STRONG);
    }

    /** A failure of a running task: another attempt after a pause, or its end. */
    public TaskTransition failure(Task.Running task, boolean retryable, Step step) {
        return task.fail(retryable, backoff, step);
    }

    /** Saves a transition other than a claim, and tells the listeners. */
    public Changed save(TaskTransition transition) {
        return save(transition, null, Beside.NONE);
    }

    /** The same with an audit record, if any, of which there is never one without the other, nor without what is beside it. */
    Changed save(TaskTransition transition, @Nullable Audited audited, Beside beside) {
        var changed = store.save(transition, audited, beside);
        if (changed instanceof Changed.Made(var task)) {
            held.invalidate(task.id());
            // It is done, so that they hear of it also where whoever waited has gone.
            Workload.BACKGROUND.run(() -> listeners.forEach(listener -> listener.changed(transition, task)));
        }
        return changed;
    }
}
