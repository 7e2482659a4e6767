package io.menuboard.tasks;

import io.menuboard.graphql.Arguments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arguments of fields and mutations about tasks. */
final class TasksInput {
    private TasksInput() {}

    /** With payloads and results, read together, where the document asks for them. */
    static List<Task> loaded(TaskReads tasks, List<Task> found, Arguments args) {
        var read = args.selects("**/payload") ? tasks.withPayloads(found) : found;
        return args.selects("**/result") ? tasks.withResults(read) : read;
    }

    static TaskId id(Arguments args) {
        return new TaskId(args.text("id"));
    }

    static WorkerId worker(Arguments args) {
        return new WorkerId(args.text("worker"));
    }

    static int fencingToken(Arguments args) {
        return args.number("fencingToken");
    }

    static @Nullable Duration lease(Arguments args) {
        Integer seconds = args.find("leaseSeconds");
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    static @Nullable TaskProgress progress(Arguments args) {
        Map<String, Object> progress = args.find("progress");
        return progress == null
                ? null
                : Arguments.within(
                        "progress",
                        () -> new TaskProgress(
                                progress.get("done") instanceof Long done ? done : 0,
                                (Long) progress.get("total"),
                                (String) progress.get("message")));
    }

    static TaskFilter filter(Arguments args) {
        return Arguments.within("filter", () -> new TaskFilterInput(args.object("filter")).filter());
    }
}
