package io.menuboard.tasks;

import static io.menuboard.tasks.TasksInput.id;
import static io.menuboard.tasks.TasksInput.worker;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Mutations of {@code tasks.graphqls} that submit and administer tasks, to use cases. */
final class TaskMutationsGraphQl implements GraphQlModule {
    private final TaskSubmission submission;
    private final TaskAdministration administration;

    TaskMutationsGraphQl(TaskSubmission submission, TaskAdministration administration) {
        this.submission = submission;
        this.administration = administration;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.mutation("submitTask", this::submitTask);
        parts.mutation("submitTasks", this::submitTasks);
        parts.mutation("cloneTask", this::cloneTask);
        SubmitPayload.fields(parts, "SubmitTaskPayload");
        SubmitPayload.fields(parts, "SubmitTaskOutcome");
        SubmitPayload.fields(parts, "CloneTaskPayload");
        TasksInput.mutation(
                parts, "cancelTask", args -> administration.cancel(args.access(), id(args), args.find("reason")));
        TasksInput.mutation(
                parts, "retryTask", args -> administration.retry(args.access(), id(args), args.find("reason")));
        TasksInput.mutation(
                parts,
                "reassignTask",
                args -> administration.reassign(args.access(), id(args), worker(args), args.find("reason")));
    }

    record SubmitTasksPayload(List<SubmitPayload> outcomes, List<UserError> errors) {}

    private SubmitPayload submitTask(Arguments args) {
        Supplier<SubmitTask> command = () -> TasksInput.submission(args.fields());
        return SubmitPayload.of(submission.submit(args.access(), command), "input");
    }

    private SubmitTasksPayload submitTasks(Arguments args) {
        var results = submission.submitEach(
                args.access(),
                args.objects("tasks").stream()
                        .<Supplier<SubmitTask>>map(input -> () -> TasksInput.submission(input))
                        .toList());
        var outcomes = IntStream.range(0, results.size())
                .mapToObj(i -> SubmitPayload.ofEach(results.get(i), "input", "tasks", Integer.toString(i)))
                .toList();
        return new SubmitTasksPayload(outcomes, List.of());
    }

    private SubmitPayload cloneTask(Arguments args) {
        var id = id(args);
        return administration
                .cloneTask(args.access(), id, args.find("idempotencyKey"))
                .map(result -> SubmitPayload.of(result, "input"))
                .orElseThrow(() -> InvalidInput.sentence("NOT_FOUND", "id", "there is no task " + id));
    }
}
