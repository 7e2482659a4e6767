package io.menuboard.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.menuboard.access.Access;
import io.menuboard.graphql.conditional.Dependencies;
import io.menuboard.graphql.conditional.Dependency;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Arguments of a field, and the request that it belongs to. */
@SuppressWarnings("TypeParameterUnusedInFormals") // the schema says what type an argument has, and the engine checks it
public final class Arguments {
    /** The only argument of a mutation. */
    static final String INPUT = "input";

    private final DataFetchingEnvironment field;
    private final Map<String, @Nullable Object> values;

    private Arguments(DataFetchingEnvironment field, Map<String, @Nullable Object> values) {
        this.field = field;
        this.values = values;
    }

    /** Throws {@link InvalidInput} for what breaks a rule that holds for all fields. */
    static Arguments of(DataFetchingEnvironment field) {
        return new Arguments(field, InputRules.arguments(field));
    }

    DataFetchingEnvironment field() {
        return field;
    }

    /** Fields of the only argument of a mutation, as {@link #of}. */
    static Arguments ofInput(DataFetchingEnvironment field) {
        return new Arguments(field, InputRules.input(field, INPUT));
    }

    /** Who asks, and what they may do and see: what use cases take first. */
    public Access access() {
        return ofRequest(Access.class);
    }

    /** The page that {@code first}, {@code after}, {@code last} and {@code before} ask for. */
    public PageRequest page() {
        return PageRequest.of(find("first"), find("after"), find("last"), find("before"), ofRequest(PageLimits.class));
    }

    /** All of them, by name. */
    public Map<String, @Nullable Object> fields() {
        return values;
    }

    /** An argument as its scalar gives it, or its default; null where there is neither. */
    @SuppressWarnings("unchecked")
    public <T> @Nullable T find(String name) {
        return (T) values.get(name);
    }

    /** An argument as its scalar gives it. */
    public <T> T get(String name, T otherwise) {
        var value = this.<T>find(name);
        return value == null ? otherwise : value;
    }

    /** An argument that the schema requires. */
    public <T> T get(String name) {
        return Objects.requireNonNull(this.<T>find(name), name);
    }

    /** A string, an ID or an enum's value; empty where there is none. */
    public String text(String name) {
        return get(name, "");
    }

    /**
     * Key of the node that an {@code ID} names, by its global id or by the key itself; empty where there is none.
     *
     * @param type name of the object type that the argument is about
     */
    public String key(String name, String type) {
        return GlobalId.keyOf(type, name, text(name));
    }

    /** As {@link #key}; null where there is none. */
    public @Nullable String findKey(String name, String type) {
        return GlobalId.keyOrNull(type, name, find(name));
    }

    /** Keys of the nodes that a list of {@code ID} names, as {@link #key}; empty where there is none. */
    public List<String> keys(String name, String type) {
        var ids = this.<List<String>>get(name, List.of());
        return IntStream.range(0, ids.size())
                .mapToObj(i -> GlobalId.keyOf(type, name + "." + i, ids.get(i)))
                .toList();
    }

    /** An {@code Int}; 0 where there is none. */
    public int number(String name) {
        return get(name, 0);
    }

    /** An input object; empty where there is none. */
    public Map<String, Object> object(String name) {
        return get(name, Map.of());
    }

    /** A list of input objects; empty where there is none. */
    public List<Map<String, Object>> objects(String name) {
        return get(name, List.of());
    }

    /** True if the document asks for one of these fields of what this one returns; patterns as graphql-java has them. */
    public boolean selects(String... patterns) {
        return List.of(patterns).stream().anyMatch(field.getSelectionSet()::contains);
    }

    /**
     * Does work that may wait for something to happen on a thread of its own, so that the request's thread is free meanwhile.
     * Waiting does not count towards the request's deadline; the thread is interrupted when the client goes away.
     */
    public <T> CompletableFuture<T> await(Supplier<T> work) {
        var time = RequestTime.of(field.getGraphQlContext());
        return time == null ? CompletableFuture.supplyAsync(work, Thread::startVirtualThread) : time.await(work);
    }

    /** A value that all fields of a request share; made by the first one that asks. */
    public <T> T shared(String name, Supplier<T> value) {
        return field.getGraphQlContext().computeIfAbsent(name, _ -> value.get());
    }

    /** Reads a part of the input; what is wrong with it is wrong with the argument of that name. */
    public static <T> T named(String argument, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw e.renamed(argument);
        }
    }

    /** Reads a part of the input; what is wrong with a field of it is wrong there within that argument. */
    public static <T> T within(String argument, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw e.within(argument);
        }
    }

    /** Reads a part of the input; what is wrong with it is wrong at that path, under the name that the message has. */
    public static <T> T at(String path, Supplier<T> part) {
        try {
            return part.get();
        } catch (InvalidInput e) {
            throw e.at(path);
        }
    }

    /** Whether somebody wants to know what the answer depends on. */
    public boolean isConditional() {
        return Dependencies.of(field.getGraphQlContext()) != null;
    }

    /** Says that the value of this field depends on that alone, whose state is in it: once for each time it is fetched. */
    public void dependsOn(Dependency dependency, Dependency.State state) {
        var all = Dependencies.of(field.getGraphQlContext());
        if (all != null) {
            all.add(dependency, state);
        }
    }

    private <T> T ofRequest(Class<T> type) {
        return Objects.requireNonNull(field.getGraphQlContext().<T>get(type), type::getName);
    }
}
