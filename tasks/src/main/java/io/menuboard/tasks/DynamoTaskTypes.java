package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Types of tasks as items {@code TASKTYPES}/{@code {type}}: every type that there is a task of, until it has not been used
 * for long. Thread-safe.
 */
public final class DynamoTaskTypes {
    private static final String TYPES = "TASKTYPES";
    private static final Duration UNUSED_TYPES_KEPT = Duration.ofDays(30);
    private static final Duration REGISTRATION_INTERVAL = Duration.ofDays(1);

    private final QueryDb db;
    private final TasksConfig config;

    /** Time at which this instance last registered a type. */
    private final Cache<TaskType, Instant> registered =
            Caffeine.newBuilder().maximumSize(10_000).build();

    /** Types that this instance is admitting, and how many callers of each. */
    private final Map<TaskType, Integer> entering = new HashMap<>();

    DynamoTaskTypes(QueryDb db, TasksConfig config) {
        this.db = db;
        this.config = config;
    }

    /**
     * Admits a task of a type. One write unit a day for each instance that uses it, and half a read unit per 4 KB of all
     * types before the first one. Instances that do so at the same time may let in one type too many each.
     *
     * @throws InvalidInput {@code TOO_MANY_TYPES}
     */
    void admit(TaskType type, Instant now) {
        if (isRegistered(type, now)) {
            return;
        }
        if (type.isOperation()) {
            register(type, now);
            return;
        }
        enter(type, clientTypes(), now);
        try {
            register(type, now);
        } finally {
            synchronized (entering) {
                entering.computeIfPresent(type, (_, callers) -> callers == 1 ? null : callers - 1);
            }
        }
    }

    /** Counts what this instance has let in since the types were read, too: requests do not wait for each other. */
    private void enter(TaskType type, Set<TaskType> read, Instant now) {
        synchronized (entering) {
            var types = new HashSet<>(read);
            types.addAll(entering.keySet());
            registered.asMap().keySet().stream()
                    .filter(other -> !other.isOperation() && isRegistered(other, now))
                    .forEach(types::add);
            if (!types.contains(type) && types.size() >= config.maxTypes()) {
                throw new InvalidInput(
                        "TOO_MANY_TYPES",
                        "type",
                        "must be one of the " + types.size() + " that there are, and not " + type
                                + ": there are no more until one has not been used for long");
            }
            entering.merge(type, 1, Integer::sum);
        }
    }

    private Set<TaskType> clientTypes() {
        return db.load(TYPES, Consistency.STRONG).stream()
                .map(item -> new TaskType(item.key().sort()))
                .filter(type -> !type.isOperation())
                .collect(Collectors.toSet());
    }

    /** Remembers that a type has tasks, so that lists know where to read. One write unit a day for each instance. */
    public void register(TaskType type, Instant now) {
        if (!isRegistered(type, now)) {
            db.save(
                    Item.at(new Key(TYPES, type.value()))
                            .type("taskType")
                            .ttl(now.plus(config.retention()).plus(UNUSED_TYPES_KEPT))
                            .build(),
                    SaveMode.ANY);
            registered.put(type, now);
        }
    }

    private boolean isRegistered(TaskType type, Instant now) {
        var since = registered.getIfPresent(type);
        return since != null && since.plus(REGISTRATION_INTERVAL).isAfter(now);
    }

    /** Every type, in order; half a read unit per 4 KB. */
    public List<TaskType> all() {
        return db.load(TYPES).stream()
                .map(item -> new TaskType(item.key().sort()))
                .toList();
    }
}
