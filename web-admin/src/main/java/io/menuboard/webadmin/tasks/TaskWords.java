package io.menuboard.webadmin.tasks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.Refresh;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts about a task, as pages write them. */
public final class TaskWords {
    private TaskWords() {}

    /** {@code …7Q3FK2ZB}: what begins an id is the same for tasks of the same minute. */
    public static String shortId(Task task) {
        var id = task.id().value();
        return "…" + id.substring(id.length() - 8);
    }

    static String priority(Task task) {
        var name = task.priority().name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /** Attempts that failed, of those that may: {@code 1 of 5}. Attempts themselves go on counting when a task is retried. */
    static String failures(Task task) {
        return task.failures() + " of " + task.maxAttempts();
    }

    /** Time that the lease still lasts: {@code 42 s left}; empty without one. */
    static String left(Task task, Instant now) {
        var lease = task.lease();
        return lease == null ? "" : Moments.span(Duration.between(now, lease.endsAt())) + " left";
    }

    /** When it may be claimed: {@code in 5 min}. */
    static String due(Task task, Instant now) {
        return task.availableAt().isAfter(now)
                ? "in " + Moments.span(Duration.between(now, task.availableAt()))
                : "now";
    }

    /** Summary of the state, in a sentence that only changes with the task's status. */
    public static String summary(Task task) {
        return switch (task.status()) {
            case SCHEDULED ->
                task.reservedFor() == null
                        ? "Due at " + Moments.utcSeconds(task.availableAt()) + "."
                        : "Kept for " + task.reservedFor() + " until " + Moments.utcSeconds(task.availableAt()) + ".";
            case PENDING ->
                task.attempt() == 0
                        ? "Waits for a worker."
                        : "Waits for a worker, after attempt " + task.attempt() + ".";
            case RUNNING -> "Attempt " + task.attempt() + ", held by " + task.worker() + ".";
            case COMPLETED -> "Done by " + task.worker() + took(task) + ".";
            case DEAD -> "Given up after attempt " + task.attempt() + ".";
            case CANCELLED -> "Nobody is to do it any more.";
        };
    }

    /** State of work that a task is to do and has not done; null where the task is not known. */
    public static Badge making(@Nullable Task task) {
        return switch (task == null ? TaskStatus.PENDING : task.status()) {
            case RUNNING, COMPLETED -> new Badge("badge-info", "Running");
            case PENDING, SCHEDULED -> new Badge("", "Waiting");
            case DEAD -> new Badge("badge-bad", "Task dead");
            case CANCELLED -> new Badge("badge-bad", "Task cancelled");
        };
    }

    private static String took(Task task) {
        return task.startedAt() == null || task.finishedAt() == null
                ? ""
                : " in " + elapsed(Duration.between(task.startedAt(), task.finishedAt()));
    }

    /** {@code 340 ms}, or as {@link Moments#span} from two seconds on. */
    private static String elapsed(Duration duration) {
        return duration.toSeconds() < 2 ? duration.toMillis() + " ms" : Moments.span(duration);
    }

    public static Badge badge(TaskStatus status) {
        return switch (status) {
            case SCHEDULED -> new Badge("", "Scheduled");
            case PENDING -> new Badge("", "Pending");
            case RUNNING -> new Badge("badge-info", "Running");
            case COMPLETED -> new Badge("badge-good", "Completed");
            case DEAD -> new Badge("badge-bad", "Dead");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
        };
    }

    public static Badge badge(TaskEvent.Kind kind) {
        return switch (kind) {
            case SUBMITTED -> new Badge("", "Submitted");
            case DUE -> new Badge("", "Due");
            case CLAIMED -> new Badge("badge-info", "Claimed");
            case COMPLETED -> new Badge("badge-good", "Completed");
            case FAILED -> new Badge("badge-bad", "Failed");
            case RELEASED -> new Badge("badge-warn", "Given back");
            case LEASE_EXPIRED -> new Badge("badge-bad", "Lease expired");
            case CANCELLED -> new Badge("badge-warn", "Cancelled");
            case RETRIED -> new Badge("", "Retried");
            case REASSIGNED -> new Badge("", "Reassigned");
            case UNKNOWN -> new Badge("", "Of another version");
        };
    }

    static InvalidInput notFound(TaskId id) {
        return NotFound.of("task", "There is no task " + id + ". Finished tasks are kept for a limited time.");
    }

    /**
     * Has a page ask again whenever the task is another one, while it is not finished.
     *
     * @param mayRead whether who looks at the page may read tasks: nobody else is told
     * @param task null where it is not kept any more
     */
    public static Refresh onUpdates(Refresh refresh, boolean mayRead, @Nullable Task task) {
        return !mayRead || task == null || task.status().isFinished()
                ? refresh
                : refresh.onUpdatesOf(Refresh.Subscription.TASK, task.id().value());
    }

    static InvalidInput notFound(WorkerId id) {
        return NotFound.of("worker", "No worker " + id + " has asked for work within a day, and none holds a task.");
    }

    /**
     * A link to the task that does something.
     *
     * @param task null where it is not kept any more
     */
    public static Fact fact(TaskId id, @Nullable Task task) {
        return task == null
                ? new Fact("Task", "No longer kept", null)
                : new Fact("Task", shortId(task), Link.to("tasks", id.value()).toString());
    }
}
