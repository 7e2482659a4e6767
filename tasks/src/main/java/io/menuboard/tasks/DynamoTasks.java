package io.menuboard.tasks;

import static io.menuboard.querydb.Condition.contains;
import static io.menuboard.tasks.TaskEvent.newWriteId;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.SubmitTask.Audited;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Store of tasks. Every transition is one conditional update of a task's {@linkplain DynamoTaskItem item}, which holds its
 * latest events too, so that no step is ever without its event and none needs a transaction (ADR 9).
 */
public final class DynamoTasks {
    private final QueryDb db;
    private final AuditTrail audit;
    private final RandomGenerator random;
    private final DynamoTaskItem items;
    private final DynamoTaskUpdates updates;
    private final DynamoTaskTypes types;
    private final DynamoTaskOverflow overflow;
    private final DynamoTaskHistory history;
    private final DynamoTaskLists lists;

    /**
     * @param audit has a record of what people do to tasks by hand
     * @param random makes write ids
     * @param tokens makes fencing tokens and secrets that cannot be guessed
     */
    DynamoTasks(QueryDb db, AuditTrail audit, RandomGenerator random, RandomGenerator tokens, TasksConfig config) {
        this.db = db;
        this.audit = audit;
        this.random = random;
        this.items = new DynamoTaskItem(config.shards());
        this.updates = new DynamoTaskUpdates(items, tokens, config.retention());
        this.types = new DynamoTaskTypes(db, config);
        this.overflow = new DynamoTaskOverflow(db, config.retention());
        this.history = new DynamoTaskHistory(db);
        this.lists = new DynamoTaskLists(db, items);
    }

    /** Types of tasks. */
    public DynamoTaskTypes types() {
        return types;
    }

    /** Tasks by status. */
    public DynamoTaskLists lists() {
        return lists;
    }

    DynamoTaskOverflow overflow() {
        return overflow;
    }

    DynamoTaskHistory history() {
        return history;
    }

    /** What else the transaction does that changes a task: writes of another store. */
    public record Beside(List<Write> writes) {
        static final Beside NONE = new Beside(List.of());
    }

    /** Outcome of a transition. */
    public sealed interface Changed {

        /** Saved. */
        record Made(Task task) implements Changed {}

        /** The task is not in the state any more that the transition leaves. */
        record Refused(Task current) implements Changed {}

        /** There is no such task. */
        record Absent() implements Changed {}

        /** Another version has written something there that this one does not know. */
        record Unreadable(UnreadableItem why) implements Changed {}
    }

    /**
     * Writes a new task, or answers the one with this id. Two write units per KB; the payload another one per KB where it
     * is an item of its own. With an audit record it is a transaction: so that there is never one without the other.
     *
     * @param notBefore null for at once
     * @param audited null for no audit record
     */
    Task create(
            TaskId id,
            SubmitTask command,
            @Nullable Instant notBefore,
            @Nullable TaskId clonedFrom,
            Step step,
            @Nullable Audited audited) {
        var status = notBefore == null ? TaskStatus.PENDING : TaskStatus.SCHEDULED;
        var availableAt = notBefore == null ? step.at() : notBefore;
        var place = items.place(status, id, command.type(), command.priority(), availableAt);
        var item = DynamoTaskItem.submitted(id, command, step.actor(), availableAt)
                .index(place.partition(), place.sort())
                .string("status", status.name())
                .number("attempt", 0)
                .strings("events", List.of(step.event(status, 0).write(newWriteId(0, random))));
        if (clonedFrom != null) {
            item.string("clonedFrom", clonedFrom.value());
        }
        return create(command, item.build(), audited == null ? null : auditRecord(id, step, audited));
    }

    private Write auditRecord(TaskId id, Step step, Audited audited) {
        return audit.write(step.actor(), "TASK#" + id, audited.action(), audited.details());
    }

    /** As {@link #create}, and claimed by its submitter already. */
    Task createClaimed(TaskId id, SubmitTask command, WorkerId worker, Instant leaseEnd, Step step) {
        var claimed = new Step(Kind.CLAIMED, step.actor(), step.at(), worker, null);
        var token = updates.nextToken(0, 0);
        return create(
                command,
                updates.submittedAndClaimed(id, command, token, leaseEnd, claimed)
                        .strings(
                                "events",
                                List.of(
                                        step.event(TaskStatus.PENDING, 0).write(newWriteId(0, random)),
                                        claimed.event(TaskStatus.RUNNING, 1).write(newWriteId(token, random))))
                        .build(),
                null);
    }

    private Task create(SubmitTask command, Item item, @Nullable Write beside) {
        var task = DynamoTaskItem.read(item);
        if (!DynamoTaskItem.isInline(command.payload())) {
            overflow.savePayload(task.id(), command.payload());
        }
        try {
            if (beside == null) {
                db.save(item, SaveMode.INIT);
            } else {
                db.transact(List.of(Write.put(item, SaveMode.INIT), beside));
            }
            return task;
        } catch (AlreadyExists e) {
            // The id was made for this task, so it is this task; somebody may have claimed it since.
            return e.current().flatMap(this::read).orElse(task);
        } catch (ConditionFailed e) {
            return e.current(item.key()).flatMap(this::read).orElse(task);
        }
    }

    /** That task, or none, as a page of those with that idempotency key. At most one read unit. */
    Page<Task> byKey(String key, Optional<TaskId> task, PageRequest page) {
        var query = Query.table("taskByKey", "IDEM#" + key);
        var found = task.flatMap(id -> db.get(DynamoTaskItem.key(id), Consistency.STRONG))
                .filter(item -> read(item).isPresent());
        return db.page(query, found.stream().toList(), page).map(DynamoTaskItem::read);
    }

    /**
     * One task: half a read unit per 4 KB, or one strongly consistent.
     *
     * @throws UnreadableItem where this version cannot read it: it is there, and must not be taken for absent
     */
    public Optional<Task> find(TaskId id, Consistency consistency) {
        return db.get(DynamoTaskItem.key(id), consistency).map(item -> db.read(item, DynamoTaskItem::read));
    }

    /** Those of many that there are, strongly consistent, read together; {@link UnreadableItem} as of {@link #find}. */
    public List<Task> findAll(List<TaskId> ids) {
        var keys = ids.stream().map(DynamoTaskItem::key).toList();
        return db.getBatch(keys, Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoTaskItem::read))
                .toList();
    }

    /** The same without those that this version cannot read. */
    public List<Task> findReadable(List<TaskId> ids) {
        var keys = ids.stream().map(DynamoTaskItem::key).toList();
        return db.getBatch(keys, Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .flatMap(item -> read(item).stream())
                .toList();
    }

    private Optional<Task> read(Item item) {
        return db.readable(item, DynamoTaskItem::read);
    }

    /** The place of a pending task in its list. */
    public static String pendingPlace(Task task) {
        return DynamoTaskItem.pendingPlace(task);
    }

    /** The same task, so that reading its payload needs no read; one read unit per 4 KB where it is an item of its own. */
    public Task withPayload(Task task) {
        return task.withPayload(overflow.payload(task));
    }

    int shard(TaskId id) {
        return items.shard(id);
    }

    /** Saves a transition: one write unit per KB and two for the task's place in the index. */
    public Changed save(TaskTransition transition) {
        return save(transition, null, Beside.NONE);
    }

    /**
     * The same with an audit record in a transaction, so that there is never one without the other: four to five write units and
     * a read unit more. What has to follow is background work: it is done however late it is, as whoever waited may have gone.
     *
     * @param audited null for no audit record
     * @param beside more for the transaction with the audit record
     * @throws ConditionFailed where it is one of these whose condition does not hold
     */
    Changed save(TaskTransition transition, @Nullable Audited audited, Beside beside) {
        types.register(transition.from().type(), transition.step().at());
        return switch (transition) {
            case TaskTransition.Complete complete ->
                saveResult(complete).orElseGet(() -> expiring(write(complete, audited, beside)));
            case TaskTransition.Retry retry -> {
                // Without its payload it could not be done; its events take too long to wait for where there are many.
                overflow.keepPayload(retry.from());
                var retried = write(retry, audited, beside);
                if (retried instanceof Changed.Made made) {
                    // Whatever finished the task may have set it again in between; from here on it finds the task
                    // unfinished.
                    Workload.BACKGROUND.run(() -> overflow.keep(made.task()));
                }
                yield retried;
            }
            default -> expiring(write(transition, audited, beside));
        };
    }

    private Changed expiring(Changed changed) {
        if (changed instanceof Changed.Made made && made.task() instanceof Task.Finished finished) {
            Workload.BACKGROUND.run(() -> overflow.expire(finished));
        }
        return changed;
    }

    /** Saves a result that is too long for the item; present where the task turns out to be completed already. */
    private Optional<Changed> saveResult(TaskTransition.Complete complete) {
        var task = complete.from();
        var result = complete.result();
        var at = complete.step().at();
        if (result == null || DynamoTaskItem.isInline(result) || overflow.saveResult(task, result, at)) {
            return Optional.empty();
        }
        // It was to be completed before: if it was, that result stays.
        if (overflow.replaceResult(task, result, at)) {
            return Optional.empty();
        }
        var current = find(task.id(), Consistency.STRONG);
        return Optional.of(current.<Changed>map(Changed.Refused::new).orElseGet(Changed.Absent::new));
    }

    private Changed write(TaskTransition transition, @Nullable Audited audited, Beside beside) {
        var from = transition.from();
        var writeId = newWriteId(from.token(), random);
        var attempt = from.attempt() + (transition instanceof TaskTransition.Claim ? 1 : 0);
        var event = transition.step().event(transition.to(), attempt).write(writeId);
        var update = updates.of(transition)
                .append("events", event)
                .when(contains("events", event).not());
        if (audited == null) {
            return changed(
                    from.id(),
                    () -> db.update(update, current -> DynamoTaskItem.recent(current).texts().stream()
                            .anyMatch(text -> TaskEvent.hasWriteId(text, writeId))));
        }
        return changed(from.id(), () -> {
            var record = auditRecord(from.id(), transition.step(), audited);
            db.transact(Stream.concat(Stream.of(update, record), beside.writes().stream())
                    .toList());
            return Workload.BACKGROUND
                    .call(() -> db.get(update.key(), Consistency.STRONG))
                    .orElseThrow();
        });
    }

    /**
     * Gives a lease another end, and reports progress. No event: the task stays in its state. Three write units.
     *
     * @param operations whether it may be of one of the application's own operations
     */
    public Changed extend(
            TaskId id,
            Lease.Proof proof,
            Instant now,
            Instant leaseEnd,
            @Nullable TaskProgress progress,
            boolean operations) {
        var extended = updates.extend(id, proof, now, leaseEnd, progress);
        var allowed = operations ? extended : extended.when(DynamoTaskUpdates.ofClients());
        return changed(id, () -> db.update(allowed, _ -> false));
    }

    private Changed changed(TaskId id, Supplier<Item> update) {
        try {
            return read(history.withRoom(id, update.get()), Changed.Made::new);
        } catch (ConditionFailed e) {
            if (!e.keys().contains(DynamoTaskItem.key(id))) {
                throw e;
            }
            return e.current(DynamoTaskItem.key(id))
                    .map(item -> read(item, Changed.Refused::new))
                    .orElseGet(Changed.Absent::new);
        }
    }

    private Changed read(Item item, Function<Task, Changed> how) {
        try {
            return how.apply(db.read(item, DynamoTaskItem::read));
        } catch (UnreadableItem e) {
            return new Changed.Unreadable(e);
        }
    }
}
