package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.filter;
import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.page;
import static io.menuboard.tasks.TasksInput.source;
import static io.menuboard.tasks.TasksInput.text;
import static java.util.Objects.requireNonNullElse;

import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries of {@code tasks.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class TasksGraphQl {
    private final TaskReads tasks;
    private final TaskStatistics statistics;
    private final PageLimits limits;

    TasksGraphQl(TaskReads tasks, TaskStatistics statistics, PageLimits limits) {
        this.tasks = tasks;
        this.statistics = statistics;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("task", args -> tasks.find(id(args)).orElse(null))
                .dataFetcher("tasks", args -> loaded(tasks.list(filter(args), page(args, limits)), args))
                .dataFetcher("worker", args -> tasks.worker(new WorkerId(text(args, "id")))
                        .map(withTasks(args))
                        .orElse(null))
                .dataFetcher(
                        "workers", args -> tasks.workers(page(args, limits)).map(withTasks(args)))
                .dataFetcher("queueStatistics", args -> statistics.queues())
                .dataFetcher(
                        "taskCounts",
                        args -> statistics.counts(requireNonNullElse(args.getArgument("from"), Instant.EPOCH)))
                .build();
    }

    TypeRuntimeWiring task() {
        return TypeRuntimeWiring.newTypeWiring("Task")
                .dataFetcher("payload", args -> tasks.payload(source(args, Task.class)))
                .dataFetcher(
                        "result", args -> tasks.result(source(args, Task.class)).orElse(null))
                .dataFetcher("progress", args -> Progress.of(source(args, Task.class)))
                .dataFetcher(
                        "history",
                        args -> tasks.history(source(args, Task.class).id(), page(args, limits)))
                .build();
    }

    TypeRuntimeWiring lease() {
        return TypeRuntimeWiring.newTypeWiring("TaskLease")
                .dataFetcher("secondsLeft", args -> {
                    var left = Duration.between(
                            tasks.now(), source(args, Lease.class).endsAt());
                    return Math.max(0, (int) left.toSeconds());
                })
                .build();
    }

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    private Page<Task> loaded(Page<Task> page, DataFetchingEnvironment args) {
        var read = TasksInput.loaded(tasks, page.nodes(), args).iterator();
        return page.map(_ -> read.next());
    }

    /** A worker, and what it holds where the document asks for that. */
    record Worker(WorkerId id, List<TaskType> types, Instant firstSeen, Instant lastSeen, List<Task> tasks) {}

    private Function<WorkerStatus, Worker> withTasks(DataFetchingEnvironment args) {
        var claims = args.getSelectionSet().containsAnyOf("tasks", "**/tasks")
                ? tasks.claims()
                : Map.<WorkerId, List<Task>>of();
        return status -> new Worker(
                status.worker(),
                status.types(),
                status.firstSeen(),
                status.lastSeen(),
                TasksInput.loaded(tasks, claims.getOrDefault(status.worker(), List.of()), args));
    }

    /** How far a task is, and how fast it has got there. */
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
