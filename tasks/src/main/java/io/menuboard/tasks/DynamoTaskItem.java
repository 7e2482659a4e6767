package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.tasks.TaskData.Attempts;
import io.menuboard.tasks.TaskData.RecentEvents;
import io.menuboard.tasks.TaskData.Submission;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a task's item {@code TASK#{id}}/{@code META}, and its place in {@code gsi1}:
 * {@code STATUS#PENDING#{type}#{shard}}/{@code {rank}#{id}}, {@code STATUS#SCHEDULED#{shard}} and
 * {@code STATUS#RUNNING#{shard}}/{@code {instant}#{id}}, and for finished tasks
 * {@code STATUS#{status}#{type}#{shard}}/{@code {id}}.
 *
 * @param shards partitions that share the tasks of one status and type
 */
record DynamoTaskItem(int shards) {
    /** Longest payload or result that is kept in the item, whose first KB costs the same however full it is. */
    static final int INLINE_BYTES = 300;

    static final String META = "META";
    private static final String INDEX = "gsi1";

    /**
     * By how much the attribute {@code attempt}, which is the fencing token, is greater than the number of the attempt. A
     * version that knows nothing of it claims by adding one to {@code attempt}, and both readings stay right.
     */
    static final String SKIPPED = "skipped";

    /**
     * The text of the last lease's token, which begins with its fencing token. A version that knows no secrets leaves it as it
     * was, so that it is of another fencing token then.
     */
    static final String LEASE_TOKEN = "leaseToken";

    /** A place in the index. */
    record Place(String partition, String sort) {}

    static String partition(TaskId id) {
        return "TASK#" + id;
    }

    static Key key(TaskId id) {
        return new Key(partition(id), META);
    }

    static boolean isInline(Json json) {
        return json.bytes() <= INLINE_BYTES;
    }

    /** The place of a task of that status; the instant is when it is due, or its lease ends. */
    Place place(TaskStatus status, TaskId id, TaskType type, TaskPriority priority, Instant at) {
        return switch (status) {
            case SCHEDULED, RUNNING -> place(status, id, at);
            case PENDING -> new Place("STATUS#PENDING#" + type + "#" + shard(id), pendingPlace(priority, id));
            case COMPLETED, DEAD, CANCELLED -> new Place("STATUS#" + status + "#" + type + "#" + shard(id), id.value());
        };
    }

    /** The place of a scheduled or running task. */
    Place place(TaskStatus status, TaskId id, Instant at) {
        return new Place("STATUS#" + status + "#" + shard(id), Key.sortable(at) + "#" + id);
    }

    /** The place of a pending task in its list. */
    static String pendingPlace(Task task) {
        return pendingPlace(task.priority(), task.id());
    }

    private static String pendingPlace(TaskPriority priority, TaskId id) {
        return priority.rank() + "#" + id;
    }

    int shard(TaskId id) {
        return Math.floorMod(id.value().hashCode(), shards);
    }

    /** See {@link DynamoTaskLists#of}. */
    List<Query> lists(TaskStatus status, List<TaskType> types) {
        var partitions = status.isOrderedByTime()
                ? Stream.of("STATUS#" + status + "#")
                : types.stream().map(type -> "STATUS#" + status + "#" + type + "#");
        return partitions
                .flatMap(prefix -> IntStream.range(0, shards)
                        .mapToObj(shard -> Query.index("tasks" + status, INDEX, prefix + shard)))
                .toList();
    }

    /** The attributes that its submitter gives it. */
    static Item.Builder submitted(TaskId id, SubmitTask command, Actor by, Instant availableAt) {
        var item = Item.at(key(id))
                .type("task")
                .string("taskType", command.type().value())
                .string("priority", command.priority().name())
                .string("by", by.text())
                .number("availableAt", availableAt.toEpochMilli())
                .number("maxAttempts", command.maxAttempts())
                .number("failures", 0);
        if (isInline(command.payload())) {
            item.string("payload", command.payload().text());
        }
        if (command.idempotencyKey() != null) {
            item.string("key", command.idempotencyKey());
        }
        return item;
    }

    /** The task of an item. */
    static Task read(Item item) {
        var token = token(item);
        var data = new TaskData(
                submission(item),
                attempts(item, token),
                Instant.ofEpochMilli(item.integer("availableAt")),
                item.findString("reason").orElse(null),
                recent(item));
        return switch (TaskStatus.valueOf(item.string("status"))) {
            case PENDING -> new Task.Pending(data);
            case SCHEDULED ->
                new Task.Scheduled(
                        data, item.findString("reservedFor").map(WorkerId::new).orElse(null));
            case RUNNING ->
                new Task.Running(
                        data,
                        new Lease(
                                new WorkerId(item.string("worker")),
                                token,
                                Instant.ofEpochMilli(item.integer("leaseEnd"))));
            case COMPLETED ->
                finished(
                        data,
                        new Task.Outcome.Completed(
                                json(item, "result"), item.attributes().containsKey("resultApart")),
                        item);
            case DEAD -> finished(data, new Task.Outcome.Dead(), item);
            case CANCELLED -> finished(data, new Task.Outcome.Cancelled(), item);
        };
    }

    private static Task finished(TaskData data, Task.Outcome outcome, Item item) {
        return new Task.Finished(data, outcome, Instant.ofEpochMilli(item.integer("finishedAt")));
    }

    private static Submission submission(Item item) {
        return new Submission(
                new TaskId(item.key().partition().substring("TASK#".length())),
                new TaskType(item.string("taskType")),
                TaskPriority.valueOf(item.string("priority")),
                Actor.parse(item.string("by")),
                (int) item.integer("maxAttempts"),
                json(item, "payload"),
                item.findString("key").orElse(null),
                item.findString("clonedFrom").map(TaskId::new).orElse(null));
    }

    private static Lease.Token token(Item item) {
        var fencingToken = (int) item.integer("attempt");
        return item.findString(LEASE_TOKEN)
                .map(Lease.Token::parse)
                .filter(token -> token.fencingToken() == fencingToken)
                .orElseGet(() -> Lease.Token.ofEarlierVersion(fencingToken));
    }

    private static Attempts attempts(Item item, Lease.Token token) {
        return new Attempts(
                token.fencingToken()
                        - item.findNumber(SKIPPED).map(Number::intValue).orElse(0),
                token,
                (int) item.integer("failures"),
                item.findString("worker").map(WorkerId::new).orElse(null),
                instant(item, "startedAt"),
                item.findNumber("done")
                        .map(done -> new TaskProgress(
                                done.longValue(),
                                item.findNumber("total").map(Number::longValue).orElse(null),
                                item.findString("message").orElse(null)))
                        .orElse(null),
                instant(item, "progressAt"));
    }

    /** The events that are in a task's item. */
    static RecentEvents recent(Item item) {
        return new RecentEvents(
                item.findNumber("firstEvent").map(Number::intValue).orElse(1), item.strings("events"));
    }

    private static @Nullable Instant instant(Item item, String name) {
        return item.findNumber(name)
                .map(millis -> Instant.ofEpochMilli(millis.longValue()))
                .orElse(null);
    }

    private static @Nullable Json json(Item item, String name) {
        return item.findString(name).map(Json::stored).orElse(null);
    }
}
