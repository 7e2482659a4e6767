package io.menuboard.tasks.claims;

import com.github.benmanes.caffeine.cache.Cache;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.DynamoTaskLists;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pending tasks of one type that this instance knows and has not tried to claim. Thread-safe. */
final class ReadyTasks {
    static final Comparator<Candidate> FIRST_COME = Comparator.comparing(Candidate::place);

    /** Of a type that somebody waits for here; others wait in the index. */
    private static final int MOST_OFFERED = 4 * TaskQueue.READ_AHEAD;

    private static final int LEAST_AHEAD = 4;
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(TaskQueue.FRESH_MILLIS);

    private final List<DynamoTaskLists.TaskList> lists;
    private final DynamoTasks store;
    private final Cache<String, Boolean> tried;
    private final PriorityQueue<Candidate> candidates = new PriorityQueue<>(FIRST_COME);
    private final Set<String> known = new HashSet<>();
    private final Semaphore reading = new Semaphore(1);
    private volatile long readAt = System.nanoTime() - TimeUnit.HOURS.toNanos(1);
    private volatile boolean contended;
    private long forgotAt = System.nanoTime();

    /** Number to read of each list: more when they were used up, few again when they became old. */
    private int ahead = LEAST_AHEAD;

    /** The last place that was read, after which the index may have more; null where it had no more. */
    private @Nullable String horizon = "";

    /** @param tried states of tasks in which claims of this instance have tried them already */
    ReadyTasks(TaskType type, DynamoTasks store, Cache<String, Boolean> tried) {
        this.lists = store.lists().of(TaskStatus.PENDING, List.of(type));
        this.store = store;
        this.tried = tried;
    }

    synchronized boolean offer(Candidate candidate) {
        if (age() > FRESH_NANOS && System.nanoTime() - forgotAt > FRESH_NANOS) {
            // Nobody reads: the next claim will, before it takes any of them.
            keepNew();
            forgotAt = System.nanoTime();
        }
        if (candidates.size() < MOST_OFFERED) {
            return add(candidate);
        }
        horizon = "";
        return false;
    }

    private boolean add(Candidate candidate) {
        var state = stateOf(candidate.task());
        return tried.getIfPresent(state) == null && known.add(state) && candidates.add(candidate);
    }

    synchronized @Nullable Candidate peek() {
        return candidates.peek();
    }

    /** True if the index may have tasks that come before those at hand, because they were not read, or since. */
    synchronized boolean mayMissSome() {
        var first = candidates.peek();
        return age() > FRESH_NANOS
                || (horizon != null && (first == null || first.place().compareTo(horizon) > 0));
    }

    /** Takes the first one, which no other claim of this instance will try then. */
    synchronized Optional<Candidate> poll() {
        var first = Optional.ofNullable(candidates.poll());
        first.map(candidate -> stateOf(candidate.task())).ifPresent(state -> {
            known.remove(state);
            tried.put(state, true);
        });
        return first;
    }

    /** Others are after the same tasks: from now on this instance goes about them in an order of its own. */
    void contended() {
        contended = true;
    }

    private long age() {
        return System.nanoTime() - readAt;
    }

    private boolean isRecent(Duration oldest) {
        return age() < oldest.toNanos() && !mayMissSome();
    }

    boolean read(int wanted, Duration oldest) {
        if (isRecent(oldest)) {
            return false;
        }
        reading.acquireUninterruptibly();
        try {
            if (isRecent(oldest)) {
                return true; // somebody else has just done it
            }
            var anyOrder = contended;
            contended = false;
            var begin = System.nanoTime();
            var each = each(wanted, anyOrder);
            replace(
                    Concurrently.map(lists.size(), lists, list -> store.lists().first(list, each)),
                    each,
                    anyOrder,
                    begin);
            return true;
        } finally {
            reading.release();
        }
    }

    private synchronized int each(int wanted, boolean most) {
        var limit = Math.ceilDiv(TaskQueue.READ_AHEAD, lists.size());
        if (!candidates.isEmpty() && age() > FRESH_NANOS) {
            ahead = LEAST_AHEAD;
        }
        var each = most ? limit : Math.min(Math.max(ahead, Math.ceilDiv(wanted, lists.size())), limit);
        ahead = Math.min(2 * each, limit);
        return each;
    }

    private synchronized void replace(List<List<Task>> found, int each, boolean anyOrder, long begin) {
        keepNew();
        found.forEach(list -> list.forEach(task -> add(Candidate.read(task, anyOrder))));
        horizon = found.stream()
                .filter(list -> list.size() == each)
                .map(list -> DynamoTasks.pendingPlace(list.getLast()))
                .min(Comparator.naturalOrder())
                .orElse(null);
        readAt = begin;
    }

    /** Forgets all but what was offered lately, which may not be in the index yet. */
    private void keepNew() {
        var offered = candidates.stream().filter(Candidate::isNew).toList();
        candidates.clear();
        known.clear();
        offered.forEach(this::add);
    }

    /** Tells the states of a task apart: a retry, which is no attempt, makes it available anew. */
    static String stateOf(Task task) {
        return String.join(
                "#",
                task.id().value(),
                task.status().name(),
                Integer.toString(task.attempt()),
                Long.toString(task.availableAt().toEpochMilli()));
    }

    /**
     * A task to try.
     *
     * @param place as in the index, or one of its own before all others of that priority
     * @param offeredAt when this instance was given it, in nanoseconds; null where it was read
     */
    record Candidate(String place, Task task, @Nullable Long offeredAt) {

        static Candidate offered(Task task) {
            return new Candidate(DynamoTasks.pendingPlace(task), task, System.nanoTime());
        }

        static Candidate read(Task task, boolean anyOrder) {
            var place = anyOrder
                    ? task.priority().rank() + "!" + ThreadLocalRandom.current().nextLong()
                    : DynamoTasks.pendingPlace(task);
            return new Candidate(place, task, null);
        }

        boolean isNew() {
            return offeredAt != null && System.nanoTime() - offeredAt < FRESH_NANOS;
        }
    }
}
