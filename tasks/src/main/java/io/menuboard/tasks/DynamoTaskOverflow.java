package io.menuboard.tasks;

import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.exists;

import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Payloads and results that are too long for a task's item: {@code TASK#{id}}/{@code PAYLOAD} and
 * {@code RESULT#{fencingToken}}.
 */
final class DynamoTaskOverflow {
    private static final Logger log = LoggerFactory.getLogger(DynamoTaskOverflow.class);
    private static final int AT_ONCE = 32;

    private final QueryDb db;
    private final Duration retention;

    DynamoTaskOverflow(QueryDb db, Duration retention) {
        this.db = db;
        this.retention = retention;
    }

    /** One write unit per KB. */
    void savePayload(TaskId id, Json payload) {
        db.save(
                Item.at(payloadKey(id))
                        .type("taskPayload")
                        .string("json", payload.text())
                        .build(),
                SaveMode.ANY);
    }

    /** One write unit per KB; false where there is a result of that attempt already, which stays. */
    boolean saveResult(Task.Running task, Json result, Instant at) {
        try {
            db.save(result(task, result, at), SaveMode.INIT);
            return true;
        } catch (AlreadyExists e) {
            return false;
        }
    }

    /** The same in the place of one that was to be the result, and was not; false where the task is not in that attempt any more. */
    boolean replaceResult(Task.Running task, Json result, Instant at) {
        var running = Write.check(
                DynamoTaskItem.key(task.id()),
                equal("status", TaskStatus.RUNNING.name()).and(equal("attempt", task.token())));
        try {
            db.transact(List.of(running, Write.put(result(task, result, at), SaveMode.ANY)));
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private Item result(Task.Running task, Json result, Instant at) {
        return Item.at(resultKey(task.id(), task.token()))
                .type("taskResult")
                .string("json", result.text())
                .ttl(at.plus(retention))
                .build();
    }

    /** A task's payload; one read unit per 4 KB where it is an item of its own. */
    Json payload(Task task) {
        return task.payload() != null ? task.payload() : read(payloadKey(task.id()));
    }

    /** As {@link #payload} for many: half a read unit per 4 KB of each. */
    List<Json> payloads(List<Task> tasks) {
        return withPayloads(tasks).stream().map(this::payload).toList();
    }

    /** The same tasks, with those of their payloads that a read of all together finds: half a read unit per 4 KB of each. */
    List<Task> withPayloads(List<Task> tasks) {
        var stored = tasks.stream().filter(task -> task.payload() == null).toList();
        var read = db.getBatch(
                        stored.stream().map(task -> payloadKey(task.id())).toList())
                .iterator();
        return tasks.stream()
                .map(task -> task.payload() != null
                        ? task
                        : read.next()
                                .map(DynamoTaskOverflow::json)
                                .map(task::withPayload)
                                .orElse(task))
                .toList();
    }

    /** A task's result; one read unit per 4 KB where it is an item of its own. */
    Optional<Json> result(Task task) {
        return task.hasResultOverflow()
                ? Optional.of(read(resultKey(task.id(), task.token())))
                : Optional.ofNullable(task.result());
    }

    /** As {@link #result} for many: half a read unit per 4 KB of each. */
    List<Optional<Json>> results(List<Task> tasks) {
        var stored = tasks.stream().filter(Task::hasResultOverflow).toList();
        var read = db.getBatch(stored.stream()
                        .map(task -> resultKey(task.id(), task.token()))
                        .toList())
                .iterator();
        return tasks.stream()
                .map(task -> task.hasResultOverflow()
                        ? read.next().map(DynamoTaskOverflow::json).or(() -> result(task))
                        : Optional.ofNullable(task.result()))
                .toList();
    }

    private Json read(Key key) {
        return db.get(key, Consistency.STRONG)
                .map(DynamoTaskOverflow::json)
                .orElseThrow(() -> new IllegalStateException("there is nothing at " + key));
    }

    private static Json json(Item item) {
        return Json.stored(item.string("json"));
    }

    /**
     * Lets a finished task's overflow items expire with it, unless it goes on meanwhile; where that fails, they stay, and
     * cost their storage. A transaction for each 99 of them.
     */
    void expire(Task task) {
        var at = task.changedAt().plus(retention);
        var still = Write.check(
                DynamoTaskItem.key(task.id()),
                equal("status", task.status().name()).and(equal("attempt", task.token())));
        var left = keys(task).collect(Collectors.toCollection(ArrayList::new));
        try {
            while (!left.isEmpty()) {
                var some = left.subList(0, Math.min(QueryDb.MAX_TRANSACTION - 1, left.size()));
                var ends = some.stream().map(key -> Update.of(key).ttl(at).when(exists()));
                try {
                    db.transact(Stream.concat(Stream.of(still), ends).toList());
                    some.clear();
                } catch (ConditionFailed e) {
                    if (e.keys().contains(still.key())) {
                        // The task was retried.
                        return;
                    }
                    // Those are gone already.
                    left.removeAll(e.keys());
                }
            }
        } catch (QueryDbException e) {
            QueryDbException.warn(
                    log, e, "overflow items kept longer than their task: task={} items={}", task.id(), left.size());
        }
    }

    /** Removes the TTL of a task's payload, so that it cannot expire before the task. */
    void keepPayload(Task task) {
        if (task.payload() == null) {
            clearTtl(payloadKey(task.id()));
        }
    }

    /**
     * The same of all its overflow items, some at a time; where that fails, they may expire before the task. One write unit
     * per KB.
     */
    void keep(Task task) {
        var failures = new ConcurrentLinkedQueue<RuntimeException>();
        try {
            Concurrently.forEach(AT_ONCE, keys(task), key -> {
                try {
                    clearTtl(key);
                } catch (QueryDbException e) {
                    failures.add(e);
                }
            });
        } catch (CancellationException e) {
            failures.add(e);
        }
        var first = failures.peek();
        if (first != null) {
            QueryDbException.warn(
                    log,
                    first,
                    "overflow items may expire before their task: task={} failures={}",
                    task.id(),
                    failures.size());
        }
    }

    private void clearTtl(Key key) {
        try {
            // What is made again changes nothing.
            db.update(Update.of(key).remove("ttl").when(exists()), _ -> false);
        } catch (ConditionFailed _) {
            // It is gone already.
        }
    }

    private static Stream<Key> keys(Task task) {
        var events = IntStream.range(1, task.data().recent().first())
                .mapToObj(number -> DynamoTaskHistory.eventKey(task.id(), number));
        return task.payload() == null ? Stream.concat(Stream.of(payloadKey(task.id())), events) : events;
    }

    private static Key payloadKey(TaskId id) {
        return new Key(DynamoTaskItem.partition(id), "PAYLOAD");
    }

    private static Key resultKey(TaskId id, int token) {
        return new Key(DynamoTaskItem.partition(id), "RESULT#" + token);
    }
}
