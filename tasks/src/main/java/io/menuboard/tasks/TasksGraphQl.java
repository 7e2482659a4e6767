package io.menuboard.tasks;

import static java.util.Objects.requireNonNullElse;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code tasks.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class TasksGraphQl {
    /** Where an argument has another name than what the use case knows it by. */
    private static final Map<String, String> ARGUMENTS =
            Map.of("lease", "leaseSeconds", "wait", "waitSeconds", "status", "filter.status");

    private static final String WAITS_END = TasksGraphQl.class.getName() + ".waitsEnd";

    private final Tasks tasks;
    private final BulkOperations bulk;
    private final PageLimits limits;
    private final Duration maxWait;

    /** @param maxWait how long the claims of one request may wait together */
    TasksGraphQl(Tasks tasks, BulkOperations bulk, PageLimits limits, Duration maxWait) {
        this.tasks = tasks;
        this.bulk = bulk;
        this.limits = limits;
        this.maxWait = maxWait;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("task", args -> tasks.find(id(args)).orElse(null))
                .dataFetcher("tasks", args -> loaded(tasks.list(filter(args), page(args)), args))
                .dataFetcher("worker", args -> tasks.worker(new WorkerId(text(args, "id")))
                        .map(withTasks(args))
                        .orElse(null))
                .dataFetcher("workers", args -> tasks.workers(page(args)).map(withTasks(args)))
                .dataFetcher("queueStatistics", args -> tasks.statistics())
                .dataFetcher(
                        "taskCounts", args -> tasks.counts(requireNonNullElse(args.getArgument("from"), Instant.EPOCH)))
                .dataFetcher("bulkPreview", this::bulkPreview)
                .dataFetcher("bulkOperation", args -> bulk.find(id(args)).orElse(null))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("submitTask", this::submitTask)
                .dataFetcher("submitTasks", this::submitTasks)
                .dataFetcher("claimTask", change(args -> tasks.claim(id(args), worker(args), lease(args), actor(args))))
                .dataFetcher("claimTasks", this::claimTasks)
                .dataFetcher(
                        "extendLease",
                        change(args -> tasks.extend(id(args), fencingToken(args), lease(args), progress(args))))
                .dataFetcher("completeTask", change(args -> {
                    var result = args.getArgument("result");
                    return tasks.complete(
                            id(args),
                            fencingToken(args),
                            result == null ? null : Json.of("result", result),
                            actor(args));
                }))
                .dataFetcher(
                        "failTask",
                        change(args -> tasks.fail(
                                id(args),
                                fencingToken(args),
                                text(args, "reason"),
                                args.getArgumentOrDefault("retryable", true),
                                actor(args))))
                .dataFetcher(
                        "releaseTask",
                        change(args ->
                                tasks.release(id(args), fencingToken(args), args.getArgument("reason"), actor(args))))
                .dataFetcher(
                        "cancelTask", change(args -> tasks.cancel(id(args), args.getArgument("reason"), actor(args))))
                .dataFetcher(
                        "retryTask", change(args -> tasks.retry(id(args), args.getArgument("reason"), actor(args))))
                .dataFetcher("cloneTask", this::cloneTask)
                .dataFetcher(
                        "reassignTask",
                        change(args -> tasks.reassign(id(args), worker(args), args.getArgument("reason"), actor(args))))
                .dataFetcher("startBulkOperation", this::startBulkOperation)
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
                        args -> tasks.history(source(args, Task.class).id(), page(args)))
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

    TypeRuntimeWiring bulkOperation() {
        return TypeRuntimeWiring.newTypeWiring("BulkOperation")
                .dataFetcher(
                        "outcomes",
                        args -> bulk.outcomes(
                                source(args, BulkStatus.class).task().id(), page(args)))
                .build();
    }

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    /** @param within path of what was wrong with that */
    private static List<UserError> refusal(InvalidInput refused, String... within) {
        var field = ARGUMENTS.getOrDefault(refused.field(), refused.field());
        return UserError.list(new InvalidInput(refused.code(), field, refused.getMessage()), within);
    }

    // ---- submitting

    enum SubmitStatus {
        CREATED,
        REPLAYED,
        CONFLICT,
        INVALID
    }

    /** What became of one submission. */
    record Submitted(
            SubmitStatus status,
            @Nullable Task task,
            @Nullable TaskId existingTaskId,
            @Nullable Instant keyExpiresAt,
            List<UserError> errors) {

        /** @param within path of the input */
        static Submitted of(SubmitResult result, String... within) {
            return switch (result) {
                case SubmitResult.Created(var task, var expires) ->
                    new Submitted(SubmitStatus.CREATED, task, null, expires, List.of());
                case SubmitResult.Replayed(var task, var expires) ->
                    new Submitted(SubmitStatus.REPLAYED, task, null, expires, List.of());
                case SubmitResult.Conflict(var existing, var key) -> {
                    var message = "idempotencyKey must be another one for another request: with " + key + ", task "
                            + existing + " was submitted";
                    var refused = new InvalidInput("IDEMPOTENCY_KEY_REUSED", "idempotencyKey", message);
                    yield new Submitted(SubmitStatus.CONFLICT, null, existing, null, refusal(refused, within));
                }
                case SubmitResult.Invalid(var refused) ->
                    new Submitted(SubmitStatus.INVALID, null, null, null, refusal(refused, within));
            };
        }

        Submitted with(Task read) {
            return new Submitted(status, read, existingTaskId, keyExpiresAt, errors);
        }
    }

    record SubmitTasksPayload(List<Submitted> outcomes, List<UserError> errors) {}

    private Submitted submitTask(DataFetchingEnvironment args) {
        var input = new SubmitTaskInput(object(args, "input"));
        return Submitted.of(
                tasks.submitEach(List.of(input::command), actor(args)).getFirst(), "input");
    }

    private SubmitTasksPayload submitTasks(DataFetchingEnvironment args) {
        var inputs = args.<List<Map<String, Object>>>getArgumentOrDefault("inputs", List.of());
        try {
            var results = tasks.submitEach(
                    inputs.stream()
                            .<Supplier<SubmitTask>>map(input -> new SubmitTaskInput(input)::command)
                            .toList(),
                    actor(args));
            var outcomes = IntStream.range(0, results.size())
                    .mapToObj(i -> Submitted.of(results.get(i), "inputs", Integer.toString(i)))
                    .toList();
            var made = outcomes.stream()
                    .map(Submitted::task)
                    .filter(Objects::nonNull)
                    .toList();
            var read = loaded(made, args).iterator();
            return new SubmitTasksPayload(
                    outcomes.stream()
                            .map(outcome -> outcome.task() == null ? outcome : outcome.with(read.next()))
                            .toList(),
                    List.of());
        } catch (InvalidInput e) {
            return new SubmitTasksPayload(List.of(), refusal(e));
        }
    }

    private Submitted cloneTask(DataFetchingEnvironment args) {
        try {
            return tasks.cloneTask(id(args), args.getArgument("idempotencyKey"), actor(args))
                    .map(Submitted::of)
                    .orElseGet(() -> Submitted.of(new SubmitResult.Invalid(new InvalidInput(
                            "NOT_FOUND", "id", "id must be of a task, which " + id(args) + " is not"))));
        } catch (InvalidInput e) {
            return Submitted.of(new SubmitResult.Invalid(e));
        }
    }

    // ---- working, and what people do

    /** Answer of a mutation that is about one task. */
    record TaskPayload(@Nullable Task task, List<UserError> errors) {

        static TaskPayload of(TaskResult result) {
            return switch (result) {
                case TaskResult.Done(var task) -> new TaskPayload(task, List.of());
                case TaskResult.LeaseLost(var task) ->
                    new TaskPayload(
                            task,
                            UserError.list(
                                    "LEASE_LOST",
                                    "fencingToken must be of a lease that has not ended, which is not so of task "
                                            + task.id(),
                                    "fencingToken"));
                case TaskResult.NotAllowed(var task, var message) ->
                    new TaskPayload(task, UserError.list("NOT_ALLOWED", message, "id"));
                case TaskResult.NotFound(var id) ->
                    new TaskPayload(null, UserError.list("NOT_FOUND", "there is no task " + id, "id"));
            };
        }
    }

    record ClaimTasksPayload(List<Task> tasks, List<UserError> errors) {}

    private static DataFetcher<TaskPayload> change(Function<DataFetchingEnvironment, TaskResult> change) {
        return args -> {
            try {
                return TaskPayload.of(change.apply(args));
            } catch (InvalidInput e) {
                return new TaskPayload(null, refusal(e));
            }
        };
    }

    /** Who may have to wait does so on a thread of its own, so that the thread of the request is free meanwhile. */
    private Object claimTasks(DataFetchingEnvironment args) {
        return number(args, "waitSeconds") > 0
                ? CompletableFuture.supplyAsync(() -> claim(args), Thread::startVirtualThread)
                : claim(args);
    }

    private ClaimTasksPayload claim(DataFetchingEnvironment args) {
        try {
            var claim = new ClaimTasks(worker(args), types(args), number(args, "max"), wait(args), lease(args));
            return new ClaimTasksPayload(tasks.claim(claim, actor(args)), List.of());
        } catch (InvalidInput e) {
            return new ClaimTasksPayload(List.of(), refusal(e));
        }
    }

    private static List<TaskType> types(DataFetchingEnvironment args) {
        var names = args.<List<String>>getArgumentOrDefault("types", List.of());
        return IntStream.range(0, names.size())
                .mapToObj(i -> at("types." + i, () -> {
                    var type = new TaskType(names.get(i));
                    Tasks.requireNotReserved("type", type);
                    return type;
                }))
                .toList();
    }

    /** As long as was asked for, but not longer than the first claim of this request might have waited. */
    private Duration wait(DataFetchingEnvironment args) {
        var asked = Duration.ofSeconds(number(args, "waitSeconds"));
        long end = args.getGraphQlContext().computeIfAbsent(WAITS_END, _ -> System.nanoTime() + maxWait.toNanos());
        var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        return asked.compareTo(maxWait) <= 0 && asked.compareTo(left) > 0 ? left : asked;
    }

    // ---- bulk operations

    private BulkPreview bulkPreview(DataFetchingEnvironment args) {
        var preview = bulk.preview(new BulkChange(action(args), filter(args), "preview"));
        return new BulkPreview(preview.count(), preview.countIsLeast(), loaded(preview.sample(), args));
    }

    private Submitted startBulkOperation(DataFetchingEnvironment args) {
        try {
            var change = new BulkChange(action(args), filter(args), text(args, "reason"));
            return Submitted.of(bulk.start(change, args.getArgument("idempotencyKey"), actor(args)));
        } catch (InvalidInput e) {
            return Submitted.of(new SubmitResult.Invalid(e));
        }
    }

    private static BulkChange.Action action(DataFetchingEnvironment args) {
        return BulkChange.Action.valueOf(text(args, "action"));
    }

    // ---- reading

    /** With payloads and results, read together, where the document asks for them. */
    private List<Task> loaded(List<Task> found, DataFetchingEnvironment args) {
        var selected = args.getSelectionSet();
        var read = selected.contains("**/payload") ? tasks.withPayloads(found) : found;
        return selected.contains("**/result") ? tasks.withResults(read) : read;
    }

    private Page<Task> loaded(Page<Task> page, DataFetchingEnvironment args) {
        var read = loaded(page.nodes(), args).iterator();
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
                loaded(claims.getOrDefault(status.worker(), List.of()), args));
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

    // ---- arguments

    private static <T> T source(DataFetchingEnvironment field, Class<T> type) {
        return type.cast(Objects.requireNonNull(field.getSource()));
    }

    /** The one door: what logins will replace. */
    private static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    private static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    private static int number(DataFetchingEnvironment args, String name) {
        return args.<Integer>getArgumentOrDefault(name, 0);
    }

    private static Map<String, Object> object(DataFetchingEnvironment args, String name) {
        return requireNonNullElse(args.<Map<String, Object>>getArgument(name), Map.of());
    }

    private static TaskId id(DataFetchingEnvironment args) {
        return new TaskId(text(args, "id"));
    }

    private static WorkerId worker(DataFetchingEnvironment args) {
        return new WorkerId(text(args, "worker"));
    }

    private static int fencingToken(DataFetchingEnvironment args) {
        return number(args, "fencingToken");
    }

    private static @Nullable Duration lease(DataFetchingEnvironment args) {
        Integer seconds = args.getArgument("leaseSeconds");
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    private static @Nullable TaskProgress progress(DataFetchingEnvironment args) {
        Map<String, Object> progress = args.getArgument("progress");
        return progress == null
                ? null
                : within(
                        "progress",
                        () -> new TaskProgress(
                                progress.get("done") instanceof Long done ? done : 0,
                                (Long) progress.get("total"),
                                (String) progress.get("message")));
    }

    private static TaskFilter filter(DataFetchingEnvironment args) {
        return within("filter", () -> new TaskFilterInput(object(args, "filter")).filter());
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }

    /** What is wrong there is wrong in the argument of that name. */
    private static <T> T within(String argument, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), argument + "." + e.field(), e.getMessage());
        }
    }

    /** What is wrong there is wrong at that path. */
    private static <T> T at(String path, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), path, e.getMessage());
        }
    }
}
