package io.menuboard.tasks;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcome of one submission, as GraphQL has it. */
public record SubmitPayload(
        SubmitStatus status,
        @Nullable Task task,
        @Nullable TaskId existingTaskId,
        @Nullable Instant keyExpiresAt,
        List<UserError> errors) {
    /** Names of arguments that differ from the names in the use case. */
    private static final Map<String, String> ARGUMENTS =
            Map.of("lease", "leaseSeconds", "wait", "waitSeconds", "status", "filter.status");

    /**
     * Of a use case's result.
     *
     * @param within path of the input
     */
    public static SubmitPayload of(SubmitResult result, String... within) {
        return switch (result) {
            case SubmitResult.Created(var task, var expires) ->
                new SubmitPayload(SubmitStatus.CREATED, task, null, expires, List.of());
            case SubmitResult.Replayed(var task, var expires) ->
                new SubmitPayload(SubmitStatus.REPLAYED, task, null, expires, List.of());
            case SubmitResult.Conflict(var existing, var key) -> {
                var rule = "must be another one for another request: with " + key + ", task " + existing
                        + " was submitted";
                var refused = new InvalidInput("IDEMPOTENCY_KEY_REUSED", "idempotencyKey", rule);
                yield new SubmitPayload(SubmitStatus.CONFLICT, null, existing, null, refusal(refused, within));
            }
            case SubmitResult.Invalid(var refused) ->
                new SubmitPayload(SubmitStatus.INVALID, null, null, null, refusal(refused, within));
        };
    }

    SubmitPayload with(Task read) {
        return new SubmitPayload(status, read, existingTaskId, keyExpiresAt, errors);
    }

    /** {@code SubmitStatus} of the schema. */
    public enum SubmitStatus {
        CREATED,
        REPLAYED,
        CONFLICT,
        INVALID
    }

    /**
     * Arguments that break a rule.
     *
     * @param within path of what was wrong with that
     */
    public static List<UserError> refusal(InvalidInput refused, String... within) {
        var field = ARGUMENTS.getOrDefault(refused.field(), refused.field());
        return UserError.list(refused.at(field), within);
    }
}
