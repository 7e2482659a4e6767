package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.filters;
import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.key;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import java.util.List;
import java.util.Objects;

/** Queries of {@code tasks.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class TasksGraphQl implements GraphQlModule {
    private final TaskReads tasks;

    TasksGraphQl(TaskReads tasks) {
        this.tasks = tasks;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("tasks");
        parts.scalar(JsonGraphQl.SCALAR);
        parts.query("task", args -> tasks.find(args.access(), id(args)).orElse(null));
        parts.query("tasks", args -> tasks.list(args.access(), filters(args), args.page()));
        parts.node(
                        "Task",
                        Task.class,
                        task -> task.id().value(),
                        SchemaParts.NodeReader.of(
                                TaskId::new, tasks::findAll, task -> task.id().value()))
                .field("key", Task::id)
                .batch("payload", (all, args) -> tasks.payloads(args.access(), all))
                .batch("result", (all, args) -> tasks.results(args.access(), all))
                .batch("history", (all, args) -> tasks.histories(args.access(), all, args.page()))
                .field("progress", task -> task.progress() == null ? null : task)
                .field("workerKey", Task::worker)
                .field("workerName", Task::worker)
                .field("reservedForKey", Task::reservedFor)
                .field("reservedForName", Task::reservedFor)
                .field("clonedFromKey", Task::clonedFrom)
                .reference("worker", "Worker", task -> key(task.worker()))
                .reference("reservedFor", "Worker", task -> key(task.reservedFor()))
                .reference("clonedFrom", "Task", task -> key(task.clonedFrom()));
        parts.object("TaskProgress", Task.class)
                .field("done", task -> progress(task).done())
                .field("total", task -> progress(task).total())
                .field("message", task -> progress(task).message())
                .field("rate", Task::rate);
        parts.object("TaskLease", Lease.class)
                .reference("worker", "Worker", lease -> key(lease.worker()))
                .field("workerKey", Lease::worker)
                .field("workerName", Lease::worker);
        parts.object("TaskEvent", TaskEvent.class)
                .field("doneAt", TaskEvent::at)
                .field("doneBy", TaskEvent::actor)
                .field("workerKey", TaskEvent::worker)
                .field("workerName", TaskEvent::worker)
                .reference("worker", "Worker", event -> key(event.worker()));
        parts.object("TaskFilter", TaskFilter.class)
                .field("statuses", filter -> List.of(filter.status()))
                .field("submittedUntil", TaskFilter::submittedBefore)
                .field("workerKey", TaskFilter::worker)
                .field("workerName", TaskFilter::worker)
                .reference("worker", "Worker", filter -> key(filter.worker()));
    }

    /** Of a task that has some, which stands for it: the rate is the task's. */
    private static TaskProgress progress(Task task) {
        return Objects.requireNonNull(task.progress());
    }
}
