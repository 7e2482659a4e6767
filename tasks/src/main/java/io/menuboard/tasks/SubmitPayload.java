package io.menuboard.tasks;

import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of one submission, as GraphQL has it.
 *
 * @param isNew null where it was refused
 * @param existing task that the idempotency key belongs to, where it belongs to another request
 */
public record SubmitPayload(
        @Nullable Task task,
        @Nullable Boolean isNew,
        @Nullable TaskId existing,
        @Nullable Instant keyExpiresAt,
        List<UserError> errors) {

    /**
     * Of a use case's result.
     *
     * @param within path of the input
     */
    public static SubmitPayload of(SubmitResult result, String... within) {
        return switch (result) {
            case SubmitResult.Created(var task, var expires) -> new SubmitPayload(task, true, null, expires, List.of());
            case SubmitResult.Replayed(var task, var expires) ->
                new SubmitPayload(task, false, null, expires, List.of());
            case SubmitResult.Conflict(var existing, var key) -> {
                var rule = "must be another one for another request: with " + key + ", task " + existing
                        + " was submitted";
                var refused = new InvalidInput("IDEMPOTENCY_KEY_REUSED", "idempotencyKey", rule);
                yield new SubmitPayload(null, null, existing, null, UserError.list(refused, within));
            }
            case SubmitResult.Invalid(var refused) ->
                new SubmitPayload(null, null, null, null, UserError.list(refused, within));
        };
    }

    /** The same of one of many, where it is not known of each whether it is submitted. */
    static SubmitPayload ofEach(Optional<SubmitResult> result, String... within) {
        return of(
                result.orElseGet(() -> new SubmitResult.Invalid(InvalidInput.sentence(
                        "NOT_SAVED",
                        "idempotencyKey",
                        "It is not known whether the task was submitted. Submit it again, with the same"
                                + " idempotency key if it has one"))),
                within);
    }

    /** Key of the task; null where it was refused. */
    public @Nullable String key() {
        return task == null ? null : task.id().value();
    }

    /** Names the fields of an object type with such outcomes. */
    public static SchemaParts.ObjectFields<SubmitPayload> fields(SchemaParts parts, String type) {
        return parts.object(type, SubmitPayload.class)
                .reference("existingTask", "Task", payload -> TasksInput.key(payload.existing()))
                .field("existingTaskKey", SubmitPayload::existing);
    }
}
