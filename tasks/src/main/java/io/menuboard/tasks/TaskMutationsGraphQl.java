package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.fencingToken;
import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.lease;
import static io.menuboard.tasks.TasksInput.progress;
import static io.menuboard.tasks.TasksInput.worker;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Mutations of {@code tasks.graphqls} to use cases. */
final class TaskMutationsGraphQl implements GraphQlModule {
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

    @Override
    public void contribute(SchemaParts parts) {
        parts.mutation(
                "submitTask",
                this::submitTask,
                refused -> SubmitPayload.of(new SubmitResult.Invalid(refused), "input"));
        parts.mutation(
                "submitTasks",
                this::submitTasks,
                refused -> new SubmitTasksPayload(List.of(), SubmitPayload.refusal(refused)));
        parts.mutation("cloneTask", this::cloneTask, refused -> SubmitPayload.of(new SubmitResult.Invalid(refused)));
        parts.<Object>mutation("claimTasks", this::claimTasks, TaskMutationsGraphQl::refusedClaim);
        change(parts, "claimTask", args -> protocol.claim(id(args), worker(args), lease(args), args.actor()));
        change(
                parts,
                "extendLease",
                args -> protocol.extend(id(args), fencingToken(args), lease(args), progress(args)));
        change(parts, "completeTask", args -> {
            var result = args.find("result");
            return protocol.complete(
                    id(args), fencingToken(args), result == null ? null : Json.of("result", result), args.actor());
        });
        change(
                parts,
                "failTask",
                args -> protocol.fail(
                        id(args), fencingToken(args), args.text("reason"), args.get("retryable", true), args.actor()));
        change(
                parts,
                "releaseTask",
                args -> protocol.release(id(args), fencingToken(args), args.find("reason"), args.actor()));
        change(parts, "cancelTask", args -> administration.cancel(id(args), args.find("reason"), args.actor()));
        change(parts, "retryTask", args -> administration.retry(id(args), args.find("reason"), args.actor()));
        change(
                parts,
                "reassignTask",
                args -> administration.reassign(id(args), worker(args), args.find("reason"), args.actor()));
    }

    private static void change(SchemaParts parts, String mutation, Function<Arguments, TaskResult> change) {
        parts.mutation(
                mutation,
                args -> TaskPayload.of(change.apply(args)),
                refused -> new TaskPayload(null, SubmitPayload.refusal(refused)));
    }

    record SubmitTasksPayload(List<SubmitPayload> outcomes, List<UserError> errors) {}

    private SubmitPayload submitTask(Arguments args) {
        var input = new SubmitTaskInput(args.object("input"));
        return SubmitPayload.of(
                submission.submitEach(List.of(input::command), args.actor()).getFirst(), "input");
    }

    private SubmitTasksPayload submitTasks(Arguments args) {
        var inputs = args.objects("inputs");
        var results = submission.submitEach(
                inputs.stream()
                        .<Supplier<SubmitTask>>map(input -> new SubmitTaskInput(input)::command)
                        .toList(),
                args.actor());
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
    }

    private SubmitPayload cloneTask(Arguments args) {
        return administration
                .cloneTask(id(args), args.find("idempotencyKey"), args.actor())
                .map(SubmitPayload::of)
                .orElseGet(() -> SubmitPayload.of(new SubmitResult.Invalid(
                        new InvalidInput("NOT_FOUND", "id", "must be of a task, which " + id(args) + " is not"))));
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

    /** Who may have to wait does so on a thread of its own, so that the thread of the request is free meanwhile. */
    private Object claimTasks(Arguments args) {
        return args.number("waitSeconds") > 0
                ? CompletableFuture.supplyAsync(() -> claim(args), Thread::startVirtualThread)
                : claim(args);
    }

    private ClaimTasksPayload claim(Arguments args) {
        try {
            var claim = new ClaimTasks(worker(args), types(args), args.number("max"), wait(args), lease(args));
            return new ClaimTasksPayload(protocol.claim(claim, args.actor()), List.of());
        } catch (InvalidInput e) {
            return refusedClaim(e);
        }
    }

    private static ClaimTasksPayload refusedClaim(InvalidInput refused) {
        return new ClaimTasksPayload(List.of(), SubmitPayload.refusal(refused));
    }

    private static List<TaskType> types(Arguments args) {
        List<String> names = args.get("types", List.of());
        return IntStream.range(0, names.size())
                .mapToObj(i -> Arguments.at("types." + i, () -> {
                    var type = new TaskType(names.get(i));
                    type.requireClients("type");
                    return type;
                }))
                .toList();
    }

    /** As long as was asked for, but not longer than the first claim of this request might have waited. */
    private Duration wait(Arguments args) {
        var asked = Duration.ofSeconds(args.number("waitSeconds"));
        long end = args.shared(WAITS_END, () -> System.nanoTime() + maxWait.toNanos());
        var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
        return asked.compareTo(maxWait) <= 0 && asked.compareTo(left) > 0 ? left : asked;
    }
}
