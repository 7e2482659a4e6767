package io.menuboard.graphql.conditional;

import io.menuboard.access.Access;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that an answer depends on, and that can be asked for its state for much less than the answer costs. */
public interface Dependency {
    /**
     * Its state now; empty where that cannot be told, or is not for whoever asks.
     */
    Optional<State> state(Access access);

    /** The same as far as that takes no request to anything; empty otherwise. Never blocks. */
    Optional<State> remembered(Access access);

    /**
     * A state.
     *
     * @param text differs from that of every other state; the same in every instance
     * @param ends when it is another one; null where that is not known
     */
    record State(String text, @Nullable Instant ends) {}
}
