package io.menuboard.tasks;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code SubmitTaskInput} to {@link SubmitTask}. */
record SubmitTaskInput(Map<String, ? extends @Nullable Object> fields) {

    /** Throws {@link io.menuboard.kernel.InvalidInput} naming field and rule. */
    SubmitTask command() {
        var type = new TaskType(text("type"));
        type.requireClients("type");
        return new SubmitTask(
                type,
                fields.containsKey("payload") ? Json.of("payload", fields.get("payload")) : Json.EMPTY,
                TaskPriority.valueOf(text("priority")),
                (Instant) fields.get("notBefore"),
                fields.get("maxAttempts") instanceof Integer attempts ? attempts : SubmitTask.DEFAULT_ATTEMPTS,
                (String) fields.get("idempotencyKey"));
    }

    private String text(String name) {
        return String.valueOf(fields.get(name));
    }
}
