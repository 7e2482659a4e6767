package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import io.menuboard.tasks.TaskData.Attempts;
import io.menuboard.tasks.TaskData.Submission;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work, in the state in which it was read. A state has what only it has, as a {@link Running} task its lease;
 * its other accessors answer null then. Methods that make a {@link TaskTransition} change nothing: a store saves it.
 * Instants are server time, to the millisecond.
 */
public sealed interface Task {

    /** A task whose work is not done yet. */
    sealed interface Unfinished extends Task {
        @Override
        default Set<TaskAction> allowed() {
            return type().isOperation()
                    ? EnumSet.of(TaskAction.CANCEL)
                    : EnumSet.of(TaskAction.CANCEL, TaskAction.REASSIGN, TaskAction.CLONE);
        }

        /** Ends it, also while a worker has it. */
        default TaskTransition cancel(Step step) {
            return new TaskTransition.Cancel(this, step);
        }

        /** Takes it from the worker that has it, if any, and keeps it for another one until then. */
        default TaskTransition reserve(WorkerId worker, Instant until, Step step) {
            return new TaskTransition.Reserve(this, worker, until, step);
        }
    }

    /** Ready: the first worker to claim it has it. */
    record Pending(TaskData data) implements Unfinished {
        @Override
        public TaskStatus status() {
            return TaskStatus.PENDING;
        }

        @Override
        public Task with(TaskData other) {
            return new Pending(other);
        }

        @Override
        public Optional<TaskTransition.Claim> claim(WorkerId worker, Instant leaseEnd, Step step) {
            return Optional.of(new TaskTransition.Claim(this, worker, leaseEnd, step));
        }
    }

    /**
     * Its time has not come: it was submitted for later, waits before its next attempt, or is kept for one worker.
     *
     * @param reservedFor the only worker who may claim it until {@code availableAt}; or null
     */
    record Scheduled(TaskData data, @Nullable WorkerId reservedFor) implements Unfinished {
        @Override
        public TaskStatus status() {
            return TaskStatus.SCHEDULED;
        }

        @Override
        public Task with(TaskData other) {
            return new Scheduled(other, reservedFor);
        }

        @Override
        public Optional<TaskTransition.Claim> claim(WorkerId worker, Instant leaseEnd, Step step) {
            return worker.equals(reservedFor)
                    ? Optional.of(new TaskTransition.Claim(this, worker, leaseEnd, step))
                    : Optional.empty();
        }

        /** Lets anybody claim it. */
        public TaskTransition promote(Step step) {
            return new TaskTransition.Promote(this, step);
        }
    }

    /** A worker holds a lease on it. */
    record Running(TaskData data, Lease lease) implements Unfinished {
        private static final int MANY_FAILURES = 5;

        @Override
        public TaskStatus status() {
            return TaskStatus.RUNNING;
        }

        @Override
        public Task with(TaskData other) {
            return new Running(other, lease);
        }

        @Override
        public Task withoutToken() {
            return new Running(data.withoutSecret(), new Lease(lease.worker(), Lease.Token.NONE, lease.endsAt()));
        }

        /** Its worker has done it. */
        public TaskTransition complete(@Nullable Json result, Step step) {
            return new TaskTransition.Complete(this, result, step);
        }

        /**
         * Its worker gives it back undone.
         *
         * @param until when it may be claimed again; null for at once
         */
        public TaskTransition release(@Nullable Instant until, Step step) {
            return new TaskTransition.Requeue(this, until, failures(), step);
        }

        /** One failure more, after which it is dead where it may have no other, or trying again is no use. */
        TaskTransition fail(boolean retryable, Backoff backoff, Step step) {
            var more = failures() + 1;
            if (!retryable || more >= maxAttempts()) {
                return new TaskTransition.Bury(this, more, step);
            }
            // A worker that dies is no reason to wait; but where one after the other does, trying on is no use.
            var pause = step.kind() == Kind.FAILED || more >= MANY_FAILURES ? backoff.after(more) : Duration.ZERO;
            return new TaskTransition.Requeue(
                    this, pause.isZero() ? null : step.at().plus(pause), more, step);
        }
    }

    /** It stays as it is, unless somebody retries it. */
    record Finished(TaskData data, Outcome outcome, Instant finishedAt) implements Task {
        @Override
        public TaskStatus status() {
            return outcome.status();
        }

        @Override
        public Set<TaskAction> allowed() {
            var allowed = EnumSet.noneOf(TaskAction.class);
            if (!(outcome instanceof Outcome.Completed)) {
                allowed.add(TaskAction.RETRY);
            }
            if (!type().isOperation()) {
                allowed.add(TaskAction.CLONE);
            }
            return allowed;
        }

        @Override
        public Task with(TaskData other) {
            return new Finished(other, outcome, finishedAt);
        }

        @Override
        public @Nullable Json result() {
            return outcome instanceof Outcome.Completed completed ? completed.result() : null;
        }

        @Override
        public boolean hasResultOverflow() {
            return outcome instanceof Outcome.Completed completed && completed.isOverflow();
        }

        TaskTransition retry(Step step) {
            return new TaskTransition.Retry(this, step);
        }
    }

    /** End of a task. */
    sealed interface Outcome {
        TaskStatus status();

        /**
         * Done.
         *
         * @param result null where there is none, or where it is an overflow item, see {@link TaskReads#result}
         */
        record Completed(@Nullable Json result, boolean isOverflow) implements Outcome {
            @Override
            public TaskStatus status() {
                return TaskStatus.COMPLETED;
            }
        }

        /** Failed as often as it may, or failed for good. */
        record Dead() implements Outcome {
            @Override
            public TaskStatus status() {
                return TaskStatus.DEAD;
            }
        }

        /** Cancelled: no worker is to do it any more. */
        record Cancelled() implements Outcome {
            @Override
            public TaskStatus status() {
                return TaskStatus.CANCELLED;
            }
        }
    }

    /** Data that it has in each state. */
    TaskData data();

    /** Status in its life cycle. */
    TaskStatus status();

    /** Actions that a person can take on it now; the time of day plays no part in that. */
    Set<TaskAction> allowed();

    /** The same state of other data. */
    Task with(TaskData other);

    /** Its next attempt; empty where that worker cannot have it. */
    default Optional<TaskTransition.Claim> claim(WorkerId worker, Instant leaseEnd, Step step) {
        return Optional.empty();
    }

    /** The same without what only its worker may know: its lease is there, and cannot be acted for. */
    default Task withoutToken() {
        return with(data().withoutSecret());
    }

    /** The same, so that reading its payload needs no read. */
    default Task withPayload(Json read) {
        return with(data().payload(read));
    }

    /** True if the attempt with that token ended in that way, as far as the task remembers. */
    default boolean hasEnded(int token, Kind how) {
        return data().recent().texts().stream().anyMatch(text -> TaskEvent.tells(text, how, token));
    }

    /** True if a retry is the last that happened to it. */
    default boolean wasJustRetried() {
        return TaskEvent.tells(data().recent().texts().getLast(), Kind.RETRIED, token());
    }

    private Submission submission() {
        return data().submission();
    }

    private Attempts attempts() {
        return data().attempts();
    }

    default TaskId id() {
        return submission().id();
    }

    default TaskType type() {
        return submission().type();
    }

    default TaskPriority priority() {
        return submission().priority();
    }

    default Actor submittedBy() {
        return submission().by();
    }

    default Instant submittedAt() {
        return id().submittedAt();
    }

    /** From when it may be claimed, or might have been. */
    default Instant availableAt() {
        return data().availableAt();
    }

    /** Attempts that may fail before it is {@link TaskStatus#DEAD}. */
    default int maxAttempts() {
        return submission().maxAttempts();
    }

    /** Number of the last attempt, 0 before the first; it goes on counting over retries. */
    default int attempt() {
        return attempts().last();
    }

    /** Fencing token of the last attempt, 0 before the first; only for the worker that claimed it. */
    default int token() {
        return leaseToken().fencingToken();
    }

    /** Token of the lease of the last attempt; only for the worker that claimed it. */
    default Lease.Token leaseToken() {
        return attempts().token();
    }

    /** Failed attempts since it was submitted or last retried. */
    default int failures() {
        return attempts().failures();
    }

    /** Holder of its lease while it is {@link Running}. */
    default @Nullable Lease lease() {
        return null;
    }

    /** Last holder of its lease; null before the first attempt. */
    default @Nullable WorkerId worker() {
        return attempts().worker();
    }

    /** Start of the last attempt; null before the first. */
    default @Nullable Instant startedAt() {
        return attempts().startedAt();
    }

    /** Time at which it was {@link Finished}. */
    default @Nullable Instant finishedAt() {
        return null;
    }

    /** Null where it is an overflow item: then {@link TaskReads#payload} reads it. */
    default @Nullable Json payload() {
        return submission().payload();
    }

    /** Null where there is none, or where it is an overflow item: then {@link TaskReads#result} reads it. */
    default @Nullable Json result() {
        return null;
    }

    /** True if there is a result that is an item of its own. */
    default boolean hasResultOverflow() {
        return false;
    }

    /** Why it last failed, was cancelled or given back; or null. */
    default @Nullable String reason() {
        return data().reason();
    }

    /** Last report of the last attempt; or null. */
    default @Nullable TaskProgress progress() {
        return attempts().progress();
    }

    /** Time of that report; or null. */
    default @Nullable Instant progressAt() {
        return attempts().progressAt();
    }

    default @Nullable String idempotencyKey() {
        return submission().idempotencyKey();
    }

    /** The only worker who may claim it until {@link #availableAt}, while it is {@link Scheduled}; or null. */
    default @Nullable WorkerId reservedFor() {
        return null;
    }

    /** The task that it is a copy of; or null. */
    default @Nullable TaskId clonedFrom() {
        return submission().clonedFrom();
    }

    /** Time at which it was done, gave up, or last changed. */
    default Instant changedAt() {
        return TaskEvent.at(data().recent().texts().getLast());
    }

    /** The latest events, oldest first; {@link TaskReads#history} has all of them. */
    default List<TaskEvent> events() {
        return data().recent().read();
    }

    /** Units done for each second of the last attempt, up to its last report; 0 without one. */
    default double rate() {
        var progress = progress();
        var startedAt = startedAt();
        var progressAt = progressAt();
        if (progress == null || progressAt == null || startedAt == null) {
            return 0;
        }
        var millis = Duration.between(startedAt, progressAt).toMillis();
        return millis <= 0 ? 0 : 1000.0 * progress.done() / millis;
    }
}
