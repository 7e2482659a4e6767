package io.menuboard.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.tasks.DynamoTasks.Beside;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.SubmitTask.Audited;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes that people make to tasks, also to those that workers have. Each leaves an audit record in the transaction that makes the change,
 * and takes {@link Permission#TASKS_OPERATE} for all tasks. Thread-safe.
 */
public final class TaskAdministration {
    private static final int RACES = 8;

    private final DynamoTasks store;
    private final TaskSubmission submission;
    private final TaskSteps steps;
    private final TasksConfig config;

    TaskAdministration(DynamoTasks store, TaskSubmission submission, TaskSteps steps, TasksConfig config) {
        this.store = store;
        this.submission = submission;
        this.steps = steps;
        this.config = config;
    }

    /**
     * Ends a task that is not finished; a worker that is at it has lost its lease. One that is cancelled already stays as it is: who
     * asks again has what it asks for. Two read units, seven write units, of which three are for the audit record, and another one
     * where whoever asks has an id; one read unit where it stays as it is.
     *
     * @throws InvalidInput {@code INVALID_REASON}
     */
    public TaskResult cancel(Access access, TaskId id, @Nullable String reason) {
        return cancel(access, id, reason, _ -> true, Beside.NONE);
    }

    /**
     * As {@link #cancel(Access, TaskId, String)}, and only a task that is one of these in the state that the change ends.
     *
     * @param beside what else the transaction does
     * @throws ConditionFailed where it is one of these whose condition does not hold; nothing is changed then
     */
    public TaskResult cancel(Access access, TaskId id, @Nullable String reason, Predicate<Task> these, Beside beside) {
        var request = new Request(TaskAction.CANCEL, Kind.CANCELLED, null, reason, actor(access), these, beside);
        return change(
                id,
                request,
                "must not be finished",
                (task, step) -> task instanceof Task.Unfinished unfinished ? unfinished.cancel(step) : null);
    }

    /**
     * Lets a task that is dead or cancelled be tried again as often as a new one. Its history and its attempts go on. One that was
     * cancelled before the time that it was submitted for waits for that again. One to which nothing has happened since it was
     * retried stays as it is. Cost as of {@link #cancel}.
     *
     * @throws InvalidInput {@code INVALID_REASON}
     */
    public TaskResult retry(Access access, TaskId id, @Nullable String reason) {
        return retry(access, id, reason, _ -> true, Beside.NONE);
    }

    /**
     * As {@link #retry(Access, TaskId, String)}, and only a task that is one of these in the state that the change ends.
     *
     * @param beside what else the transaction does
     * @throws ConditionFailed where it is one of these whose condition does not hold; nothing is changed then
     */
    public TaskResult retry(Access access, TaskId id, @Nullable String reason, Predicate<Task> these, Beside beside) {
        var request = new Request(TaskAction.RETRY, Kind.RETRIED, null, reason, actor(access), these, beside);
        return change(
                id,
                request,
                "must be dead or cancelled",
                (task, step) -> task instanceof Task.Finished finished ? finished.retry(step) : null);
    }

    /**
     * Takes a task from the worker that has it, if any, and keeps it for another, who is given it when it next asks for tasks of its
     * type; where it does not ask for {@code menuboard.tasks.reservation}, anybody may have it. A scheduled task waits for its time
     * no longer. One that is kept for that worker already, or that it has, stays as it is: who asks again has what it asks for.
     * Cost as of {@link #cancel}, and two write units for the worker's item.
     *
     * @throws InvalidInput {@code INVALID_REASON}, {@code RESERVED_TYPE} for one of Menuboard's own operations, or
     *     {@code RESERVED_WORKER} for one of its own workers
     */
    public TaskResult reassign(Access access, TaskId id, WorkerId worker, @Nullable String reason) {
        var request = new Request(
                TaskAction.REASSIGN, Kind.REASSIGNED, worker, reason, actor(access), _ -> true, Beside.NONE);
        worker.requireClients("worker");
        return change(id, request, "must not be finished", (task, step) -> {
            task.type().requireClients("id");
            return task instanceof Task.Unfinished unfinished
                    ? unfinished.reserve(worker, step.at().plus(config.reservation()), step)
                    : null;
        });
    }

    /** True if nobody else can have it: it is kept for that worker, or leased to it. */
    private static boolean isWith(@Nullable WorkerId worker, Task task, Instant now) {
        return switch (task) {
            case Task.Scheduled scheduled ->
                worker != null && worker.equals(scheduled.reservedFor()) && now.isBefore(scheduled.availableAt());
            case Task.Running running ->
                running.lease().worker().equals(worker)
                        && now.isBefore(running.lease().endsAt());
            case Task.Pending _, Task.Finished _ -> false;
        };
    }

    private static Actor actor(Access access) {
        access.requireForAll(Permission.TASKS_OPERATE);
        return access.actor();
    }

    private record Request(
            TaskAction action,
            Kind kind,
            @Nullable WorkerId worker,
            @Nullable String reason,
            Actor actor,
            Predicate<Task> these,
            Beside beside) {

        /** True if the task is as whoever asks wants it, so that a request that comes twice changes nothing the second time. */
        boolean isDone(Task task, Instant now) {
            return switch (action) {
                case CANCEL -> task.status() == TaskStatus.CANCELLED;
                case RETRY -> task.wasJustRetried();
                case REASSIGN -> isWith(worker, task, now);
                case CLONE -> false;
            };
        }

        Audited audited() {
            var details = new HashMap<String, String>();
            if (reason != null) {
                details.put("reason", reason);
            }
            if (worker != null) {
                details.put("worker", worker.value());
            }
            return new Audited("task " + kind.name().toLowerCase(Locale.ROOT), details);
        }
    }

    /** @param transition null where the task's state has none such */
    private TaskResult change(
            TaskId id, Request request, String rule, BiFunction<Task, Step, @Nullable TaskTransition> transition) {
        TaskEvent.checkReason(request.reason());
        var found = store.find(id, Consistency.STRONG);
        for (var race = 0; race < RACES && found.isPresent(); race++) {
            var task = found.get();
            if (!request.these().test(task)) {
                return new TaskResult.NotAllowed(task, "id must be of a task that nothing else has changed meanwhile");
            }
            var step = steps.step(request.kind(), request.actor(), request.worker(), request.reason());
            if (request.isDone(task, step.at())) {
                return new TaskResult.Done(task.withoutToken());
            }
            var next = transition.apply(task, step);
            if (next == null || !task.allowed().contains(request.action())) {
                return new TaskResult.NotAllowed(task, "id " + rule + ", but task " + id + " is " + task.status());
            }
            switch (steps.save(next, request.audited(), request.beside())) {
                case Changed.Made(var now) -> {
                    // A worker may have claimed it since.
                    return new TaskResult.Done(now.withoutToken());
                }
                // A worker was quicker with a step of its own: the next round sees whether it may still be done.
                case Changed.Refused(var current) -> found = Optional.of(current);
                case Changed.Absent() -> found = Optional.empty();
                case Changed.Unreadable(var why) -> throw why;
            }
        }
        return found.<TaskResult>map(task -> new TaskResult.NotAllowed(
                        task, "id must be of a task that is left alone for a moment; try again"))
                .orElseGet(() -> new TaskResult.NotFound(id));
    }

    /**
     * Makes a new task like this one, at once and once for each idempotency key, which may be null; empty where there is
     * no such task. One read unit, or two, and the cost of {@link TaskSubmission#submit(Access, SubmitTask, Audited)}.
     */
    public Optional<SubmitResult> cloneTask(Access access, TaskId id, @Nullable String idempotencyKey) {
        access.requireForAll(Permission.TASKS_OPERATE);
        return store.find(id, Consistency.STRONG).map(task -> {
            try {
                task.type().requireClients("id");
            } catch (InvalidInput e) {
                return new SubmitResult.Invalid(e);
            }
            var command = new SubmitTask(
                    task.type(),
                    store.overflow().payload(task),
                    task.priority(),
                    null,
                    task.maxAttempts(),
                    idempotencyKey);
            return submission.submit(access, command, id, new Audited("task cloned", Map.of("from", id.value())));
        });
    }
}
