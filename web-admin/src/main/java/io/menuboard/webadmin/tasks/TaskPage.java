package io.menuboard.webadmin.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.WorkerId;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.Refresh;
import io.menuboard.webadmin.ui.Submission;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code tasks/show}.
 *
 * @param notice what was just done, or null
 * @param refusal why what was asked for was not done, or null
 * @param payload indented
 * @param result indented, null where there is none
 */
record TaskPage(
        Header header,
        Refresh refresh,
        @Nullable Notice notice,
        @Nullable String refusal,
        WorkState state,
        List<Action> actions,
        String payload,
        @Nullable String result,
        Listing history,
        List<Event> events) {

    private static final int SECONDS_WHILE_RUNNING = 2;
    private static final int SECONDS_WHILE_WAITING = 5;

    static TaskPage of(
            Access access,
            Task task,
            Operations operations,
            Json payload,
            @Nullable Json result,
            Instant now,
            Link refresh,
            @Nullable Notice notice,
            @Nullable String refusal,
            Listing history,
            List<Event> events) {
        return new TaskPage(
                Header.of(access, task),
                TaskWords.onUpdates(
                        Refresh.of(
                                refresh,
                                !task.status().isFinished(),
                                task.status() == TaskStatus.RUNNING ? SECONDS_WHILE_RUNNING : SECONDS_WHILE_WAITING),
                        true,
                        task),
                notice,
                refusal,
                new WorkState(
                        TaskWords.badge(task.status()),
                        TaskWords.summary(task),
                        task.reason(),
                        TaskProgressBar.of(task),
                        facts(access, task, operations, now)),
                Stream.of(TaskAction.values())
                        .filter(action -> access.may(Permission.TASKS_OPERATE) && action.isOffered(task))
                        .map(action -> Action.of(action, task))
                        .toList(),
                payload.pretty(),
                result == null ? null : result.pretty(),
                history,
                events);
    }

    /**
     * @param id all of it
     * @param type links to tasks of the same type and status, for who sees all
     */
    record Header(String id, String shortId, String href, Reference type, Submission submitted) {
        static Header of(Access access, Task task) {
            return new Header(
                    task.id().value(),
                    TaskWords.shortId(task),
                    Link.to("tasks", task.id().value()).toString(),
                    Reference.of(
                            task.type().value(),
                            access.isForAll(Permission.TASKS_READ)
                                    ? TaskFilterForm.of(task.status())
                                            .on(Link.to("tasks")
                                                    .with("type", task.type().value()))
                                    : null),
                    Submission.of(task.submittedAt(), task.submittedBy()));
        }
    }

    private static List<Fact> facts(Access access, Task task, Operations operations, Instant now) {
        var lease = task.lease();
        var key = task.idempotencyKey();
        var original = task.clonedFrom();
        var worker = task.worker();
        var operation = operations.page(access, task).orElse(null);
        return Stream.of(
                        new Fact("Priority", TaskWords.priority(task), null),
                        new Fact("Attempts", Integer.toString(task.attempt()), null),
                        new Fact("Failed attempts", TaskWords.failures(task), null),
                        task.status() == TaskStatus.SCHEDULED ? new Fact("Due", TaskWords.due(task, now), null) : null,
                        worker == null
                                ? null
                                : new Fact(
                                        lease == null ? "Last worker" : "Worker",
                                        worker.value(),
                                        Link.to("tasks", "workers", worker.value())
                                                .toString()),
                        lease == null ? null : new Fact("Lease", TaskWords.left(task, now), null),
                        task.startedAt() == null
                                ? null
                                : new Fact("Last started", Moments.utcSeconds(task.startedAt()), null),
                        task.finishedAt() == null
                                ? null
                                : new Fact("Finished", Moments.utcSeconds(task.finishedAt()), null),
                        key == null ? null : new Fact("Idempotency key", key, null),
                        operation == null
                                ? null
                                : new Fact("Operation", operations.name(task.type()), operation.toString()),
                        original == null
                                ? null
                                : new Fact(
                                        "Clone of",
                                        original.value(),
                                        access.isForAll(Permission.TASKS_READ)
                                                ? Link.to("tasks", original.value())
                                                        .toString()
                                                : null))
                .filter(Objects::nonNull)
                .toList();
    }

    /** @param id of its element, so that the focus stays on it when the page refreshes itself */
    record Action(String id, String href, String label) {
        static Action of(TaskAction action, Task task) {
            return new Action(
                    "action-" + action.path(),
                    Link.to("tasks", task.id().value(), action.path()).toString(),
                    action.label());
        }
    }

    /** Action that was just taken, and where to go from there. */
    record Notice(String text, String href, String label) {

        /** Null where the task was to be cancelled, and is not, or not any more. */
        static @Nullable Notice of(TaskAction action, Task task) {
            if (action == TaskAction.CANCEL && task.status() != TaskStatus.CANCELLED) {
                return null;
            }
            var worker = task.reservedFor();
            return switch (action) {
                case CANCEL, RETRY ->
                    new Notice(
                            action.done(),
                            TaskFilterForm.of(task.status())
                                    .on(Link.to("tasks"))
                                    .toString(),
                            "All " + TaskWords.badge(task.status()).label().toLowerCase(Locale.ROOT) + " tasks");
                case REASSIGN -> {
                    if (task.lease() != null) {
                        var holder = task.lease().worker();
                        yield of("Worker " + holder + " has the task.", holder);
                    }
                    yield worker == null
                            ? new Notice(action.done(), "/tasks/workers", "All workers")
                            : of("The task is kept for " + worker + ".", worker);
                }
                case CLONE -> {
                    var original = task.clonedFrom();
                    yield original == null
                            ? new Notice(action.done(), "/tasks", "All pending tasks")
                            : new Notice(
                                    action.done(),
                                    Link.to("tasks", original.value()).toString(),
                                    "The task that it is a clone of");
                }
            };
        }

        private static Notice of(String text, WorkerId worker) {
            return new Notice(
                    text, Link.to("tasks", "workers", worker.value()).toString(), "What " + worker + " holds");
        }
    }

    /** @param attempt empty before the first */
    record Event(
            String at,
            Badge kind,
            String attempt,
            @Nullable String worker,
            @Nullable String workerHref,
            String actor,
            String through,
            @Nullable String reason) {
        static Event of(Access access, TaskEvent event) {
            var worker = event.worker();
            return new Event(
                    Moments.utcSeconds(event.at()),
                    TaskWords.badge(event.kind()),
                    event.attempt() == 0 ? "" : Integer.toString(event.attempt()),
                    worker == null ? null : worker.value(),
                    worker != null && access.may(Permission.TASKS_READ, Kind.WORKER, worker.value())
                            ? Link.to("tasks", "workers", worker.value()).toString()
                            : null,
                    event.actor().name(),
                    Actors.through(event.actor()),
                    event.reason());
        }
    }
}
