package io.menuboard.tasks;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.exists;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.TaskData.RecentEvents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events of tasks: the latest in a task's item, and those that have become too many for it as items
 * {@code TASK#{id}}/{@code EVENT#{0001}}, from the ten thousandth on {@code EVENT#~{000010000}}.
 */
final class DynamoTaskHistory {
    /** Events in the item itself; a task that runs once has three. */
    static final int EVENTS_KEPT = 6;

    private static final Logger log = LoggerFactory.getLogger(DynamoTaskHistory.class);

    private final QueryDb db;

    DynamoTaskHistory(QueryDb db) {
        this.db = db;
    }

    /**
     * Every event, paged: half a read unit for the task, and where some have been moved out of it, one request more, which
     * costs a read unit per 4 KB of the page. Empty where there is no such task. Of an event that this version cannot
     * read there is nothing but the gap in the numbers.
     */
    Page<TaskEvent> page(TaskId id, PageRequest page) {
        // The task first: what is moved out of it meanwhile, or has been where this is old, is read twice, and not
        // missed.
        return db.get(DynamoTaskItem.key(id))
                .map(task -> page(id, DynamoTaskItem.recent(task), page))
                .orElseGet(Page::empty);
    }

    /** The same of a task as it was read: no request where all events are in it, else one. */
    Page<TaskEvent> page(Task task, PageRequest page) {
        return page(task.id(), task.data().recent(), page);
    }

    private Page<TaskEvent> page(TaskId id, RecentEvents recent, PageRequest page) {
        // A replica may lack what was moved out of the task just now, without a sign of it.
        var query = Query.table("taskHistory", DynamoTaskItem.partition(id))
                .between("EVENT#", DynamoTaskItem.META)
                .consistency(Consistency.STRONG);
        // In the order of their keys, as the list is.
        var events = new TreeMap<String, Item>();
        var withRecent = recent.first() == 1 || addMoved(id, query, page, events);
        for (var i = 0; withRecent && i < recent.texts().size(); i++) {
            var event = eventItem(id, recent.first() + i, recent.texts().get(i));
            if (isKnown(event)) {
                events.put(event.key().sort(), event);
            }
        }
        var last = recent.first() + recent.texts().size() - 1;
        return db.page(query, List.copyOf(events.values()), page)
                .map(item -> TaskEvent.find(number(item), item.string("event")).orElseThrow())
                .withTotal(() -> Count.exactly(last));
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
                        .filter(DynamoTaskHistory::isKnown))
                .toList());
        moved.nodes().forEach(event -> events.put(event.key().sort(), event));
        if (page.direction() == PageRequest.Direction.FORWARD) {
            if (page.cursor() != null) {
                // A caller with a cursor has seen an event before it.
                events.put(
                        "EVENT#",
                        Item.at(new Key(DynamoTaskItem.partition(id), "EVENT#")).build());
            }
            if (moved.hasNextPage()) {
                var beyond = eventItem(id, number(moved.nodes().getLast()) + 1, "");
                events.put(beyond.key().sort(), beyond);
            }
            return !moved.hasNextPage();
        }
        if (moved.hasPreviousPage()) {
            events.put(
                    "EVENT#",
                    Item.at(new Key(DynamoTaskItem.partition(id), "EVENT#")).build());
        }
        return true;
    }

    private static boolean isKnown(Item event) {
        return TaskEvent.find(number(event), event.string("event")).isPresent();
    }

    private static int number(Item event) {
        return Integer.parseInt(event.key().sort().substring("EVENT#".length()).replace("~", ""));
    }

    /**
     * Moves the oldest events out of the item when they have become too many: first written where they go, then removed
     * where they were. Dying in between does no harm, nor does doing it twice; where it fails, the next step does it.
     *
     * @return the item as it is then
     */
    Item withRoom(TaskId id, Item item) {
        var recent = DynamoTaskItem.recent(item);
        var moving = recent.texts().size() - EVENTS_KEPT / 2;
        if (recent.texts().size() <= EVENTS_KEPT) {
            return item;
        }
        var first = recent.first() + moving;
        var change = Update.of(DynamoTaskItem.key(id))
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
            return db.update(change, current -> DynamoTaskItem.recent(current).first() >= first);
        } catch (ConditionFailed e) {
            // Somebody else moved them.
            return e.current().orElse(item);
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "events not moved yet: task={}", id);
            return item;
        }
    }

    static Key eventKey(TaskId id, int number) {
        // The tilde sorts after every digit, so that the ten thousandth comes after those before it.
        return new Key(
                DynamoTaskItem.partition(id), (number < 10_000 ? "EVENT#%04d" : "EVENT#~%09d").formatted(number));
    }

    private static Item eventItem(TaskId id, int number, String text) {
        return Item.at(eventKey(id, number))
                .type("taskEvent")
                .string("event", text)
                .build();
    }
}
