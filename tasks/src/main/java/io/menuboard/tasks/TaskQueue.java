package io.menuboard.tasks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.querydb.Actor;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.DynamoTasks.Step;
import io.menuboard.tasks.TaskEvent.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds tasks for the claims of this instance, so that they do not run after the same ones: what was read from the index
 * is shared out among them, and tasks that come in here go straight to a claim that waits. Which claim wins is decided by
 * the table alone. Thread-safe.
 *
 * <p>Order: the highest priority first and then the oldest, among the tasks of a type that were read together, at most
 * {@value #READ_AHEAD}, and not longer ago than {@value #FRESH_MILLIS} ms; and among several types likewise.
 */
final class TaskQueue implements AutoCloseable {
    static final int READ_AHEAD = 256;
    static final int FRESH_MILLIS = 1_000;

    private static final Logger log = LoggerFactory.getLogger(TaskQueue.class);

    /** Of a type that somebody waits for here; others wait in the index. */
    private static final int MOST_OFFERED = 4 * READ_AHEAD;

    private static final int LEAST_AHEAD = 4;
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(FRESH_MILLIS);

    /** Reads at the same instant, by many claims, are one. */
    private static final Duration SAME_TIME = Duration.ofMillis(10);

    /** Much longer than the index lags behind. */
    private static final Duration INDEX_LAG = Duration.ofSeconds(30);

    private static final Comparator<Candidate> FIRST_COME =
            Comparator.comparingInt(Candidate::rank).thenComparing(Candidate::place);

    private final DynamoTasks store;
    private final Supplier<Instant> now;
    private final TasksConfig config;
    private final Map<TaskType, Ready> ready = new ConcurrentHashMap<>();
    private final Cache<String, Boolean> tried = Caffeine.newBuilder()
            .expireAfterWrite(INDEX_LAG)
            .maximumSize(200_000)
            .build();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LongAdder attempts = new LongAdder();
    private final LongAdder wins = new LongAdder();
    private volatile boolean closed;

    TaskQueue(DynamoTasks store, Supplier<Instant> now, TasksConfig config) {
        this.store = store;
        this.now = now;
        this.config = config;
    }

    /**
     * Claims up to so many tasks, waiting for the first one.
     *
     * @param again called at the beginning and about every second of the wait: tasks that came another way
     */
    List<Task> claim(ClaimTasks claim, Duration lease, Actor actor, Supplier<List<Task>> again) {
        var deadline = System.nanoTime() + claim.maxWait().toNanos();
        var oldest = SAME_TIME;
        var waiter = new Waiter(claim.types());
        var waiting = claim.maxWait().isPositive() && waiters.size() < config.maxWaiting();
        if (waiting) {
            // Before the first look, so that nothing comes in between unseen.
            waiters.add(waiter);
        }
        try {
            while (true) {
                var got = new ArrayList<>(again.get());
                try {
                    claimNow(claim, lease, actor, oldest, got);
                } catch (QueryDbException e) {
                    if (got.isEmpty()) {
                        throw e;
                    }
                    // What was won must be answered; what was not is found again.
                    log.warn("claims failed: worker={} won={}", claim.worker(), got.size(), e);
                }
                var left = deadline - System.nanoTime();
                if (!got.isEmpty() || !waiting || left <= 0 || closed) {
                    return got;
                }
                waiter.await(Math.min(left, jittered(config.pollInterval())));
                oldest = config.pollInterval().dividedBy(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            waiters.remove(waiter);
            if (waiter.called()) {
                // Whoever was called and is going may leave something for the next.
                claim.types().forEach(this::call);
            }
        }
    }

    /** A task that has just become pending, so that nobody has to look for it. */
    void offer(Task task) {
        var queue = ready.get(task.type());
        if (queue != null && task.status() == TaskStatus.PENDING && queue.offer(candidate(task, false))) {
            call(task.type());
        }
    }

    /** Tries to make one task this worker's. Empty where somebody else was quicker. */
    Optional<Task> attempt(Task task, WorkerId worker, Duration lease, Actor actor) {
        tried.put(attemptOf(task), true);
        attempts.increment();
        var at = now.get();
        var step = new Step(Kind.CLAIMED, actor, at, worker, null);
        // Where the reply was lost, the lease may have ended again before that was found out.
        try {
            if (store.claim(task, worker, at.plus(lease), step) instanceof Changed.Made(var claimed)
                    && claimed.lease() != null
                    && claimed.attempt() == task.attempt() + 1) {
                wins.increment();
                return Optional.of(claimed.payload(store.payload(claimed)));
            }
            return Optional.empty();
        } catch (QueryDbException e) {
            tried.invalidate(attemptOf(task));
            throw e;
        }
    }

    /** Conditional writes of claims so far. */
    long attempts() {
        return attempts.sum();
    }

    /** Those of them that won their task. */
    long wins() {
        return wins.sum();
    }

    /** Ends every wait. */
    @Override
    public void close() {
        closed = true;
        waiters.forEach(Waiter::call);
        threads.shutdown();
    }

    private void claimNow(ClaimTasks claim, Duration lease, Actor actor, Duration oldest, List<Task> got) {
        var read = false;
        while (got.size() < claim.max() && !closed) {
            var picked = pick(claim.types(), claim.max() - got.size());
            if (picked.isEmpty()) {
                if (read || !read(claim.types(), claim.max() - got.size(), oldest)) {
                    return;
                }
                read = true;
            } else {
                attempt(picked, claim.worker(), lease, actor, got);
            }
        }
    }

    /** Tries each, and adds what was won, also where it throws because the table failed. */
    private void attempt(List<Task> picked, WorkerId worker, Duration lease, Actor actor, List<Task> got) {
        var lost = 0;
        QueryDbException failure = null;
        for (var tried : together(picked.stream()
                .<Supplier<Optional<Task>>>map(task -> () -> attempt(task, worker, lease, actor))
                .toList())) {
            switch (tried) {
                case Tried.Answered(var task) -> {
                    task.ifPresent(got::add);
                    lost += task.isPresent() ? 0 : 1;
                }
                case Tried.Failed(var e) -> failure = e;
            }
        }
        if (lost > 0) {
            picked.stream().map(Task::type).distinct().forEach(type -> ready(type)
                    .contended());
        }
        if (failure != null) {
            throw failure;
        }
    }

    private sealed interface Tried {
        record Answered(Optional<Task> task) implements Tried {}

        record Failed(QueryDbException failure) implements Tried {}
    }

    private List<Tried> together(List<Supplier<Optional<Task>>> calls) {
        if (calls.size() == 1) {
            return List.of(tried(calls.getFirst()));
        }
        try {
            var tries = new ArrayList<Tried>();
            for (var call : threads.invokeAll(
                    calls.stream().<Callable<Tried>>map(c -> () -> tried(c)).toList())) {
                tries.add(call.get());
            }
            return tries;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static Tried tried(Supplier<Optional<Task>> call) {
        try {
            return new Tried.Answered(call.get());
        } catch (QueryDbException e) {
            return new Tried.Failed(e);
        }
    }

    private List<Task> pick(List<TaskType> types, int max) {
        var picked = new ArrayList<Task>();
        while (picked.size() < max) {
            Ready best = null;
            Candidate first = null;
            for (var type : types) {
                var queue = ready(type);
                var head = queue.peek();
                if (head != null && (first == null || FIRST_COME.compare(head, first) < 0)) {
                    best = queue;
                    first = head;
                }
            }
            if (best == null) {
                break;
            }
            best.poll().map(Candidate::task).ifPresent(picked::add);
        }
        return picked;
    }

    /** Looks into the index for every type that nobody looked for so lately; false where there was nothing to look for. */
    private boolean read(List<TaskType> types, int wanted, Duration oldest) {
        var looked = false;
        for (var type : types) {
            looked |= ready(type).read(wanted, oldest);
        }
        return looked;
    }

    private void call(TaskType type) {
        for (var waiter : waiters) {
            if (waiter.types().contains(type) && waiter.call()) {
                return;
            }
        }
    }

    private Ready ready(TaskType type) {
        return ready.computeIfAbsent(type, Ready::new);
    }

    private static long jittered(Duration interval) {
        var nanos = interval.toNanos();
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos);
    }

    private static String attemptOf(Task task) {
        return task.id() + "#" + task.attempt();
    }

    /** @param since when this instance heard of it, in nanoseconds */
    private record Candidate(int rank, String place, Task task, long since) {}

    private static Candidate candidate(Task task, boolean anyOrder) {
        return new Candidate(
                task.priority().rank(),
                anyOrder
                        ? Long.toHexString(ThreadLocalRandom.current().nextLong())
                        : task.id().value(),
                task,
                System.nanoTime());
    }

    /** Pending tasks of one type that this instance knows and has not tried to claim. */
    private final class Ready {
        private final List<Query> lists;
        private final PriorityQueue<Candidate> candidates = new PriorityQueue<>(FIRST_COME);
        private final Set<String> known = new HashSet<>();
        private final Semaphore reading = new Semaphore(1);
        private volatile long readAt = longAgo();
        private volatile boolean contended;

        /** How many to read of each list: more when they were used up, few again when they became old. */
        private volatile int ahead = LEAST_AHEAD;

        Ready(TaskType type) {
            lists = store.lists(TaskStatus.PENDING, List.of(type));
        }

        synchronized boolean offer(Candidate candidate) {
            return candidates.size() < MOST_OFFERED && add(candidate);
        }

        private boolean add(Candidate candidate) {
            var attempt = attemptOf(candidate.task());
            return tried.getIfPresent(attempt) == null && known.add(attempt) && candidates.add(candidate);
        }

        synchronized @Nullable Candidate peek() {
            var first = candidates.peek();
            while (first != null && System.nanoTime() - first.since() > FRESH_NANOS) {
                // An old picture, and a larger one than was needed: the index has a newer one, which must be looked at
                // now, since whoever was called for this task is not called again.
                candidates.remove();
                known.remove(attemptOf(first.task()));
                ahead = LEAST_AHEAD;
                readAt = longAgo();
                first = candidates.peek();
            }
            return first;
        }

        /** Takes the first one, which no other claim of this instance will try then. */
        synchronized Optional<Candidate> poll() {
            var first = Optional.ofNullable(candidates.poll());
            first.map(candidate -> attemptOf(candidate.task())).ifPresent(attempt -> {
                known.remove(attempt);
                tried.put(attempt, true);
            });
            return first;
        }

        /** Others are after the same tasks: from now on this instance goes about them in an order of its own. */
        void contended() {
            contended = true;
            ahead = mostAhead();
        }

        private int mostAhead() {
            return Math.ceilDiv(READ_AHEAD, lists.size());
        }

        private static long longAgo() {
            return System.nanoTime() - TimeUnit.HOURS.toNanos(1);
        }

        private long age() {
            return System.nanoTime() - readAt;
        }

        boolean read(int wanted, Duration oldest) {
            if (age() < oldest.toNanos()) {
                return false;
            }
            reading.acquireUninterruptibly();
            try {
                if (age() < oldest.toNanos()) {
                    return true; // somebody else has just done it
                }
                var anyOrder = contended;
                contended = false;
                var begin = System.nanoTime();
                readAt = begin;
                var each = Math.min(Math.max(ahead, Math.ceilDiv(wanted, lists.size())), mostAhead());
                ahead = Math.min(2 * each, mostAhead());
                var found = new ArrayList<Task>();
                if (lists.size() == 1) {
                    found.addAll(store.first(lists.getFirst(), each));
                } else {
                    for (var list : threads.invokeAll(lists.stream()
                            .<Callable<List<Task>>>map(list -> () -> store.first(list, each))
                            .toList())) {
                        found.addAll(list.get());
                    }
                }
                replace(found, anyOrder, begin);
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof QueryDbException failed ? failed : new IllegalStateException(e);
            } finally {
                reading.release();
            }
        }

        private synchronized void replace(List<Task> found, boolean anyOrder, long begin) {
            // What came in during the look may not have been in the index yet.
            var later = candidates.stream()
                    .filter(candidate -> candidate.since() - begin > 0)
                    .toList();
            candidates.clear();
            known.clear();
            later.forEach(this::add);
            found.forEach(task -> add(candidate(task, anyOrder)));
        }
    }

    /** A claim that waits. */
    private static final class Waiter {
        private final List<TaskType> types;
        private final Semaphore calls = new Semaphore(0);
        private boolean called;

        Waiter(List<TaskType> types) {
            this.types = types;
        }

        List<TaskType> types() {
            return types;
        }

        /** False where it was called before and has not looked yet. */
        synchronized boolean call() {
            if (called) {
                return false;
            }
            called = true;
            calls.release();
            return true;
        }

        void await(long nanos) throws InterruptedException {
            if (calls.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                synchronized (this) {
                    called = false;
                }
            }
        }

        synchronized boolean called() {
            return called;
        }
    }
}
