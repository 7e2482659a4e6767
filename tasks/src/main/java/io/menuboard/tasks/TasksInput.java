package io.menuboard.tasks;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GlobalId;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Arguments of fields and mutations about tasks. Each throws {@link InvalidInput} naming field and rule. */
public final class TasksInput {
    private TasksInput() {}

    /** Adds a mutation that is about one task. */
    public static void mutation(SchemaParts parts, String name, Function<Arguments, TaskResult> change) {
        parts.mutation(name, args -> TaskPayload.of(change.apply(args)));
    }

    /** The argument {@code id}. */
    public static TaskId id(Arguments args) {
        return new TaskId(args.key("id", "Task"));
    }

    /** The argument {@code worker}. */
    public static WorkerId worker(Arguments args) {
        return new WorkerId(args.key("worker", "Worker"));
    }

    /** Key of a task that an object names; null for none. */
    public static @Nullable String key(@Nullable TaskId id) {
        return id == null ? null : id.value();
    }

    /** Key of a worker that an object names; null for none. */
    public static @Nullable String key(@Nullable WorkerId worker) {
        return worker == null ? null : worker.value();
    }

    /** The argument {@code filter}, of GraphQL's {@code TaskFilterInput}, which must name one status. */
    public static TaskFilter filter(Arguments args) {
        var filters = filters(args);
        if (filters.size() > 1) {
            throw new InvalidInput("INVALID_FILTER", "filter.statuses", "must be one, as what is done depends on it");
        }
        return filters.getFirst();
    }

    /** The argument {@code filter}, of GraphQL's {@code TaskFilterInput}, once for each of its statuses. */
    static List<TaskFilter> filters(Arguments args) {
        var fields = args.object("filter");
        return Arguments.within("filter", () -> statuses(fields).stream()
                .map(status -> filter(status, fields))
                .toList());
    }

    private static List<TaskStatus> statuses(Map<String, Object> fields) {
        if (!(fields.get("statuses") instanceof List<?> names)) {
            return List.of(TaskStatus.PENDING);
        }
        if (names.isEmpty()) {
            throw new InvalidInput("INVALID_FILTER", "statuses", "must name at least one status");
        }
        return names.stream()
                .distinct()
                .map(name -> TaskStatus.valueOf(name.toString()))
                .toList();
    }

    private static TaskFilter filter(TaskStatus status, Map<String, Object> fields) {
        var worker = find(fields, "worker", id -> new WorkerId(GlobalId.keyOf("Worker", "worker", id)));
        try {
            return new TaskFilter(
                    status,
                    find(fields, "type", TaskType::new),
                    (Instant) fields.get("submittedFrom"),
                    (Instant) fields.get("submittedUntil"),
                    worker,
                    (String) fields.get("idempotencyKey"));
        } catch (InvalidInput e) {
            throw e.field().equals("submittedBefore") ? e.renamed("submittedUntil") : e;
        }
    }

    /** {@code SubmitTaskInput}, of the fields of one. */
    static SubmitTask submission(Map<String, ? extends @Nullable Object> fields) {
        var type = new TaskType(String.valueOf(fields.get("type")));
        type.requireClients("type");
        return new SubmitTask(
                type,
                fields.containsKey("payload") ? Json.of("payload", fields.get("payload")) : Json.EMPTY,
                TaskPriority.valueOf(String.valueOf(fields.get("priority"))),
                (Instant) fields.get("notBefore"),
                fields.get("maxAttempts") instanceof Integer attempts ? attempts : SubmitTask.DEFAULT_ATTEMPTS,
                (String) fields.get("idempotencyKey"));
    }

    private static <T> @Nullable T find(Map<String, Object> fields, String name, Function<String, T> read) {
        return fields.get(name) instanceof String text ? read.apply(text) : null;
    }
}
