package io.menuboard.tasks;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a task. Everything but the idempotency key is its body.
 *
 * @param payload what the worker needs to know; any JSON value
 * @param notBefore when it may be claimed first, cut to the millisecond; null for at once
 * @param maxAttempts attempts that may fail before it is dead, 1 to {@value #MOST_ATTEMPTS}
 * @param idempotencyKey the same for every repetition of the same request, so that it makes one task; 1 to 64 characters
 *     as {@link Ids} allows. Null makes a new task each time
 * @param keyOwner among whose keys it is
 */
public record SubmitTask(
        TaskType type,
        Json payload,
        TaskPriority priority,
        @Nullable Instant notBefore,
        int maxAttempts,
        @Nullable String idempotencyKey,
        KeyOwner keyOwner) {
    /** Most attempts that may fail. */
    public static final int MOST_ATTEMPTS = 100;

    /** Default. */
    public static final int DEFAULT_ATTEMPTS = 5;

    /** Who shares an idempotency key. */
    public enum KeyOwner {
        /** Whoever submits has the key alone: another principal's is another one. */
        PRINCIPAL,
        /** The application makes the key of what is done, which is done once, whoever asks for it. */
        EVERYBODY
    }

    /**
     * What the audit trail is to have of a task that somebody begins, under {@code TASK#} and its id.
     *
     * @param action what was done
     * @param details further facts by name
     */
    public record Audited(String action, Map<String, String> details) {
        public Audited {
            details = Map.copyOf(details);
        }
    }

    /** With a key, if any, that whoever submits has alone. Throws {@link InvalidInput} naming field and rule. */
    public SubmitTask(
            TaskType type,
            Json payload,
            TaskPriority priority,
            @Nullable Instant notBefore,
            int maxAttempts,
            @Nullable String idempotencyKey) {
        this(type, payload, priority, notBefore, maxAttempts, idempotencyKey, KeyOwner.PRINCIPAL);
    }

    /** Throws {@link InvalidInput} naming field and rule. */
    public SubmitTask {
        if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
            throw new InvalidInput(
                    "INVALID_ATTEMPTS",
                    "maxAttempts",
                    "must be between 1 and " + MOST_ATTEMPTS + ", not " + maxAttempts);
        }
        if (idempotencyKey != null) {
            Ids.check("idempotencyKey", idempotencyKey);
        }
        notBefore = notBefore == null ? null : notBefore.truncatedTo(ChronoUnit.MILLIS);
    }

    /** At once, with normal priority and {@value #DEFAULT_ATTEMPTS} attempts, a new task each time. */
    public static SubmitTask of(TaskType type, Json payload) {
        return new SubmitTask(type, payload, TaskPriority.NORMAL, null, DEFAULT_ATTEMPTS, null);
    }

    /**
     * As {@link #of}, with {@value #MOST_ATTEMPTS} attempts: for the application's own long operations, which nobody
     * submits again. With the longest pause at ten minutes they outlast half a day without table or bucket.
     *
     * @param type must be {@linkplain TaskType#isOperation an operation's}; else {@link IllegalArgumentException}
     */
    public static SubmitTask operation(TaskType type, Json payload) {
        if (!type.isOperation()) {
            throw new IllegalArgumentException(type + " is no operation's type");
        }
        return of(type, payload).maxAttempts(MOST_ATTEMPTS);
    }

    public SubmitTask priority(TaskPriority newPriority) {
        return new SubmitTask(type, payload, newPriority, notBefore, maxAttempts, idempotencyKey, keyOwner);
    }

    public SubmitTask notBefore(@Nullable Instant newNotBefore) {
        return new SubmitTask(type, payload, priority, newNotBefore, maxAttempts, idempotencyKey, keyOwner);
    }

    public SubmitTask maxAttempts(int newMaxAttempts) {
        return new SubmitTask(type, payload, priority, notBefore, newMaxAttempts, idempotencyKey, keyOwner);
    }

    public SubmitTask idempotencyKey(@Nullable String newIdempotencyKey) {
        return new SubmitTask(type, payload, priority, notBefore, maxAttempts, newIdempotencyKey);
    }

    /** The same with a key that the application makes of what is done, so that it is done once, whoever asks for it. */
    public SubmitTask sharedKey(String key) {
        return new SubmitTask(type, payload, priority, notBefore, maxAttempts, key, KeyOwner.EVERYBODY);
    }
}
