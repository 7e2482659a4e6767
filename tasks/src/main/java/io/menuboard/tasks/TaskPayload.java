package io.menuboard.tasks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer of a mutation that is about one task, as GraphQL has it. */
public record TaskPayload(@Nullable Task task, List<UserError> errors) {

    /** Of a use case's result. */
    public static TaskPayload of(TaskResult result) {
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

    /** Of arguments that break a rule. */
    public static TaskPayload refused(InvalidInput refused) {
        return new TaskPayload(null, SubmitPayload.refusal(refused));
    }
}
