package io.menuboard.querydb;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A condition did not hold, so nothing was written. {@link #keys()} are those whose conditions failed. */
public final class ConditionFailed extends QueryDbException {

    private static final long serialVersionUID = 1L;

    private final transient Map<Key, Item> current;

    ConditionFailed(String operation, Key key, boolean maybeApplied, Optional<Item> current) {
        this(
                operation,
                List.of(key),
                maybeApplied,
                current.map(item -> Map.of(key, item)).orElse(Map.of()));
    }

    ConditionFailed(String operation, List<Key> keys, boolean maybeApplied, Map<Key, Item> current) {
        super(operation, keys, "the condition does not hold", maybeApplied, null);
        this.current = Map.copyOf(current);
    }

    /** Item at the first failing key; empty when nothing is there, or only something expired. */
    public Optional<Item> current() {
        return current(keys().getFirst());
    }

    /** Item at that failing key; empty when nothing is there, or only something expired. */
    public Optional<Item> current(Key key) {
        return Optional.ofNullable(current.get(key));
    }
}
