package io.menuboard.tasks.claims;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.DynamoTasks.Changed;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskListener;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskTransition;
import io.menuboard.tasks.TaskTransition.Step;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds tasks for the claims of this instance, so that they do not run after the same ones: what was read from the index
 * is shared out among them, and tasks that come in here go straight to a claim that waits. Which claim wins is decided by
 * the table alone. Thread-safe.
 *
 * <p>Order: the highest priority first and then the oldest, among the tasks that were in the index not longer ago than
 * {@value #FRESH_MILLIS} ms, and those that came in here since. An instance that loses a claim to another one goes about
 * the next {@value #READ_AHEAD} of each priority in an order of its own.
 */
final class TaskQueue implements TaskListener, AutoCloseable {
    static final int READ_AHEAD = 256;
    static final int FRESH_MILLIS = 1_000;

    private static final String UNREAD = "its payload could not be read";
    private static final Logger log = LoggerFactory.getLogger(TaskQueue.class);

    /** Reads at the same instant, by many claims, are one. */
    static final Duration SAME_TIME = Duration.ofMillis(10);

    /** For what follows from a claim that was won, where whoever asked has less time left. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Much longer than the index lags behind. */
    private static final Duration INDEX_LAG = Duration.ofSeconds(30);

    private final DynamoTasks store;
    private final InstantSource clock;
    private final ClaimsConfig config;
    private final Cache<TaskType, ReadyTasks> ready =
            Caffeine.newBuilder().maximumSize(1_000).build();
    private final Cache<String, Boolean> tried = Caffeine.newBuilder()
            .expireAfterWrite(INDEX_LAG)
            .maximumSize(200_000)
            .build();
    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();
    private final LongAdder attempts = new LongAdder();
    private final LongAdder wins = new LongAdder();
    private volatile boolean closed;

    TaskQueue(DynamoTasks store, InstantSource clock, ClaimsConfig config) {
        this.store = store;
        this.clock = clock;
        this.config = config;
    }

    /**
     * Claims up to so many tasks, waiting for the first one.
     *
     * @param operations true for a claim of this instance itself: it waits also where as many of clients wait as may, and polls
     *     less often for tasks that came in through another instance
     * @param payloads of the request that the claim is part of
     * @param again called before each of these polls: tasks that came another way
     */
    List<Task> claim(
            ClaimTasks claim,
            Duration lease,
            boolean operations,
            Actor actor,
            PayloadBudget payloads,
            Supplier<List<Task>> again) {
        var pollInterval = operations ? config.operationPollInterval() : config.pollInterval();
        var deadline = System.nanoTime() + claim.maxWait().toNanos();
        var oldest = SAME_TIME;
        var waiter = new Waiter(claim.types(), operations);
        var waiting = claim.maxWait().isPositive() && (operations || clientsWaiting() < config.maxWaiting());
        if (waiting) {
            // Before the first poll, so that nothing comes in between unseen.
            waiters.add(waiter);
        }
        try {
            while (true) {
                var got = closed ? new ArrayList<Task>() : new ArrayList<>(again.get());
                try {
                    claimNow(claim, lease, actor, oldest, payloads, got);
                } catch (RuntimeException e) {
                    if (got.isEmpty()) {
                        throw e;
                    }
                    // What was won must be answered, whatever became of the others; they are found again.
                    QueryDbException.warn(log, e, "claims failed: worker={} won={}", claim.worker(), got.size());
                }
                var left = deadline - System.nanoTime();
                if (!got.isEmpty() || !waiting || left <= 0 || closed) {
                    return got;
                }
                waiter.await(Math.min(left, jittered(pollInterval)));
                oldest = pollInterval.dividedBy(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            waiters.remove(waiter);
            if (waiter.called()) {
                // A waiter that was called and leaves may leave tasks for the next.
                claim.types().forEach(this::call);
            }
        }
    }

    @Override
    public void submitted(Task task) {
        offer(task);
    }

    @Override
    public void changed(TaskTransition transition, Task task) {
        offer(task);
    }

    /** A task that has just become pending, so that it needs no poll. */
    void offer(Task task) {
        var queue = ready.getIfPresent(task.type());
        if (queue != null && task.status() == TaskStatus.PENDING && queue.offer(ReadyTasks.Candidate.offered(task))) {
            call(task.type());
        }
    }

    /**
     * Tries to make one task this worker's. Empty where somebody else was quicker. Where it throws, the task is not this worker's,
     * unless the table fails in this, too: then its lease must end first.
     */
    Optional<Task> attempt(Task task, WorkerId worker, Duration lease, Actor actor) {
        var at = clock.instant();
        var claim = task.claim(worker, at.plus(lease), new Step(Kind.CLAIMED, actor, at, worker, null));
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        tried.put(ReadyTasks.stateOf(task), true);
        attempts.increment();
        // Where the reply was lost, the lease may have ended again before that was found out.
        try {
            if (store.save(claim.get()) instanceof Changed.Made(var saved)
                    && saved instanceof Task.Running claimed
                    && claimed.attempt() == task.attempt() + 1) {
                wins.increment();
                return Optional.of(withPayload(claimed, actor));
            }
            return Optional.empty();
        } catch (QueryDbException e) {
            tried.invalidate(ReadyTasks.stateOf(task));
            throw e;
        }
    }

    /** Gives the task back where its payload cannot be read: its worker never hears of it. */
    private Task withPayload(Task.Running claimed, Actor actor) {
        try {
            return Workload.current().withAtLeast(PATIENCE).call(() -> store.withPayload(claimed));
        } catch (QueryDbException e) {
            Workload.current().withAtLeast(PATIENCE).run(() -> giveBack(claimed, actor));
            throw e;
        }
    }

    private void giveBack(Task.Running claimed, Actor actor) {
        try {
            var worker = claimed.lease().worker();
            store.save(claimed.release(null, new Step(Kind.RELEASED, actor, clock.instant(), worker, UNREAD)));
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "task not given back, its lease must end first: task={}", claimed.id());
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

    /** Ends every wait: from then on nothing is claimed, and what was claimed is still answered. */
    @Override
    public void close() {
        closed = true;
        waiters.forEach(Waiter::call);
    }

    private void claimNow(
            ClaimTasks claim, Duration lease, Actor actor, Duration oldest, PayloadBudget payloads, List<Task> got) {
        var polled = false;
        while (payloads.room(claim, got) > 0 && !closed) {
            var wanted = payloads.room(claim, got);
            var picked = pick(claim.types(), wanted, false);
            if (picked.isEmpty() && polled) {
                // The index does not show yet what was taken of its beginning: whatever is at hand comes next.
                picked = pick(claim.types(), wanted, true);
            }
            if (!picked.isEmpty()) {
                var before = got.size();
                attempt(picked, claim.worker(), lease, actor, payloads, got);
                polled &= got.size() == before;
            } else if (polled || !read(claim.types(), wanted, oldest)) {
                return;
            } else {
                polled = true;
            }
        }
    }

    /** Tries each, and adds what was won, also where it throws because one failed. */
    private void attempt(
            List<Task> picked, WorkerId worker, Duration lease, Actor actor, PayloadBudget payloads, List<Task> got) {
        var lost = 0;
        RuntimeException failure = null;
        for (var tried : Concurrently.map(picked.size(), picked, task -> tried(task, worker, lease, actor))) {
            switch (tried) {
                case Tried.Answered(var task) -> {
                    task.ifPresent(won -> {
                        payloads.spend(won);
                        got.add(won);
                    });
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

        record Failed(RuntimeException failure) implements Tried {}
    }

    private Tried tried(Task task, WorkerId worker, Duration lease, Actor actor) {
        try {
            return new Tried.Answered(attempt(task, worker, lease, actor));
        } catch (RuntimeException e) {
            // One that failed must not take those with it that were won.
            return new Tried.Failed(e);
        }
    }

    /** @param any also where there may be others in the index that come before them */
    private List<Task> pick(List<TaskType> types, int max, boolean any) {
        var picked = new ArrayList<Task>();
        while (picked.size() < max
                && (any || types.stream().noneMatch(type -> ready(type).mayMissSome()))) {
            ReadyTasks best = null;
            ReadyTasks.Candidate first = null;
            for (var type : types) {
                var queue = ready(type);
                var head = queue.peek();
                if (head != null && (first == null || ReadyTasks.FIRST_COME.compare(head, first) < 0)) {
                    best = queue;
                    first = head;
                }
            }
            if (best == null) {
                break;
            }
            best.poll().map(ReadyTasks.Candidate::task).ifPresent(picked::add);
        }
        return picked;
    }

    /** Polls the index for every type that was not polled for so lately; false where there was nothing to poll. */
    private boolean read(List<TaskType> types, int wanted, Duration oldest) {
        var polled = false;
        for (var type : types) {
            polled |= ready(type).read(wanted, oldest);
        }
        return polled;
    }

    private long clientsWaiting() {
        return waiters.stream().filter(waiter -> !waiter.operations()).count();
    }

    private void call(TaskType type) {
        for (var waiter : waiters) {
            if (waiter.types().contains(type) && waiter.call()) {
                return;
            }
        }
    }

    private ReadyTasks ready(TaskType type) {
        return ready.get(type, wanted -> new ReadyTasks(wanted, store, tried));
    }

    private static long jittered(Duration interval) {
        var nanos = interval.toNanos();
        return nanos / 2 + ThreadLocalRandom.current().nextLong(nanos);
    }

    /** A claim that waits. */
    private static final class Waiter {
        private final List<TaskType> types;
        private final boolean operations;
        private final Semaphore calls = new Semaphore(0);
        private boolean called;

        Waiter(List<TaskType> types, boolean operations) {
            this.types = types;
            this.operations = operations;
        }

        List<TaskType> types() {
            return types;
        }

        boolean operations() {
            return operations;
        }

        /** False where it was called before and has not woken up yet. */
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
