package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work, as it was when it was read. Instants are by the clock of the table, to the millisecond.
 *
 * @param availableAt from when it may be claimed
 * @param maxAttempts attempts that may fail before it is {@link TaskStatus#DEAD}
 * @param attempt number of the last attempt, 0 before the first; it goes on counting over retries
 * @param token fencing token of the last attempt, 0 before the first; only who claimed it is told
 * @param failures failed attempts since it was submitted or last retried
 * @param lease who holds it, while it is {@link TaskStatus#RUNNING}; else null
 * @param worker who last held it; null before the first attempt
 * @param startedAt when the last attempt began; null before the first
 * @param finishedAt null unless its status is finished
 * @param payload null where it is too long to be kept with the rest: then {@link TaskReads#payload} reads it
 * @param result null where there is none, or where it is too long to be kept with the rest, which {@link #resultApart}
 *     tells: then {@link TaskReads#result} reads it
 * @param reason why it last failed, was cancelled or given back; or null
 * @param progress last report of the last attempt; or null
 * @param reservedFor the only worker who may claim it until {@code availableAt}; or null
 * @param clonedFrom the task that it is a copy of; or null
 */
public record Task(
        TaskId id,
        TaskType type,
        TaskPriority priority,
        TaskStatus status,
        Actor submittedBy,
        Instant availableAt,
        int maxAttempts,
        int attempt,
        int token,
        int failures,
        @Nullable Lease lease,
        @Nullable WorkerId worker,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Json payload,
        @Nullable Json result,
        boolean resultApart,
        @Nullable String reason,
        @Nullable TaskProgress progress,
        @Nullable Instant progressAt,
        @Nullable String idempotencyKey,
        @Nullable WorkerId reservedFor,
        @Nullable TaskId clonedFrom,
        Recent recent) {

    public Instant submittedAt() {
        return id.submittedAt();
    }

    /** Units done for each second of the last attempt, up to its last report; 0 without one. */
    public double rate() {
        if (progress == null || progressAt == null || startedAt == null) {
            return 0;
        }
        var millis = Duration.between(startedAt, progressAt).toMillis();
        return millis <= 0 ? 0 : 1000.0 * progress.done() / millis;
    }

    /** When it was done, gave up, or last changed. */
    public Instant changedAt() {
        return TaskEvent.at(recent.texts().getLast());
    }

    /** The latest events, oldest first; {@link TaskReads#history} has all of them. */
    public List<TaskEvent> events() {
        return recent.events();
    }

    Task payload(Json read) {
        return with(lease, read, result, resultApart);
    }

    Task result(@Nullable Json read) {
        return with(lease, payload, read, false);
    }

    /** For who does not hold it: its lease is there, and cannot be acted for. */
    Task withoutToken() {
        return lease == null ? this : with(new Lease(lease.worker(), 0, lease.endsAt()), payload, result, resultApart);
    }

    private Task with(
            @Nullable Lease newLease, @Nullable Json newPayload, @Nullable Json newResult, boolean newResultApart) {
        return new Task(
                id,
                type,
                priority,
                status,
                submittedBy,
                availableAt,
                maxAttempts,
                attempt,
                token,
                failures,
                newLease,
                worker,
                startedAt,
                finishedAt,
                newPayload,
                newResult,
                newResultApart,
                reason,
                progress,
                progressAt,
                idempotencyKey,
                reservedFor,
                clonedFrom,
                recent);
    }

    /** Whether the attempt with that token ended in that way, as far as the task remembers. */
    boolean ended(int thatToken, TaskEvent.Kind how) {
        return recent.texts().stream().anyMatch(text -> TaskEvent.tells(text, how, thatToken));
    }

    /** The events that are kept with the task, of which there is at least one. */
    public record Recent(int first, List<String> texts) {
        public Recent {
            texts = List.copyOf(texts);
        }

        List<TaskEvent> events() {
            var events = new java.util.ArrayList<TaskEvent>(texts.size());
            for (var i = 0; i < texts.size(); i++) {
                TaskEvent.find(first + i, texts.get(i)).ifPresent(events::add);
            }
            return events;
        }
    }
}
