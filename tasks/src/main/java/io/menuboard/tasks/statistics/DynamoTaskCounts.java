package io.menuboard.tasks.statistics;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskListener;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskTransition;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.statistics.TaskCounts.Count;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what happens to tasks, in memory, and adds it up in the table from time to time: {@code TASKCOUNTS#{hour}}/
 * {@code {minute}#{type}}. For charts and rates only; nothing is decided by it.
 */
final class DynamoTaskCounts implements TaskListener {
    private static final Logger log = LoggerFactory.getLogger(DynamoTaskCounts.class);
    private static final Duration KEPT_FOR = Duration.ofDays(3);
    private static final int HOURS_AT_ONCE = 16;

    private final QueryDb db;
    private final InstantSource clock;
    private final Map<Slot, Map<Count, Long>> slots = new ConcurrentHashMap<>();

    DynamoTaskCounts(QueryDb db, InstantSource clock) {
        this.db = db;
        this.clock = clock;
    }

    private record Slot(Instant minute, TaskType type) {
        Key key() {
            return new Key(partition(minute), minute + "#" + type);
        }
    }

    @Override
    public void submitted(Task task) {
        add(task.type(), Count.SUBMITTED);
    }

    @Override
    public void claimed(Task task) {
        add(task.type(), Count.CLAIMED);
    }

    @Override
    public void changed(TaskTransition transition, Task task) {
        switch (transition.step().kind()) {
            case COMPLETED -> add(task.type(), Count.COMPLETED);
            case FAILED, LEASE_EXPIRED -> {
                add(task.type(), Count.FAILED);
                if (task.status() == TaskStatus.DEAD) {
                    add(task.type(), Count.DEAD);
                }
            }
            default -> {}
        }
    }

    private void add(TaskType type, Count what) {
        var slot = new Slot(clock.instant().truncatedTo(ChronoUnit.MINUTES), type);
        // Inside compute, so that nothing is added to counts that are being written.
        slots.compute(slot, (_, known) -> {
            var counts = known == null ? new EnumMap<Count, Long>(Count.class) : known;
            counts.merge(what, 1L, Long::sum);
            return counts;
        });
    }

    /** Writes what has come together: one write unit for each type. What cannot be written is forgotten. */
    void flush() {
        for (var slot : List.copyOf(slots.keySet())) {
            var counts = slots.remove(slot);
            if (counts == null) {
                continue;
            }
            var update =
                    Update.of(slot.key()).type("taskCounts").ttl(slot.minute().plus(KEPT_FOR));
            for (var count : counts.entrySet()) {
                update = update.add(count.getKey().name(), count.getValue());
            }
            try {
                db.update(update);
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "task counts lost: minute={} type={}", slot.minute(), slot.type());
            }
        }
    }

    /** Counts of each minute and type from then on, as far as they are kept, oldest first; half a read unit per 4 KB. */
    List<TaskCounts> since(Instant from) {
        return items(from).map(DynamoTaskCounts::counts).toList();
    }

    /** A page of the same; half a read unit for each hour and 4 KB of the page. */
    Page<TaskCounts> since(Instant from, PageRequest page) {
        var first = first(from);
        var queries = hours(first).stream()
                .map(hour -> Query.table("taskCounts", partition(hour)).between(first.toString(), "~"))
                .toList();
        // One list for its cursors, which go on being good while hours begin.
        return db.query(List.of("taskCounts"), queries, DynamoTaskCounts::counts, page);
    }

    private Stream<Item> items(Instant from) {
        var first = first(from);
        var beginning = first.toString();
        return Concurrently.map(HOURS_AT_ONCE, hours(first), this::itemsOf).stream()
                .flatMap(List::stream)
                .filter(item -> item.key().sort().compareTo(beginning) >= 0);
    }

    private Instant first(Instant from) {
        var kept = clock.instant().minus(KEPT_FOR);
        return (from.isBefore(kept) ? kept : from).truncatedTo(ChronoUnit.MINUTES);
    }

    /** Hours from that moment on, at least the one that it is in. */
    private List<Instant> hours(Instant first) {
        var now = clock.instant();
        var last = now.isAfter(first) ? now : first;
        return Stream.iterate(
                        first.truncatedTo(ChronoUnit.HOURS),
                        hour -> !hour.isAfter(last),
                        hour -> hour.plus(1, ChronoUnit.HOURS))
                .toList();
    }

    private List<Item> itemsOf(Instant hour) {
        try (var items = db.all(Query.table("taskCounts", partition(hour)))) {
            return items.toList();
        }
    }

    private static TaskCounts counts(Item item) {
        var sort = item.key().sort();
        var separator = sort.indexOf('#');
        return new TaskCounts(
                Instant.parse(sort.substring(0, separator)),
                new TaskType(sort.substring(separator + 1)),
                count(item, Count.SUBMITTED),
                count(item, Count.CLAIMED),
                count(item, Count.COMPLETED),
                count(item, Count.FAILED),
                count(item, Count.DEAD));
    }

    private static long count(Item item, Count what) {
        return item.findNumber(what.name()).map(Number::longValue).orElse(0L);
    }

    private static String partition(Instant instant) {
        return "TASKCOUNTS#" + instant.truncatedTo(ChronoUnit.HOURS);
    }
}
