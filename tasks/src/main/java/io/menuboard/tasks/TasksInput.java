package io.menuboard.tasks;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.SchemaParts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Arguments of fields and mutations about tasks. Each throws {@link io.menuboard.kernel.InvalidInput} naming field and rule. */
public final class TasksInput {
    private TasksInput() {}

    /** With payloads and results, read together, where the document asks for them. */
    public static List<Task> loaded(TaskReads tasks, List<Task> found, Arguments args) {
        var read = args.selects("**/payload") ? tasks.withPayloads(found) : found;
        return args.selects("**/result") ? tasks.withResults(read) : read;
    }

    /** Adds a mutation that is about one task. */
    public static void mutation(SchemaParts parts, String name, Function<Arguments, TaskResult> change) {
        parts.mutation(name, args -> TaskPayload.of(change.apply(args)), TaskPayload::refused);
    }

    /** The argument {@code id}. */
    public static TaskId id(Arguments args) {
        return new TaskId(args.text("id"));
    }

    /** The argument {@code worker}. */
    public static WorkerId worker(Arguments args) {
        return new WorkerId(args.text("worker"));
    }

    /** The argument {@code filter}, of GraphQL's {@code TaskFilterInput}. */
    public static TaskFilter filter(Arguments args) {
        var fields = args.object("filter");
        return Arguments.within(
                "filter",
                () -> new TaskFilter(
                        TaskStatus.valueOf(String.valueOf(fields.getOrDefault("status", TaskStatus.PENDING))),
                        find(fields, "type", TaskType::new),
                        (Instant) fields.get("submittedFrom"),
                        (Instant) fields.get("submittedBefore"),
                        find(fields, "worker", WorkerId::new),
                        (String) fields.get("idempotencyKey")));
    }

    private static <T> @Nullable T find(Map<String, Object> fields, String name, Function<String, T> read) {
        return fields.get(name) instanceof String text ? read.apply(text) : null;
    }
}
