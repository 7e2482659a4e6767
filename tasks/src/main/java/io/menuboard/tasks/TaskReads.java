package io.menuboard.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.LazyStreams;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks as they are. No answer has a fencing token. Thread-safe.
 *
 * <p>All reads take {@link Permission#TASKS_READ}. Where that is for one worker, the tasks that it holds, or was the last to hold, are
 * the only ones that there are. Lists, counts and types take it for everything, and are {@link Denied} otherwise, but for a list
 * of what that worker holds. Where it is for some stores, no task is there: tasks are of no store.
 */
public final class TaskReads {
    private static final int LISTS_AT_ONCE = 32;

    private final DynamoTasks store;
    private final IdempotencyKeys keys;
    private final Clock clock;
    private final TasksConfig config;

    /** @param clock server time, to the millisecond */
    TaskReads(DynamoTasks store, IdempotencyKeys keys, Clock clock, TasksConfig config) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
        this.config = config;
    }

    /** One task, strongly consistent: one read unit per 4 KB. */
    public Optional<Task> find(Access access, TaskId id) {
        var sight = sight(access);
        return store.find(id, Consistency.STRONG).filter(sight::has).map(Task::withoutToken);
    }

    /**
     * Those of many that there are, strongly consistent, read together: one read unit per 4 KB of each.
     *
     * @param ids all different
     */
    public List<Task> findAll(Access access, List<TaskId> ids) {
        var sight = sight(access);
        return store.findAll(ids).stream()
                .filter(sight::has)
                .map(Task::withoutToken)
                .toList();
    }

    /**
     * Payload of a task that was read before; a read only where it is an item of its own. Null of what is delivered to a webhook,
     * which has prices in it, where the access is not to those of all stores.
     */
    public Json payload(Access access, Task task) {
        return payloads(access, List.of(task)).getFirst();
    }

    /** The same for many, in order: those that are items of their own are read together. */
    public List<Json> payloads(Access access, List<Task> tasks) {
        access.require(Permission.TASKS_READ);
        var seesPrices = access.isForAll(Permission.PRICES_READ);
        var seen = tasks.stream()
                .filter(task -> seesPrices || !task.type().isDelivery())
                .toList();
        var payloads = store.overflow().payloads(seen).iterator();
        return tasks.stream()
                .map(task -> seesPrices || !task.type().isDelivery() ? payloads.next() : Json.NULL)
                .toList();
    }

    /**
     * The same tasks, in order, with their payloads, so that {@link #payload} needs no read: those that are items of their own are
     * read together, and one that is not found is left out. Takes {@link Permission#PRICES_READ} for all stores, too.
     */
    public List<Task> withPayloads(Access access, List<Task> tasks) {
        access.require(Permission.TASKS_READ);
        access.requireForAll(Permission.PRICES_READ);
        return store.overflow().withPayloads(tasks);
    }

    /** Result of a task that was read before; a read only where it is an item of its own. */
    public Optional<Json> result(Access access, Task task) {
        access.require(Permission.TASKS_READ);
        return store.overflow().result(task);
    }

    /** The same for many, in order; null where there is none. Those that are items of their own are read together. */
    public List<@Nullable Json> results(Access access, List<Task> tasks) {
        access.require(Permission.TASKS_READ);
        return store.overflow().results(tasks).stream()
                .<@Nullable Json>map(result -> result.orElse(null))
                .toList();
    }

    /**
     * Everything that ever happened to a task, oldest first; half a read unit, a read unit per 4 KB of what was moved out of the
     * task, and one read unit where only the tasks of a worker are in sight. Empty for no such task.
     */
    public Page<TaskEvent> history(Access access, TaskId id, PageRequest page) {
        var sight = sight(access);
        if (!sight.isAll()
                && store.find(id, Consistency.STRONG).filter(sight::has).isEmpty()) {
            return Page.empty();
        }
        return store.history().page(id, page);
    }

    /**
     * The same for many tasks as they were read, in order: no request for a task whose events are all in it, of which it
     * has a few, and one for each other, some at a time.
     */
    public List<Page<TaskEvent>> histories(Access access, List<Task> tasks, PageRequest page) {
        access.require(Permission.TASKS_READ);
        return Concurrently.map(LISTS_AT_ONCE, tasks, task -> store.history().page(task, page));
    }

    /**
     * Tasks, eventually consistent. Pending ones by priority and then as they were submitted, scheduled and running ones
     * by when they are due or their leases end, finished ones as they were submitted; oldest first.
     *
     * <p>A page of pending or finished tasks costs half a read unit at least for each shard of each type, of scheduled or
     * running ones for each shard. Filters by worker, and any filter of scheduled or running tasks, read past what does
     * not match; counting them stops at {@link Page#COUNTED} tasks, whether they match or not. An idempotency key is looked for among
     * those of whoever asks, for one read unit, and another one, and one for the task, where it is not among them.
     */
    public Page<Task> list(Access access, TaskFilter filter, PageRequest page) {
        requireList(access, filter);
        var key = filter.idempotencyKey();
        if (key != null) {
            return store.byKey(key, ofKey(access, key), page).map(Task::withoutToken);
        }
        return list(lists(filter), List.of(filter), page);
    }

    /**
     * As {@link #list(Access, TaskFilter, PageRequest)}, of several filters that differ in their status alone: finished tasks of any
     * outcome as they were submitted, or scheduled and running ones by their instant.
     *
     * @throws InvalidInput {@code INVALID_FILTER} for statuses whose tasks have no common order
     */
    public Page<Task> list(Access access, List<TaskFilter> filters, PageRequest page) {
        filters.forEach(filter -> requireList(access, filter));
        var first = filters.getFirst();
        if (filters.size() == 1 || first.idempotencyKey() != null) {
            return list(access, first, page);
        }
        var statuses = filters.stream().map(TaskFilter::status).toList();
        if (!statuses.stream().allMatch(TaskStatus::isFinished)
                && !statuses.stream().allMatch(TaskStatus::isOrderedByTime)) {
            throw new InvalidInput(
                    "INVALID_FILTER",
                    "filter.statuses",
                    "can be several of COMPLETED, DEAD and CANCELLED, or SCHEDULED and RUNNING, whose tasks have one order");
        }
        var types = store.types().all();
        var type = first.type();
        var lists = filters.stream()
                .flatMap(filter -> store.lists().of(filter, type == null ? types : List.of(type)).stream())
                .toList();
        return list(lists, filters, page);
    }

    private Page<Task> list(List<DynamoTaskLists.TaskList> lists, List<TaskFilter> filters, PageRequest page) {
        if (lists.isEmpty()) {
            return Page.empty();
        }
        // Not the lists: there are more of them when there is another type.
        var name = filters.stream().flatMap(TaskFilter::parts).toList();
        var found = filters.stream().allMatch(TaskReads::isAllOfItsLists)
                ? store.lists().page(name, lists, page)
                : store.lists()
                        .page(name, lists, page, task -> filters.stream().anyMatch(filter -> filter.matches(task)));
        return found.map(Task::withoutToken);
    }

    /** The task of a key of whoever asks. Who operates all tasks finds those of keys without an owner, too. */
    private Optional<TaskId> ofKey(Access access, String key) {
        var principal = access.principal();
        return keys.find(
                        principal.id(),
                        key,
                        before -> access.isForAll(Permission.TASKS_OPERATE)
                                || store.find(new TaskId(before.target()), Consistency.STRONG)
                                        .filter(task -> TaskSubmission.isBy(principal, task))
                                        .isPresent())
                .map(owner -> new TaskId(owner.target()));
    }

    /** True if only the tasks that it lets through are in its lists, so that none of them has to be read to tell. */
    private static boolean isAllOfItsLists(TaskFilter filter) {
        return !filter.status().isOrderedByTime() || filter.equals(TaskFilter.of(filter.status()));
    }

    private static TaskSight sight(Access access) {
        return TaskSight.of(access, Permission.TASKS_READ);
    }

    private static void requireList(Access access, TaskFilter filter) {
        if (!sight(access).hasAllOf(filter)) {
            access.requireForAll(Permission.TASKS_READ);
        }
    }

    /** Every task of the filter, one list after the other, as it is consumed; to be closed. */
    public Stream<Task> all(Access access, TaskFilter filter) {
        return LazyStreams.flatMap(allByList(access, filter).stream(), list -> list);
    }

    /** As {@link #all}, each list by itself, to read several at once; in order, each to be closed. */
    public List<Stream<Task>> allByList(Access access, TaskFilter filter) {
        requireList(access, filter);
        return lists(filter).stream()
                .map(list ->
                        store.lists().all(List.of(list)).filter(filter::matches).map(Task::withoutToken))
                .toList();
    }

    private List<DynamoTaskLists.TaskList> lists(TaskFilter filter) {
        var type = filter.type();
        return store.lists().of(filter, type == null ? store.types().all() : List.of(type));
    }

    /** Every type that there is a task of, or was one of in the last month, in order. */
    public List<TaskType> types(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        return store.types().all();
    }

    /**
     * Counts the tasks that the filter lets through, in the index; {@code atMost} where there may be more. As dear as
     * reading so many of each list that {@link #list} reads. Empty where only reading the tasks would tell: with a worker or
     * a key, and of scheduled and running ones with any filter.
     */
    public OptionalLong count(Access access, TaskFilter filter, int atMost) {
        requireList(access, filter);
        if (filter.idempotencyKey() != null || !isAllOfItsLists(filter)) {
            return OptionalLong.empty();
        }
        var sum = Concurrently.map(
                        LISTS_AT_ONCE, lists(filter), list -> store.lists().size(list, atMost))
                .stream()
                .mapToLong(Count::count)
                .sum();
        return OptionalLong.of(Math.min(sum, atMost));
    }

    /**
     * Pending tasks of one shard of a type.
     *
     * @param count how many there are, up to {@code menuboard.tasks.count-at-most}
     * @param oldest when the first of them was submitted; null where there is none
     */
    public record PendingTasks(Count count, @Nullable Instant oldest) {}

    /**
     * The pending tasks of each shard of a type. A request for a shard that has few, which are read, and up to five for each other:
     * half a read unit per 4 KB of what is counted, and for each.
     */
    public List<PendingTasks> pending(Access access, TaskType type) {
        access.requireForAll(Permission.TASKS_READ);
        return store.lists().of(TaskStatus.PENDING, List.of(type)).stream()
                .map(this::pending)
                .toList();
    }

    private PendingTasks pending(DynamoTaskLists.TaskList list) {
        var few = store.lists().first(list, DynamoTaskLists.FEW);
        var isAll = few.size() < DynamoTaskLists.FEW;
        var others = isAll ? Stream.<Task>of() : nextInLine(list, afterPriority(list, few.getLast()));
        return new PendingTasks(
                isAll ? Count.exactly(few.size()) : store.lists().size(list, config.countAtMost()),
                Stream.concat(few.stream(), others)
                        .map(Task::submittedAt)
                        .min(Comparator.naturalOrder())
                        .orElse(null));
    }

    /** The scheduled and the running task of each shard whose time comes first; half a read unit each, as they are consumed. */
    public Stream<Task> nextDue(Access access) {
        access.requireForAll(Permission.TASKS_READ);
        return Stream.of(TaskStatus.SCHEDULED, TaskStatus.RUNNING)
                .flatMap(status -> store.lists().of(status, List.of()).stream())
                .flatMap(list -> store.lists().first(list, 1).stream());
    }

    /**
     * The pending task that is next of each priority and shard, shard by shard, as they are consumed; half a read unit each, and
     * one for each shard in which none has the lowest priority.
     */
    public Stream<Task> nextInLine(Access access, TaskType type) {
        access.requireForAll(Permission.TASKS_READ);
        return LazyStreams.flatMap(
                store.lists().of(TaskStatus.PENDING, List.of(type)).stream(),
                list -> nextInLine(list, store.lists().first(list, 1)));
    }

    private Stream<Task> nextInLine(DynamoTaskLists.TaskList list, List<Task> first) {
        return Stream.iterate(first, next -> !next.isEmpty(), next -> afterPriority(list, next.getFirst()))
                .flatMap(List::stream);
    }

    private List<Task> afterPriority(DynamoTaskLists.TaskList list, Task task) {
        return task.priority() == TaskPriority.LOW ? List.of() : store.lists().first(list.below(task.priority()), 1);
    }

    /** Server time, to the millisecond. */
    public Instant now() {
        return clock.instant();
    }
}
