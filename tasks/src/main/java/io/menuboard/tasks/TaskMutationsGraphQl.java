package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.actor;
import static io.menuboard.tasks.TasksInput.at;
import static io.menuboard.tasks.TasksInput.fencingToken;
import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.lease;
import static io.menuboard.tasks.TasksInput.number;
import static io.menuboard.tasks.TasksInput.object;
import static io.menuboard.tasks.TasksInput.progress;
import static io.menuboard.tasks.TasksInput.text;
import static io.menuboard.tasks.TasksInput.worker;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Mutations of {@code tasks.graphqls} to use cases. */
final class TaskMutationsGraphQl {
    private static final String WAITS_END = TaskMutationsGraphQl.class.getName() + ".waitsEnd";

    private final TaskSubmission submission;
    private final WorkerProtocol protocol;
    private final TaskAdministration administration;
    private final TaskReads tasks;
    private final Duration maxWait;

    /** @param maxWait how long the claims of one request may wait together */
    TaskMutationsGraphQl(
            TaskSubmission submission,
            WorkerProtocol protocol,
            TaskAdministration administration,
            TaskReads tasks,
            Duration maxWait) {
        this.submission = submission;
        this.protocol = protocol;
        this.administration = administration;
        this.tasks = tasks;
        this.maxWait = maxWait;
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("submitTask", this::submitTask)
                .dataFetcher("submitTasks", this::submitTasks)
                .dataFetcher(
                        "claimTask", change(args -> protocol.claim(id(args), worker(args), lease(args), actor(args))))
                .dataFetcher("claimTasks", this::claimTasks)
                .dataFetcher(
                        "extendLease",
                        change(args -> protocol.extend(id(args), fencingToken(args), lease(args), progress(args))))
                .dataFetcher("completeTask", change(args -> {
                    var result = args.getArgument("result");
                    return protocol.complete(
                            id(args),
                            fencingToken(args),
                            result == null ? null : Json.of("result", result),
                            actor(args));
                }))
                .dataFetcher(
                        "failTask",
                        change(args -> protocol.fail(
                                id(args),
                                fencingToken(args),
                                text(args, "reason"),
                                args.getArgumentOrDefault("retryable", true),
                                actor(args))))
                .dataFetcher(
                        "releaseTask",
                        change(args -> protocol.release(
                                id(args), fencingToken(args), args.getArgument("reason"), actor(args))))
                .dataFetcher(
                        "cancelTask",
                        change(args -> administration.cancel(id(args), args.getArgument("reason"), actor(args))))
                .dataFetcher(
                        "retryTask",
                        change(args -> administration.retry(id(args), args.getArgument("reason"), actor(args))))
                .dataFetcher("cloneTask", this::cloneTask)
                .dataFetcher(
                        "reassignTask",
                        change(args -> administration.reassign(
                                id(args), worker(args), args.getArgument("reason"), actor(args))))
                .build();
    }

    record SubmitTasksPayload(List<SubmitPayload> outcomes, List<UserError> errors) {}

    private SubmitPayload submitTask(DataFetchingEnvironment args) {
        var input = new SubmitTaskInput(object(args, "input"));
        return SubmitPayload.of(
                submission.submitEach(List.of(input::command), actor(args)).getFirst(), "input");
    }

    private SubmitTasksPayload submitTasks(DataFetchingEnvironment args) {
        var inputs = args.<List<Map<String, Object>>>getArgumentOrDefault("inputs", List.of());
        try {
            var results = submission.submitEach(
                    inputs.stream()
                            .<Supplier<SubmitTask>>map(input -> new SubmitTaskInput(input)::command)
                            .toList(),
                    actor(args));
            var outcomes = IntStream.range(0, results.size())
                    .mapToObj(i -> SubmitPayload.of(results.get(i), "inputs", Integer.toString(i)))
                    .toList();
            var made = outcomes.stream()
                    .map(SubmitPayload::task)
                    .filter(Objects::nonNull)
                    .toList();
            var read = TasksInput.loaded(tasks, made, args).iterator();
            return new SubmitTasksPayload(
                    outcomes.stream()
                            .map(outcome -> outcome.task() == null ? outcome : outcome.with(read.next()))
                            .toList(),
                    List.of());
        } catch (InvalidInput e) {
            return new SubmitTasksPayload(List.of(), SubmitPayload.refusal(e));
        }
    }

    private SubmitPayload cloneTask(DataFetchingEnvironment args) {
        try {
            return administration
                    .cloneTask(id(args), args.getArgument("idempotencyKey"), actor(args))
                    .map(SubmitPayload::of)
                    .orElseGet(() -> SubmitPayload.of(new SubmitResult.Invalid(
                            new InvalidInput("NOT_FOUND", "id", "must be of a task, which " + id(args) + " is not"))));
        } catch (InvalidInput e) {
            return SubmitPayload.of(new SubmitResult.Invalid(e));
        }
    }

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
                return new TaskPayload(null, SubmitPayload.refusal(e));
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
            return new ClaimTasksPayload(protocol.claim(claim, actor(args)), List.of());
        } catch (InvalidInput e) {
            return new ClaimTasksPayload(List.of(), SubmitPayload.refusal(e));
        }
    }

    private static List<TaskType> types(DataFetchingEnvironment args) {
        var names = args.<List<String>>getArgumentOrDefault("types", List.of());
        return IntStream.range(0, names.size())
                .mapToObj(i -> at("types." + i, () -> {
                    var type = new TaskType(names.get(i));
                    type.requireClients("type");
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
}
