package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.worker;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Mutations of {@code tasks.graphqls} that submit and administer tasks, to use cases. */
final class TaskMutationsGraphQl implements GraphQlModule {
    private final TaskSubmission submission;
    private final TaskAdministration administration;
    private final TaskReads tasks;

    TaskMutationsGraphQl(TaskSubmission submission, TaskAdministration administration, TaskReads tasks) {
        this.submission = submission;
        this.administration = administration;
        this.tasks = tasks;
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
        TasksInput.mutation(
                parts, "cancelTask", args -> administration.cancel(id(args), args.find("reason"), args.actor()));
        TasksInput.mutation(
                parts, "retryTask", args -> administration.retry(id(args), args.find("reason"), args.actor()));
        TasksInput.mutation(
                parts,
                "reassignTask",
                args -> administration.reassign(id(args), worker(args), args.find("reason"), args.actor()));
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
}
