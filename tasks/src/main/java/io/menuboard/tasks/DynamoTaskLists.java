package io.menuboard.tasks;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.LazyStreams;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Tasks by status, in the index: pending ones of a type as they are claimed, scheduled and running ones of all types by their
 * instant, finished ones of a type as they were submitted. Each such list is in several shards. Eventually consistent; what this
 * version cannot read is left out. Thread-safe.
 */
public final class DynamoTaskLists {
    /** So many tasks of a list are read by the request that asks whether it has any: as a rule half a read unit all the same. */
    static final int FEW = 10;

    private static final int LISTS_AT_ONCE = 32;
    private static final Set<TaskPriority> ALL_PRIORITIES = Set.of(TaskPriority.values());

    private final QueryDb db;
    private final DynamoTaskItem items;

    DynamoTaskLists(QueryDb db, DynamoTaskItem items) {
        this.db = db;
        this.items = items;
    }

    /** A shard of the index with tasks of one status, in order; half a read unit per 4 KB that is read of it. */
    public record TaskList(Query query) {

        /** The part of a list that is ordered by time, up to and with that instant. */
        public TaskList until(Instant instant) {
            return between("0", Key.sortable(instant) + "~");
        }

        /** The part of a list of pending tasks that has lower priorities than this one. */
        TaskList below(TaskPriority priority) {
            return between(priority.afterRank() + "#", "~");
        }

        private TaskList between(String low, String high) {
            return new TaskList(query.between(low, high));
        }
    }

    /** The lists that together have every task of that status, and of those types, which statuses ordered by time ignore. */
    public List<TaskList> of(TaskStatus status, List<TaskType> types) {
        return items.lists(status, types).stream().map(TaskList::new).toList();
    }

    /**
     * The lists that together have every task of those types that the filter's status and times of submission let through. For
     * pending tasks of several types with such times, a request for each shard of each type: half a read unit per 4 KB of its
     * first tasks.
     */
    List<TaskList> of(TaskFilter filter, List<TaskType> types) {
        var lists = of(filter.status(), types);
        var from = filter.submittedFrom();
        var before = filter.submittedBefore();
        if ((from == null && before == null) || filter.status().isOrderedByTime()) {
            return lists;
        }
        var low = from == null ? "0" : Ulid.earliest(from);
        var high = before == null ? "~" : Ulid.earliest(before);
        if (filter.status() != TaskStatus.PENDING) {
            return lists.stream().map(list -> list.between(low, high)).toList();
        }
        // Most of many types have few pending tasks: reading those first saves asking for each of their priorities.
        List<Set<TaskPriority>> priorities = types.size() == 1
                ? Collections.nCopies(lists.size(), ALL_PRIORITIES)
                : Concurrently.map(LISTS_AT_ONCE, lists, list -> priorities(list, filter));
        return Stream.of(TaskPriority.values())
                .flatMap(priority -> IntStream.range(0, lists.size())
                        .filter(i -> priorities.get(i).contains(priority))
                        .mapToObj(i -> lists.get(i).between(priority.rank() + "#" + low, priority.rank() + "#" + high)))
                .toList();
    }

    /** Those that pending tasks of the list may have that the filter lets through. */
    private Set<TaskPriority> priorities(TaskList list, TaskFilter filter) {
        var few = first(list, FEW);
        return few.size() < FEW
                ? few.stream().filter(filter::matches).map(Task::priority).collect(Collectors.toSet())
                : ALL_PRIORITIES;
    }

    /** A page of all tasks of those lists, merged. */
    Page<Task> page(List<String> name, List<TaskList> lists, PageRequest page) {
        return db.query(name, queries(lists), DynamoTaskItem::read, page);
    }

    /** A page of those of them that the filter lets through. */
    Page<Task> page(List<String> name, List<TaskList> lists, PageRequest page, Function<Task, Boolean> filter) {
        return db.query(name, queries(lists), page, () -> item -> read(item).filter(filter::apply));
    }

    private static List<Query> queries(List<TaskList> lists) {
        return lists.stream().map(TaskList::query).toList();
    }

    /** All tasks of those lists, one list after the other, as they are consumed. */
    public Stream<Task> all(List<TaskList> lists) {
        return LazyStreams.flatMap(lists.stream().map(TaskList::query), db::all).flatMap(item -> read(item).stream());
    }

    /** The first of one list; one request, and more only to get past what cannot be read. */
    public List<Task> first(TaskList list, int count) {
        Function<List<List<Item>>, List<Optional<Task>>> readable =
                groups -> groups.stream().map(group -> read(group.getFirst())).toList();
        return db.query(list.query(), PageRequest.forward(count, null), readable)
                .nodes();
    }

    Count size(TaskList list, int atMost) {
        return db.size(list.query(), atMost);
    }

    private Optional<Task> read(Item item) {
        return db.readable(item, DynamoTaskItem::read);
    }
}
