package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data that a task has in each state of its life.
 *
 * @param availableAt from when it may be claimed, or might have been
 * @param reason why it last failed, was cancelled or given back; or null
 */
record TaskData(
        Submission submission,
        Attempts attempts,
        Instant availableAt,
        @Nullable String reason,
        RecentEvents recent) {

    /**
     * The submitter's part, which never changes.
     *
     * @param payload null where it is an overflow item, see {@link TaskReads#payload}
     */
    record Submission(
            TaskId id,
            TaskType type,
            TaskPriority priority,
            Actor by,
            int maxAttempts,
            @Nullable Json payload,
            @Nullable String idempotencyKey,
            @Nullable TaskId clonedFrom) {

        Submission payload(@Nullable Json read) {
            return new Submission(id, type, priority, by, maxAttempts, read, idempotencyKey, clonedFrom);
        }
    }

    /**
     * The work done so far.
     *
     * @param last number of the last attempt, 0 before the first
     * @param token of the lease of the last attempt, with fencing token 0 before the first
     * @param failures since it was submitted or last retried
     * @param worker of the last attempt, or null
     * @param startedAt when that began, or null
     * @param progress last report of that, or null
     * @param progressAt when that was reported, or null
     */
    record Attempts(
            int last,
            Lease.Token token,
            int failures,
            @Nullable WorkerId worker,
            @Nullable Instant startedAt,
            @Nullable TaskProgress progress,
            @Nullable Instant progressAt) {

        private Attempts withoutSecret() {
            var shown = new Lease.Token(token.fencingToken(), null);
            return new Attempts(last, shown, failures, worker, startedAt, progress, progressAt);
        }
    }

    /**
     * The events that are in the task's item, of which there is at least one.
     *
     * @param first number of the first one
     */
    record RecentEvents(int first, List<String> texts) {
        RecentEvents {
            texts = List.copyOf(texts);
        }

        List<TaskEvent> read() {
            var events = new ArrayList<TaskEvent>(texts.size());
            for (var i = 0; i < texts.size(); i++) {
                TaskEvent.find(first + i, texts.get(i)).ifPresent(events::add);
            }
            return events;
        }
    }

    /** The same without what makes the lease's token one that cannot be guessed. */
    TaskData withoutSecret() {
        return attempts.token.secret() == null
                ? this
                : new TaskData(submission, attempts.withoutSecret(), availableAt, reason, recent);
    }

    TaskData payload(Json read) {
        return new TaskData(submission.payload(read), attempts, availableAt, reason, recent);
    }
}
