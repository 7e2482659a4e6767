package io.menuboard.tasks;

import io.menuboard.kernel.UserError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer of a mutation that is about one task, as GraphQL has it. */
public record TaskPayload(@Nullable Task task, List<UserError> errors) {

    /** Of a use case's result. */
    public static TaskPayload of(TaskResult result) {
        return switch (result) {
            case TaskResult.Done(var task) -> new TaskPayload(task, List.of());
            case TaskResult.LeaseLost(var id, var task) ->
                refused(
                        task,
                        "LEASE_LOST",
                        "leaseToken must be of a lease that has not ended, which is not so of task " + id,
                        "leaseToken");
            case TaskResult.NotAllowed(var task, var message) -> refused(task, "NOT_ALLOWED", message, "id");
            case TaskResult.NotFound(var id) -> refused(null, "NOT_FOUND", "there is no task " + id, "id");
        };
    }

    private static TaskPayload refused(@Nullable Task task, String code, String message, String field) {
        return new TaskPayload(task, UserError.list(code, message, "input", field));
    }
}
