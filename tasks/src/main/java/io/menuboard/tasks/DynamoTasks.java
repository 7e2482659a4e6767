package io.menuboard.tasks;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.beginsWith;
import static io.menuboard.querydb.Condition.contains;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.exists;
import static io.menuboard.querydb.Condition.greater;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.tasks.TaskEvent.Kind;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks as items. Every step of a task's life is one conditional update of its item {@code TASK#{id}}/{@code META},
 * which holds its latest events too, so that no step is ever without its event and none needs a transaction (ADR 9).
 *
 * <ul>
 *   <li>{@code gsi1}: {@code STATUS#PENDING#{type}#{shard}}/{@code {rank}#{id}}, {@code STATUS#SCHEDULED#{shard}} and
 *       {@code STATUS#RUNNING#{shard}}/{@code {instant}#{id}}, and for finished tasks
 *       {@code STATUS#{status}#{type}#{shard}}/{@code {id}}
 *   <li>{@code TASK#{id}}/{@code EVENT#{0001}}, from the ten thousandth on {@code EVENT#~{000010000}}: events that have
 *       become too many for the item
 *   <li>{@code TASK#{id}}/{@code PAYLOAD} and {@code RESULT#{attempt}}: what is too long for it
 * </ul>
 */
final class DynamoTasks {
    /** Events in the item itself; a task that runs once has three. */
    static final int EVENTS_KEPT = 6;

    /** Longest payload or result that is kept in the item, whose first KB costs the same however full it is. */
    static final int INLINE_BYTES = 300;

    private static final Logger log = LoggerFactory.getLogger(DynamoTasks.class);
    private static final String INDEX = "gsi1";
    private static final String META = "META";
    private static final String PAYLOAD = "PAYLOAD";

    /**
     * By how much the attribute {@code attempt}, which is the fencing token, is greater than the number of the attempt. A
     * version that knows nothing of it claims by adding one to {@code attempt}, and both readings stay right.
     */
    private static final String SKIPPED = "skipped";

    private final QueryDb db;
    private final RandomGenerator random;
    private final RandomGenerator tokens;
    private final TasksConfig config;
    private final DynamoTaskTypes types;

    /**
     * @param random makes marks
     * @param tokens makes fencing tokens that cannot be guessed
     */
    DynamoTasks(QueryDb db, RandomGenerator random, RandomGenerator tokens, TasksConfig config) {
        this.db = db;
        this.random = random;
        this.tokens = tokens;
        this.config = config;
        this.types = new DynamoTaskTypes(db, config);
    }

    DynamoTaskTypes types() {
        return types;
    }

    /** What became of a change. */
    sealed interface Changed {

        /** Made. */
        record Made(Task task) implements Changed {}

        /** Its condition does not hold. */
        record Refused(Task current) implements Changed {}

        /** There is no such task. */
        record Absent() implements Changed {}

        /** Another version has written something there that this one does not know. */
        record Unreadable(UnreadableItem why) implements Changed {}
    }

    /** Who does what, and why. */
    record Step(
            Kind kind,
            Actor actor,
            Instant at,
            @Nullable WorkerId worker,
            @Nullable String reason) {}

    // ---- submitting

    /**
     * Writes a new task, or answers the one with this id. Two write units per KB; the payload another one per KB where it
     * is kept apart.
     */
    Task create(
            TaskId id, SubmitTask command, Instant availableAt, boolean later, @Nullable TaskId clonedFrom, Step step) {
        var status = later ? TaskStatus.SCHEDULED : TaskStatus.PENDING;
        var place = place(status, id, command.type(), command.priority(), availableAt);
        var item = draft(id, command, availableAt, step)
                .index(place.partition(), place.sort())
                .string("status", status.name())
                .number("attempt", 0)
                .strings("events", List.of(event(step, status, 0).write(mark(0))));
        if (clonedFrom != null) {
            item.string("clonedFrom", clonedFrom.value());
        }
        return create(command, item.build());
    }

    /** As {@link #create}, and claimed by its submitter already. */
    Task begin(TaskId id, SubmitTask command, WorkerId worker, Instant leaseEnd, Step step) {
        var place = place(TaskStatus.RUNNING, id, leaseEnd);
        var claimed = new Step(Kind.CLAIMED, step.actor(), step.at(), worker, null);
        var token = nextToken(0, 0);
        return create(
                command,
                draft(id, command, step.at(), step)
                        .index(place.partition(), place.sort())
                        .string("status", TaskStatus.RUNNING.name())
                        .number("attempt", token)
                        .number(SKIPPED, token - 1)
                        .string("worker", worker.value())
                        .number("leaseEnd", leaseEnd.toEpochMilli())
                        .number("startedAt", step.at().toEpochMilli())
                        .strings(
                                "events",
                                List.of(
                                        event(step, TaskStatus.PENDING, 0).write(mark(0)),
                                        event(claimed, TaskStatus.RUNNING, 1).write(mark(token))))
                        .build());
    }

    private static Item.Builder draft(TaskId id, SubmitTask command, Instant availableAt, Step step) {
        var item = Item.at(meta(id))
                .type("task")
                .string("taskType", command.type().value())
                .string("priority", command.priority().name())
                .string("by", write(step.actor()))
                .number("availableAt", availableAt.toEpochMilli())
                .number("maxAttempts", command.maxAttempts())
                .number("failures", 0);
        if (!isLong(command.payload())) {
            item.string("payload", command.payload().text());
        }
        if (command.idempotencyKey() != null) {
            item.string("key", command.idempotencyKey());
        }
        return item;
    }

    private Task create(SubmitTask command, Item item) {
        var task = task(item);
        if (isLong(command.payload())) {
            db.save(
                    Item.at(payloadKey(task.id()))
                            .type("taskPayload")
                            .string("json", command.payload().text())
                            .build(),
                    SaveMode.ANY);
        }
        try {
            db.save(item, SaveMode.INIT);
            return task;
        } catch (AlreadyExists e) {
            // The id was made for this task, so it is this task; somebody may have claimed it since.
            return e.current().flatMap(this::read).orElse(task);
        }
    }

    // ---- reading

    /** That task, or none, as a page of those with that idempotency key. At most one read unit. */
    Page<Task> byKey(String key, Optional<TaskId> task, PageRequest page) {
        var query = Query.table("taskByKey", "IDEM#" + key);
        var found = task.flatMap(id -> db.get(meta(id), Consistency.STRONG))
                .filter(item -> read(item).isPresent());
        return db.page(query, found.stream().toList(), page).map(DynamoTasks::task);
    }

    /**
     * One task: half a read unit per 4 KB, or one strongly consistent.
     *
     * @throws IllegalStateException where this version cannot read it: it is there, and must not be taken for absent
     */
    Optional<Task> find(TaskId id, Consistency consistency) {
        return db.get(meta(id), consistency).map(item -> db.read(item, DynamoTasks::task));
    }

    /** The same, strongly consistent, and empty where this version cannot read it. */
    Optional<Task> findReadable(TaskId id) {
        return db.get(meta(id), Consistency.STRONG).flatMap(this::read);
    }

    private Optional<Task> read(Item item) {
        return db.readable(item, DynamoTasks::task);
    }

    /** What is kept apart: one read unit per 4 KB. */
    Json payload(Task task) {
        return task.payload() != null ? task.payload() : apart(payloadKey(task.id()));
    }

    /** As {@link #payload} for many: half a read unit per 4 KB of each. */
    List<Json> payloads(List<Task> tasks) {
        var apart = tasks.stream().filter(task -> task.payload() == null).toList();
        var read = db.getBatch(apart.stream().map(task -> payloadKey(task.id())).toList())
                .iterator();
        return tasks.stream()
                .map(task -> task.payload() != null
                        ? task.payload()
                        : read.next().map(DynamoTasks::json).orElseGet(() -> apart(payloadKey(task.id()))))
                .toList();
    }

    Optional<Json> result(Task task) {
        return task.resultApart()
                ? Optional.of(apart(resultKey(task.id(), task.token())))
                : Optional.ofNullable(task.result());
    }

    /** As {@link #result} for many: half a read unit per 4 KB of each. */
    List<Optional<Json>> results(List<Task> tasks) {
        var apart = tasks.stream().filter(Task::resultApart).toList();
        var read = db.getBatch(apart.stream()
                        .map(task -> resultKey(task.id(), task.token()))
                        .toList())
                .iterator();
        return tasks.stream()
                .map(task -> task.resultApart()
                        ? read.next().map(DynamoTasks::json).or(() -> result(task))
                        : Optional.ofNullable(task.result()))
                .toList();
    }

    private Json apart(Key key) {
        return db.get(key, Consistency.STRONG)
                .map(DynamoTasks::json)
                .orElseThrow(() -> new IllegalStateException("there is nothing at " + key));
    }

    private static Json json(Item item) {
        return Json.stored(item.string("json"));
    }

    /**
     * Every event, paged: half a read unit for the task, and where some have been moved out of it, one request more, which
     * costs half a read unit per 4 KB of the page. Empty where there is no such task. Of an event that this version cannot
     * read there is nothing but the gap in the numbers.
     */
    Page<TaskEvent> history(TaskId id, PageRequest page) {
        // The task first: what is moved out of it meanwhile is then read twice, and not missed.
        var task = db.get(meta(id));
        if (task.isEmpty()) {
            return Page.empty();
        }
        var query = Query.table("taskHistory", partition(id)).between("EVENT#", META);
        // In the order of their keys, as the list is.
        var events = new TreeMap<String, Item>();
        var recent = recent(task.get());
        var withRecent = recent.first() == 1 || addMoved(id, query, page, events);
        for (var i = 0; withRecent && i < recent.texts().size(); i++) {
            var event = eventItem(id, recent.first() + i, recent.texts().get(i));
            if (isKnown(event)) {
                events.put(event.key().sort(), event);
            }
        }
        return db.page(query, List.copyOf(events.values()), page)
                .map(item -> TaskEvent.find(number(item), item.string("event")).orElseThrow());
    }

    /**
     * Adds those of the page that were moved out of the task, and something in the place of what lies beyond them.
     *
     * @return whether those that are in the task may be of the page, too, or lie beyond it
     */
    private boolean addMoved(TaskId id, Query query, PageRequest page, Map<String, Item> events) {
        var moved = db.query(query, page, groups -> groups.stream()
                .map(group -> Optional.of(group.getFirst())
                        .filter(item -> item.key().sort().startsWith("EVENT#"))
                        .filter(DynamoTasks::isKnown))
                .toList());
        moved.nodes().forEach(event -> events.put(event.key().sort(), event));
        if (page.direction() == PageRequest.Direction.FORWARD) {
            if (page.cursor() != null) {
                // Whoever has a cursor has seen an event before it.
                events.put("EVENT#", Item.at(new Key(partition(id), "EVENT#")).build());
            }
            if (moved.hasNextPage()) {
                var beyond = eventItem(id, number(moved.nodes().getLast()) + 1, "");
                events.put(beyond.key().sort(), beyond);
            }
            return !moved.hasNextPage();
        }
        if (moved.hasPreviousPage()) {
            events.put("EVENT#", Item.at(new Key(partition(id), "EVENT#")).build());
        }
        return true;
    }

    private static boolean isKnown(Item event) {
        return TaskEvent.find(number(event), event.string("event")).isPresent();
    }

    private static int number(Item event) {
        return Integer.parseInt(event.key().sort().substring("EVENT#".length()).replace("~", ""));
    }

    /** A page of tasks of one status: pending ones as they are claimed, scheduled and running ones by their instant, finished ones as they were submitted. */
    Page<Task> list(List<Query> queries, PageRequest page, Function<Task, Boolean> filter) {
        return db.query(queries, page, item -> read(item).filter(filter::apply));
    }

    /** Everything that those queries find, one after the other, as it is consumed. */
    Stream<Task> all(List<Query> queries) {
        return queries.stream().flatMap(db::all).flatMap(item -> read(item).stream());
    }

    /** The first of one list; one request, and more only to get past what cannot be read. */
    List<Task> first(Query query, int count) {
        Function<List<List<Item>>, List<Optional<Task>>> readable =
                groups -> groups.stream().map(group -> read(group.getFirst())).toList();
        return db.query(query, PageRequest.forward(count, null), readable).nodes();
    }

    long size(Query query, long atMost) {
        return db.size(query, atMost);
    }

    /** The lists that together have every task of that status, and of that type, which statuses that go by time ignore. */
    List<Query> lists(TaskStatus status, List<TaskType> types) {
        var partitions =
                switch (status) {
                    case SCHEDULED, RUNNING -> Stream.of("STATUS#" + status + "#");
                    case PENDING, COMPLETED, DEAD, CANCELLED ->
                        types.stream().map(type -> "STATUS#" + status + "#" + type + "#");
                };
        return partitions
                .flatMap(prefix -> IntStream.range(0, config.shards())
                        .mapToObj(shard -> Query.index("tasks" + status, INDEX, prefix + shard)))
                .toList();
    }

    // ---- the steps of a task's life; each costs one write unit per KB and two for its place in the index

    Changed claim(Task candidate, WorkerId worker, Instant leaseEnd, Step step) {
        var attempt = candidate.attempt() + 1;
        var token = nextToken(candidate.attempt(), candidate.token());
        var change = to(TaskStatus.RUNNING, candidate, leaseEnd)
                .set("worker", worker.value())
                .set("leaseEnd", leaseEnd.toEpochMilli())
                .set("attempt", token)
                .set(SKIPPED, token - attempt)
                .set("startedAt", step.at().toEpochMilli())
                .remove("done")
                .remove("total")
                .remove("message")
                .remove("progressAt")
                .remove("reservedFor")
                .when(equal("status", candidate.status().name()))
                .when(equal("attempt", candidate.token()));
        if (candidate.reservedFor() != null) {
            change = change.when(equal("reservedFor", candidate.reservedFor().value()));
        }
        return make(candidate, change, event(step, TaskStatus.RUNNING, attempt));
    }

    /**
     * Greater than the last one by a step that is drawn from as many as leave room for millions of attempts: 25 bits for
     * the first, 20 for the two hundredth.
     */
    private int nextToken(int attempt, int last) {
        var steps = (int) ((Integer.MAX_VALUE - last) / (64 + 8L * attempt));
        return last + 1 + (steps > 1 ? tokens.nextInt(steps) : 0);
    }

    /**
     * Gives the lease another end, and says how far the work is. No event: it is no step.
     *
     * @param own whether it may be of one of the application's own operations
     */
    Changed extend(TaskId id, int token, Instant now, Instant leaseEnd, @Nullable TaskProgress progress, boolean own) {
        var place = place(TaskStatus.RUNNING, id, leaseEnd);
        var change = whileHeld(Update.of(meta(id)), token, now)
                .set("gsi1pk", place.partition())
                .set("gsi1sk", place.sort())
                .set("leaseEnd", leaseEnd.toEpochMilli());
        if (progress != null) {
            change = change.set("done", progress.done())
                    .setOrRemove("total", progress.total())
                    .setOrRemove("message", progress.message())
                    .set("progressAt", now.toEpochMilli());
        }
        if (!own) {
            change = change.when(
                    beginsWith("taskType", TaskType.OPERATION_PREFIX).not());
        }
        return make(id, change, null, "");
    }

    Changed complete(Task held, int token, @Nullable Json result, Step step) {
        var apart = result != null && isLong(result);
        if (result != null && apart) {
            var item = Item.at(resultKey(held.id(), token))
                    .type("taskResult")
                    .string("json", result.text())
                    .ttl(step.at().plus(config.retention()))
                    .build();
            try {
                db.save(item, SaveMode.INIT);
            } catch (AlreadyExists e) {
                // It was to be completed before: if it was, that result stays.
                var current = find(held.id(), Consistency.STRONG);
                if (current.isEmpty() || current.get().status() != TaskStatus.RUNNING) {
                    return current.<Changed>map(Changed.Refused::new).orElseGet(Changed.Absent::new);
                }
                db.save(item, SaveMode.ANY);
            }
        }
        var change = finish(TaskStatus.COMPLETED, held, step)
                .setOrRemove("result", result == null || apart ? null : result.text())
                .remove("reason");
        if (apart) {
            change = change.set("resultApart", true);
        }
        return make(held, whileHeld(change, token, step.at()), event(step, TaskStatus.COMPLETED, held.attempt()));
    }

    /** Ends an attempt without success: scheduled for then, pending where that is null. */
    Changed again(Task held, @Nullable Instant availableAt, int failures, Step step) {
        var status = availableAt == null ? TaskStatus.PENDING : TaskStatus.SCHEDULED;
        var then = availableAt == null ? step.at() : availableAt;
        var change = to(status, held, then)
                .set("availableAt", then.toEpochMilli())
                .set("failures", failures)
                .setOrRemove("reason", step.reason());
        return make(held, ending(change, held, step), event(step, status, held.attempt()));
    }

    /** Ends an attempt, and the task with it. */
    Changed die(Task held, int failures, Step step) {
        var change =
                finish(TaskStatus.DEAD, held, step).set("failures", failures).setOrRemove("reason", step.reason());
        return make(held, ending(change, held, step), event(step, TaskStatus.DEAD, held.attempt()));
    }

    /** An expired lease ends only if it was not extended; any other only while it lasts. */
    private static Update ending(Update change, Task held, Step step) {
        var lease = held.lease();
        if (lease == null) {
            throw new IllegalStateException("task " + held.id() + " has no lease to end");
        }
        return step.kind() == Kind.LEASE_EXPIRED
                ? change.when(equal("status", TaskStatus.RUNNING.name()))
                        .when(equal("attempt", lease.fencingToken()))
                        .when(equal("leaseEnd", lease.endsAt().toEpochMilli()))
                : whileHeld(change, lease.fencingToken(), step.at());
    }

    /** A scheduled task whose time has come. */
    Changed promote(Task scheduled, Step step) {
        var change = to(TaskStatus.PENDING, scheduled, step.at())
                .remove("reservedFor")
                .when(equal("status", TaskStatus.SCHEDULED.name()))
                .when(equal("availableAt", scheduled.availableAt().toEpochMilli()));
        return make(scheduled, change, event(step, TaskStatus.PENDING, scheduled.attempt()));
    }

    Changed cancel(Task current, Step step) {
        var change = unchanged(finish(TaskStatus.CANCELLED, current, step), current)
                .remove("reservedFor")
                .setOrRemove("reason", step.reason());
        return make(current, change, event(step, TaskStatus.CANCELLED, current.attempt()));
    }

    Changed retry(Task current, Step step) {
        var change = unchanged(to(TaskStatus.PENDING, current, step.at()), current)
                .set("availableAt", step.at().toEpochMilli())
                .set("failures", 0)
                .remove("finishedAt")
                .remove("reason")
                .remove("result")
                .remove("resultApart")
                .remove("ttl");
        keepApart(current);
        var retried = make(current, change, event(step, TaskStatus.PENDING, current.attempt()));
        if (retried instanceof Changed.Made(var now)) {
            // What finished the task may have given it all an end in between; from here on it finds the task
            // unfinished.
            keepApart(now);
        }
        return retried;
    }

    /** Keeps the task for one worker until then. */
    Changed reserve(Task current, WorkerId worker, Instant until, Step step) {
        var change = unchanged(to(TaskStatus.SCHEDULED, current, until), current)
                .set("availableAt", until.toEpochMilli())
                .set("reservedFor", worker.value());
        return make(current, change, event(step, TaskStatus.SCHEDULED, current.attempt()));
    }

    private static Update unchanged(Update change, Task current) {
        return change.when(equal("status", current.status().name())).when(equal("attempt", current.token()));
    }

    private static Update whileHeld(Update change, int token, Instant now) {
        return change.when(equal("status", TaskStatus.RUNNING.name()))
                .when(equal("attempt", token))
                .when(greater("leaseEnd", now.toEpochMilli()));
    }

    private Update to(TaskStatus status, Task task, Instant at) {
        var place = place(status, task.id(), task.type(), task.priority(), at);
        var change = Update.of(meta(task.id()))
                .set("status", status.name())
                .set("gsi1pk", place.partition())
                .set("gsi1sk", place.sort());
        return status == TaskStatus.RUNNING ? change : change.remove("leaseEnd");
    }

    private Update finish(TaskStatus status, Task task, Step step) {
        return to(status, task, step.at())
                .set("finishedAt", step.at().toEpochMilli())
                .set("ttl", step.at().plus(config.retention()).getEpochSecond());
    }

    private Changed make(Task task, Update change, TaskEvent event) {
        types.register(task.type(), event.at());
        var made = make(task.id(), change, event, mark(task.token()));
        if (made instanceof Changed.Made(var now)
                && now.status().isFinished()
                && (now.payload() == null || now.recent().first() > 1)) {
            expireApart(now);
        }
        return made;
    }

    private Changed make(TaskId id, Update change, @Nullable TaskEvent event, String mark) {
        try {
            var item = event == null
                    ? db.update(change, _ -> false)
                    : db.update(
                            change.append("events", event.write(mark))
                                    .when(contains("events", event.write(mark)).not()),
                            current ->
                                    recent(current).texts().stream().anyMatch(text -> TaskEvent.hasMark(text, mark)));
            return changed(withRoomForEvents(id, item), Changed.Made::new);
        } catch (ConditionFailed e) {
            return e.current().map(item -> changed(item, Changed.Refused::new)).orElseGet(Changed.Absent::new);
        }
    }

    private Changed changed(Item item, Function<Task, Changed> how) {
        try {
            return how.apply(db.read(item, DynamoTasks::task));
        } catch (UnreadableItem e) {
            return new Changed.Unreadable(e);
        }
    }

    /**
     * Moves the oldest events out of the item when they have become too many: first written where they go, then removed
     * where they were. Dying in between does no harm, nor does doing it twice; where it fails, the next step does it.
     */
    private Item withRoomForEvents(TaskId id, Item item) {
        var recent = recent(item);
        var moving = recent.texts().size() - EVENTS_KEPT / 2;
        if (recent.texts().size() <= EVENTS_KEPT) {
            return item;
        }
        var first = recent.first() + moving;
        var change = Update.of(meta(id))
                .set("firstEvent", first)
                .removeFirst("events", moving)
                .when(recent.first() == 1 ? exists().and(absent("firstEvent")) : equal("firstEvent", recent.first()));
        try {
            db.saveBatch(IntStream.range(0, moving)
                            .mapToObj(i -> new Save(
                                    eventItem(
                                            id,
                                            recent.first() + i,
                                            recent.texts().get(i)),
                                    SaveMode.ANY))
                            .toList())
                    .orThrow();
            return db.update(change, current -> recent(current).first() >= first);
        } catch (ConditionFailed e) {
            // Somebody else moved them.
            return e.current().orElse(item);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "events not moved yet: task={}", id);
            return item;
        }
    }

    /**
     * What is kept apart goes when its task does, unless that goes on meanwhile; where this does not come to pass, it
     * stays, and costs its storage.
     */
    private void expireApart(Task task) {
        var at = task.changedAt().plus(config.retention());
        var still = Write.check(
                meta(task.id()), equal("status", task.status().name()).and(equal("attempt", task.token())));
        apart(task).forEach(key -> {
            try {
                db.transact(List.of(still, Update.of(key).ttl(at).when(exists())));
            } catch (ConditionFailed _) {
                // The task was retried, or this is gone already.
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "kept longer than its task: key={}", key);
            }
        });
    }

    /** So that nothing of a task goes before the task does. */
    private void keepApart(Task task) {
        apart(task).forEach(key -> {
            try {
                // What is made again changes nothing.
                db.update(Update.of(key).remove("ttl").when(exists()), _ -> false);
            } catch (ConditionFailed _) {
                // It is gone already.
            }
        });
    }

    private static Stream<Key> apart(Task task) {
        var events = IntStream.range(1, task.recent().first()).mapToObj(number -> eventKey(task.id(), number));
        return task.payload() == null ? Stream.concat(Stream.of(payloadKey(task.id())), events) : events;
    }

    // ---- keys and attributes

    private record Place(String partition, String sort) {}

    private Place place(TaskStatus status, TaskId id, Instant at) {
        return new Place("STATUS#" + status + "#" + shard(id), Key.sortable(at) + "#" + id);
    }

    private Place place(TaskStatus status, TaskId id, TaskType type, TaskPriority priority, Instant at) {
        return switch (status) {
            case SCHEDULED, RUNNING -> place(status, id, at);
            case PENDING -> new Place("STATUS#PENDING#" + type + "#" + shard(id), pendingPlace(priority, id));
            case COMPLETED, DEAD, CANCELLED -> new Place("STATUS#" + status + "#" + type + "#" + shard(id), id.value());
        };
    }

    /** Where a pending task is in its list. */
    static String pendingPlace(Task task) {
        return pendingPlace(task.priority(), task.id());
    }

    private static String pendingPlace(TaskPriority priority, TaskId id) {
        return priority.rank() + "#" + id;
    }

    int shard(TaskId id) {
        return Math.floorMod(id.value().hashCode(), config.shards());
    }

    private String mark(int token) {
        var bytes = new byte[9];
        random.nextBytes(bytes);
        return TaskEvent.mark(token, Base64.getUrlEncoder().encodeToString(bytes));
    }

    private static TaskEvent event(Step step, TaskStatus status, int attempt) {
        return new TaskEvent(0, step.at(), step.kind(), status, step.actor(), attempt, step.worker(), step.reason());
    }

    private static boolean isLong(Json json) {
        return json.bytes() > INLINE_BYTES;
    }

    private static String partition(TaskId id) {
        return "TASK#" + id;
    }

    private static Key meta(TaskId id) {
        return new Key(partition(id), META);
    }

    private static Key payloadKey(TaskId id) {
        return new Key(partition(id), PAYLOAD);
    }

    private static Key resultKey(TaskId id, int attempt) {
        return new Key(partition(id), "RESULT#" + attempt);
    }

    private static Key eventKey(TaskId id, int number) {
        // The tilde sorts after every digit, so that the ten thousandth comes after those before it.
        return new Key(partition(id), (number < 10_000 ? "EVENT#%04d" : "EVENT#~%09d").formatted(number));
    }

    private static Item eventItem(TaskId id, int number, String text) {
        return Item.at(eventKey(id, number))
                .type("taskEvent")
                .string("event", text)
                .build();
    }

    private static Task.Recent recent(Item item) {
        return new Task.Recent(
                item.findNumber("firstEvent").map(Number::intValue).orElse(1), item.strings("events"));
    }

    private static String write(Actor actor) {
        return actor.kind() + "\t" + actor.source() + "\t" + actor.name();
    }

    private static Actor readActor(String text) {
        var fields = text.split("\t", 3);
        return Actor.read(fields[0], fields[2], fields[1]);
    }

    private static Task task(Item item) {
        var status = TaskStatus.valueOf(item.string("status"));
        var token = (int) item.integer("attempt");
        var attempt = token - item.findNumber(SKIPPED).map(Number::intValue).orElse(0);
        var worker = item.findString("worker").map(WorkerId::new).orElse(null);
        return new Task(
                new TaskId(item.key().partition().substring("TASK#".length())),
                new TaskType(item.string("taskType")),
                TaskPriority.valueOf(item.string("priority")),
                status,
                readActor(item.string("by")),
                Instant.ofEpochMilli(item.integer("availableAt")),
                (int) item.integer("maxAttempts"),
                attempt,
                token,
                (int) item.integer("failures"),
                status == TaskStatus.RUNNING && worker != null
                        ? new Lease(worker, token, Instant.ofEpochMilli(item.integer("leaseEnd")))
                        : null,
                worker,
                instant(item, "startedAt"),
                instant(item, "finishedAt"),
                json(item, "payload"),
                json(item, "result"),
                item.attributes().containsKey("resultApart"),
                item.findString("reason").orElse(null),
                item.findNumber("done")
                        .map(done -> new TaskProgress(
                                done.longValue(),
                                item.findNumber("total").map(Number::longValue).orElse(null),
                                item.findString("message").orElse(null)))
                        .orElse(null),
                instant(item, "progressAt"),
                item.findString("key").orElse(null),
                item.findString("reservedFor").map(WorkerId::new).orElse(null),
                item.findString("clonedFrom").map(TaskId::new).orElse(null),
                recent(item));
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
