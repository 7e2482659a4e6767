package io.menuboard.tasks.claims;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Workers as items {@code WORKER#{worker}}/{@code META}, listed in {@code gsi1} under {@code WORKERS}: when they last
 * asked for work, and which tasks are kept for them. They expire.
 */
final class DynamoWorkers {
    private static final Duration KEPT_FOR = Duration.ofDays(1);
    private static final String LAST_SEEN = "lastSeen";

    private final QueryDb db;

    DynamoWorkers(QueryDb db) {
        this.db = db;
    }

    /** A worker's item: when its heartbeat was last written, or null, and which tasks are reserved for it. */
    record Stored(@Nullable Instant writtenAt, List<TaskId> reserved) {}

    /** Half a read unit. */
    Stored read(WorkerId worker) {
        return db.get(key(worker))
                .map(item -> new Stored(
                        item.findNumber(LAST_SEEN)
                                .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                                .orElse(null),
                        reserved(item)))
                .orElseGet(() -> new Stored(null, List.of()));
    }

    /**
     * Writes that a worker asks for work, unless somebody has done so since then: two write units, or one, of which none is
     * the index's, where somebody has.
     */
    void recordHeartbeat(WorkerId worker, List<TaskType> types, Instant now, Instant since) {
        try {
            var kinds = types.stream().map(TaskType::value).toList();
            var update = Update.of(key(worker))
                    .type("worker")
                    .index("WORKERS", worker.value())
                    .setIfAbsent("firstSeen", now.toEpochMilli())
                    .set(LAST_SEEN, now.toEpochMilli())
                    .ttl(now.plus(KEPT_FOR))
                    .when(Condition.absent(LAST_SEEN).or(Condition.atMost(LAST_SEEN, since.toEpochMilli())));
            // Who claims a task by its id names no types, and keeps those that it last asked for.
            db.update(types.isEmpty() ? update.setIfAbsent("types", kinds) : update.set("types", kinds), _ -> true);
        } catch (ConditionFailed _) {
            // Another instance has done it.
        }
    }

    /** Reserves a task for a worker. Two write units. */
    void reserve(WorkerId worker, TaskId task, Instant now) {
        // Done twice it is no more than done once, so it may be repeated.
        db.update(
                Update.of(key(worker))
                        .type("worker")
                        .ttl(now.plus(KEPT_FOR))
                        .addElements("reserved", Set.of(task.value())),
                _ -> false);
    }

    /** Forgets tasks that were reserved for a worker. Two write units. */
    void collected(WorkerId worker, Set<TaskId> tasks) {
        try {
            db.update(
                    Update.of(key(worker))
                            .deleteElements(
                                    "reserved",
                                    tasks.stream().map(TaskId::value).toList())
                            .when(Condition.exists("reserved")),
                    _ -> false);
        } catch (ConditionFailed _) {
            // Another instance has done it.
        }
    }

    Optional<WorkerStatus> find(WorkerId worker) {
        return db.get(key(worker))
                .filter(item -> item.findNumber(LAST_SEEN).isPresent())
                .map(DynamoWorkers::status);
    }

    /** Those of many that there are, read together. */
    List<WorkerStatus> findAll(List<WorkerId> names) {
        return db.getBatch(names.stream().map(DynamoWorkers::key).toList()).stream()
                .flatMap(Optional::stream)
                .filter(item -> item.findNumber(LAST_SEEN).isPresent())
                .map(DynamoWorkers::status)
                .toList();
    }

    /**
     * A page of what a worker holds. No request.
     *
     * @param held by id
     */
    Page<Task> page(WorkerId worker, List<Task> held, PageRequest page) {
        var list = Query.table("workerTasks", "WORKER#" + worker);
        var byId = held.stream().collect(Collectors.toMap(task -> task.id().value(), Function.identity()));
        var items = held.stream()
                .map(task ->
                        Item.at(new Key("WORKER#" + worker, task.id().value())).build())
                .toList();
        return db.page(list, items, page)
                .map(item -> Objects.requireNonNull(byId.get(item.key().sort())));
    }

    /** By name. */
    Page<WorkerStatus> list(PageRequest page) {
        return db.query(Query.index("workers", "gsi1", "WORKERS"), page).map(DynamoWorkers::status);
    }

    private static WorkerStatus status(Item item) {
        return new WorkerStatus(
                new WorkerId(item.key().partition().substring("WORKER#".length())),
                item.strings("types").stream().map(TaskType::new).toList(),
                Instant.ofEpochMilli(item.integer("firstSeen")),
                Instant.ofEpochMilli(item.integer(LAST_SEEN)));
    }

    private static List<TaskId> reserved(Item item) {
        var reserved = item.attributes().get("reserved");
        return reserved == null
                ? List.of()
                : reserved.ss().stream().map(TaskId::new).toList();
    }

    private static Key key(WorkerId worker) {
        return new Key("WORKER#" + worker, "META");
    }
}
