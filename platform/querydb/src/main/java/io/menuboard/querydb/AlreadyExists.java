package io.menuboard.querydb;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A save {@link SaveMode#INIT} found an item at its key. */
public final class AlreadyExists extends QueryDbException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Item current;

    AlreadyExists(Key key, boolean maybeApplied, Optional<Item> current) {
        super("save INIT", List.of(key), "already exists", maybeApplied, null);
        this.current = current.orElse(null);
    }

    /** The item that is there. */
    public Optional<Item> current() {
        return Optional.ofNullable(current);
    }
}
