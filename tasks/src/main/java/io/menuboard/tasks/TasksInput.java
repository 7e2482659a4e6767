package io.menuboard.tasks;

import static java.util.Objects.requireNonNullElse;

import graphql.schema.DataFetchingEnvironment;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Arguments of fields and mutations about tasks. */
final class TasksInput {
    private TasksInput() {}

    /** With payloads and results, read together, where the document asks for them. */
    static List<Task> loaded(TaskReads tasks, List<Task> found, DataFetchingEnvironment args) {
        var selected = args.getSelectionSet();
        var read = selected.contains("**/payload") ? tasks.withPayloads(found) : found;
        return selected.contains("**/result") ? tasks.withResults(read) : read;
    }

    static <T> T source(DataFetchingEnvironment field, Class<T> type) {
        return type.cast(Objects.requireNonNull(field.getSource()));
    }

    /** The one door: what logins will replace. */
    static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    static int number(DataFetchingEnvironment args, String name) {
        return args.<Integer>getArgumentOrDefault(name, 0);
    }

    static Map<String, Object> object(DataFetchingEnvironment args, String name) {
        return requireNonNullElse(args.<Map<String, Object>>getArgument(name), Map.of());
    }

    static TaskId id(DataFetchingEnvironment args) {
        return new TaskId(text(args, "id"));
    }

    static WorkerId worker(DataFetchingEnvironment args) {
        return new WorkerId(text(args, "worker"));
    }

    static int fencingToken(DataFetchingEnvironment args) {
        return number(args, "fencingToken");
    }

    static @Nullable Duration lease(DataFetchingEnvironment args) {
        Integer seconds = args.getArgument("leaseSeconds");
        return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    static @Nullable TaskProgress progress(DataFetchingEnvironment args) {
        Map<String, Object> progress = args.getArgument("progress");
        return progress == null
                ? null
                : within(
                        "progress",
                        () -> new TaskProgress(
                                progress.get("done") instanceof Long done ? done : 0,
                                (Long) progress.get("total"),
                                (String) progress.get("message")));
    }

    static TaskFilter filter(DataFetchingEnvironment args) {
        return within("filter", () -> new TaskFilterInput(object(args, "filter")).filter());
    }

    static PageRequest page(DataFetchingEnvironment args, PageLimits limits) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }

    /** What is wrong there is wrong in the argument of that name. */
    static <T> T within(String argument, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw e.within(argument);
        }
    }

    /** What is wrong there is wrong at that path. */
    static <T> T at(String path, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw e.at(path);
        }
    }
}
