package io.menuboard.graphql.conditional;

import graphql.GraphQLContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one answer depends on, as its fields say while they are fetched. Thread-safe. */
public final class Dependencies {
    private final AtomicInteger unknown = new AtomicInteger();
    private final ConcurrentLinkedQueue<Known> known = new ConcurrentLinkedQueue<>();

    /** A dependency, and the state of it that is in the answer. */
    record Known(Dependency dependency, Dependency.State state) {}

    /** Those of the answer that a field is fetched for; null where nobody wants to know. */
    public static @Nullable Dependencies of(GraphQLContext context) {
        return context.get(Dependencies.class);
    }

    /** A field is fetched: what it depends on is unknown until it says so. */
    public static void fetched(GraphQLContext context) {
        var all = of(context);
        if (all != null) {
            all.unknown.incrementAndGet();
        }
    }

    /** A field that is being fetched depends on that alone. */
    public void add(Dependency dependency, Dependency.State state) {
        known.add(new Known(dependency, state));
        unknown.decrementAndGet();
    }

    /** All of them; empty where there are others, too. */
    List<Known> all() {
        return unknown.get() == 0 ? List.copyOf(known) : List.of();
    }

    /** States now of dependencies, in their order; empty where one of them cannot be told. */
    static Optional<List<Dependency.State>> states(
            List<Dependency> dependencies, Function<Dependency, Optional<Dependency.State>> stateOf) {
        var states = new ArrayList<Dependency.State>();
        for (var dependency : dependencies) {
            var state = stateOf.apply(dependency);
            if (state.isEmpty()) {
                return Optional.empty();
            }
            states.add(state.get());
        }
        return Optional.of(states);
    }
}
