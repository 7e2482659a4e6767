package io.menuboard.tasks;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code TaskFilterInput} to {@link TaskFilter}. */
record TaskFilterInput(Map<String, Object> fields) {

    /** Throws {@link io.menuboard.kernel.InvalidInput} naming field and rule. */
    TaskFilter filter() {
        return new TaskFilter(
                TaskStatus.valueOf(String.valueOf(fields.getOrDefault("status", TaskStatus.PENDING))),
                get("type", TaskType::new),
                (Instant) fields.get("submittedFrom"),
                (Instant) fields.get("submittedBefore"),
                get("worker", WorkerId::new),
                (String) fields.get("idempotencyKey"));
    }

    private <T> @Nullable T get(String name, Function<String, T> read) {
        return fields.get(name) instanceof String text ? read.apply(text) : null;
    }
}
