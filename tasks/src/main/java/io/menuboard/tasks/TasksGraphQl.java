package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.filter;
import static io.menuboard.tasks.TasksInput.id;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.Page;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
        parts.query("task", args -> tasks.find(id(args)).orElse(null));
        parts.query("tasks", args -> loaded(tasks.list(filter(args), args.page()), args));
        parts.object("Task", Task.class)
                .field("payload", task -> tasks.payload(task))
                .field("result", task -> tasks.result(task).orElse(null))
                .field("progress", task -> Progress.of(task))
                .field("history", (task, args) -> tasks.history(task.id(), args.page()));
        parts.object("TaskLease", Lease.class).field("secondsLeft", lease -> {
            var left = Duration.between(tasks.now(), lease.endsAt());
            return Math.max(0, (int) left.toSeconds());
        });
    }

    private Page<Task> loaded(Page<Task> page, Arguments args) {
        var read = TasksInput.loaded(tasks, page.nodes(), args).iterator();
        return page.map(_ -> read.next());
    }

    /** Progress of a task, and its rate. */
    record Progress(
            long done, @Nullable Long total, @Nullable String message, double rate) {
        static @Nullable Progress of(Task task) {
            var progress = task.progress();
            return progress == null
                    ? null
                    : new Progress(progress.done(), progress.total(), progress.message(), task.rate());
        }
    }
}
