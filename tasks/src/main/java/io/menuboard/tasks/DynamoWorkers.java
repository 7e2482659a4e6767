package io.menuboard.tasks;

import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Workers as items {@code WORKER#{worker}}/{@code META}, listed in {@code gsi1} under {@code WORKERS}: when they last
 * asked for work, and which tasks are kept for them. They expire.
 */
final class DynamoWorkers {
    private static final Duration KEPT_FOR = Duration.ofDays(1);

    /** Of updates that may be repeated when there is no answer, since twice is no more than once. */
    private static final Expression ALWAYS = Expression.of("attribute_exists(pk) OR attribute_not_exists(pk)");

    private final QueryDb db;

    DynamoWorkers(QueryDb db) {
        this.db = db;
    }

    /** Notes that a worker asks for work, and answers the tasks that are kept for it. Two write units. */
    List<TaskId> seen(WorkerId worker, List<TaskType> types, Instant now) {
        var item = update(
                worker,
                now,
                // Who claims a task by its id names no types, and keeps those that it last asked for.
                Expression.of("SET #type = :type, gsi1pk = :workers, gsi1sk = :worker, types = "
                                + (types.isEmpty() ? "if_not_exists(types, :types)" : ":types")
                                + ", firstSeen = if_not_exists(firstSeen, :now), lastSeen = :now, #ttl = :ttl")
                        .name("#type", "type")
                        .name("#ttl", "ttl")
                        .string(":type", "worker")
                        .string(":workers", "WORKERS")
                        .string(":worker", worker.value())
                        .value(
                                ":types",
                                AttributeValue.fromL(types.stream()
                                        .map(type -> AttributeValue.fromS(type.value()))
                                        .toList()))
                        .number(":now", now.toEpochMilli())
                        .number(":ttl", now.plus(KEPT_FOR).getEpochSecond()));
        return reserved(item);
    }

    /** A worker that was away for so long that its item has expired, and is still there, is as good as new. */
    private Item update(WorkerId worker, Instant now, Expression update) {
        try {
            return db.update(key(worker), update, ALWAYS, _ -> false);
        } catch (ConditionFailed _) {
            db.delete(
                    key(worker),
                    Expression.of("#ttl <= :now").name("#ttl", "ttl").number(":now", now.getEpochSecond()));
            return db.update(key(worker), update, ALWAYS, _ -> false);
        }
    }

    /** Keeps a task for a worker. Two write units. */
    void reserve(WorkerId worker, TaskId task, Instant now) {
        update(
                worker,
                now,
                Expression.of("SET #type = :type, #ttl = :ttl ADD reserved :task")
                        .name("#type", "type")
                        .name("#ttl", "ttl")
                        .string(":type", "worker")
                        .number(":ttl", now.plus(KEPT_FOR).getEpochSecond())
                        .value(":task", ids(Set.of(task))));
    }

    /** Forgets tasks that were kept for a worker. Two write units. */
    void collected(WorkerId worker, Set<TaskId> tasks) {
        try {
            db.update(
                    key(worker),
                    Expression.of("DELETE reserved :tasks").value(":tasks", ids(tasks)),
                    Expression.of("attribute_exists(reserved)"),
                    _ -> false);
        } catch (ConditionFailed _) {
            // Another instance has done it.
        }
    }

    Optional<WorkerStatus> find(WorkerId worker) {
        return db.get(key(worker))
                .filter(item -> item.findNumber("lastSeen").isPresent())
                .map(DynamoWorkers::status);
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
                Instant.ofEpochMilli(item.integer("lastSeen")));
    }

    private static List<TaskId> reserved(Item item) {
        var reserved = item.attributes().get("reserved");
        return reserved == null
                ? List.of()
                : reserved.ss().stream().map(TaskId::new).toList();
    }

    private static AttributeValue ids(Set<TaskId> tasks) {
        return AttributeValue.fromSs(tasks.stream().map(TaskId::value).toList());
    }

    private static Key key(WorkerId worker) {
        return new Key("WORKER#" + worker, "META");
    }
}
