package io.menuboard.tasks;

import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Outcome of one {@link SubmitTask}. */
public sealed interface SubmitResult {

    /**
     * There is a new task.
     *
     * @param keyExpiresAt until when the same idempotency key gives this task; null without a key
     */
    record Created(Task task, @Nullable Instant keyExpiresAt) implements SubmitResult {

        /** A worker may have claimed it before its submitter hears of it. */
        public Created {
            task = task.withoutToken();
        }
    }

    /** The same request was made before, and this is its task, as it is now. */
    record Replayed(Task task, Instant keyExpiresAt) implements SubmitResult {

        public Replayed {
            task = task.withoutToken();
        }
    }

    /** The idempotency key belongs to a task that was submitted with another body. Nothing was changed. */
    record Conflict(TaskId existing, String idempotencyKey) implements SubmitResult {}

    /** The request breaks a rule. Nothing was changed. */
    record Invalid(InvalidInput refusal) implements SubmitResult {}
}
