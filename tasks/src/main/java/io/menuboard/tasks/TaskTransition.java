package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A step in a task's life that was decided on, and is not saved yet: {@link DynamoTasks#save} does that. */
public sealed interface TaskTransition {

    /** The state that it leaves. */
    Task from();

    /** Its actor, time and reason. */
    Step step();

    /** The state that it leads to. */
    TaskStatus to();

    /**
     * Action with its actor, time and reason.
     *
     * @param worker whom it concerns, or null
     */
    record Step(
            TaskEvent.Kind kind,
            Actor actor,
            Instant at,
            @Nullable WorkerId worker,
            @Nullable String reason) {

        /** What the history says of it; not numbered yet. */
        TaskEvent event(TaskStatus status, int attempt) {
            return new TaskEvent(0, at, kind, status, actor, attempt, worker, reason);
        }
    }

    /** A worker has it until its lease ends. */
    record Claim(Task from, WorkerId worker, Instant leaseEnd, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.RUNNING;
        }
    }

    /** Its worker has done it. */
    record Complete(Task.Running from, @Nullable Json result, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.COMPLETED;
        }
    }

    /**
     * An attempt ends without success, and there may be another one.
     *
     * @param until when it may be claimed again; null for at once
     */
    record Requeue(Task.Running from, @Nullable Instant until, int failures, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return until == null ? TaskStatus.PENDING : TaskStatus.SCHEDULED;
        }

        Instant availableAt() {
            return until == null ? step.at() : until;
        }
    }

    /** An attempt ends without success, and the task with it. */
    record Bury(Task.Running from, int failures, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.DEAD;
        }
    }

    /** Its time has come. */
    record Promote(Task.Scheduled from, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.PENDING;
        }
    }

    /** Cancelled: no worker is to do it any more. */
    record Cancel(Task.Unfinished from, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.CANCELLED;
        }
    }

    /** It may fail as often as a new one; where it was cancelled before the time that it was submitted for, at that time. */
    record Retry(Task.Finished from, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return isBeforeItsTime() ? TaskStatus.SCHEDULED : TaskStatus.PENDING;
        }

        Instant availableAt() {
            return isBeforeItsTime() ? from.availableAt() : step.at();
        }

        /** One that was attempted before waited for its next attempt at most. */
        private boolean isBeforeItsTime() {
            return from.outcome() instanceof Task.Outcome.Cancelled
                    && from.attempt() == 0
                    && from.availableAt().isAfter(step.at());
        }
    }

    /** It is kept for one worker until then. */
    record Reserve(Task.Unfinished from, WorkerId worker, Instant until, Step step) implements TaskTransition {
        @Override
        public TaskStatus to() {
            return TaskStatus.SCHEDULED;
        }
    }
}
