package io.menuboard.tasks;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selection of tasks.
 *
 * @param type only of this type; null for all
 * @param submittedFrom only submitted then or later; null for any
 * @param submittedBefore only submitted earlier; null for any
 * @param worker only held by this worker, for status {@link TaskStatus#RUNNING}; null for any
 * @param idempotencyKey only the task that this key of whoever asks stands for, whatever its status; null for any
 */
public record TaskFilter(
        TaskStatus status,
        @Nullable TaskType type,
        @Nullable Instant submittedFrom,
        @Nullable Instant submittedBefore,
        @Nullable WorkerId worker,
        @Nullable String idempotencyKey) {

    /** Throws {@link InvalidInput} {@code INVALID_FILTER} for parts that do not go together. */
    public TaskFilter {
        if (worker != null && status != TaskStatus.RUNNING) {
            throw new InvalidInput(
                    "INVALID_FILTER", "worker", "can only be given with status RUNNING, in which tasks are held");
        }
        if (idempotencyKey != null) {
            Ids.check("idempotencyKey", idempotencyKey);
            if (type != null || submittedFrom != null || submittedBefore != null || worker != null) {
                throw new InvalidInput(
                        "INVALID_FILTER", "idempotencyKey", "can only be given alone: it finds one task");
            }
        }
        if (submittedFrom != null && submittedBefore != null && !submittedFrom.isBefore(submittedBefore)) {
            throw new InvalidInput("INVALID_FILTER", "submittedBefore", "must be later than submittedFrom");
        }
    }

    /** Every task of that status. */
    public static TaskFilter of(TaskStatus status) {
        return new TaskFilter(status, null, null, null, null, null);
    }

    /** Everything that is asked for; an empty text for what is not. */
    Stream<String> parts() {
        return Stream.<@Nullable Object>of(status, type, submittedFrom, submittedBefore, worker, idempotencyKey)
                .map(part -> Objects.toString(part, ""));
    }

    /** True of a task that the filter lets through. */
    public boolean matches(Task task) {
        var lease = task.lease();
        return (type == null || type.equals(task.type()))
                && (submittedFrom == null || !task.submittedAt().isBefore(submittedFrom))
                && (submittedBefore == null || task.submittedAt().isBefore(submittedBefore))
                && (worker == null || (lease != null && lease.worker().equals(worker)))
                && (idempotencyKey == null || idempotencyKey.equals(task.idempotencyKey()));
    }
}
