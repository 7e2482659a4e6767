package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one instance does for tasks by itself: claims those that it has handlers for and works on them, keeps up their
 * leases, ends those of workers that are gone, and makes pending what has become due. Thread-safe.
 */
public final class TaskWorkers implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(TaskWorkers.class);
    private static final Duration BETWEEN_WORDS = Duration.ofSeconds(1);
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(5);
    private static final Duration AFTER_A_FAULT = Duration.ofSeconds(1);
    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(10);
    private static final String UNREADABLE = "this version cannot read what it is about";
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(10);

    private final Tasks tasks;
    private final Sweeper sweeper;
    private final List<TaskWork> works;
    private final TasksConfig config;
    private final WorkerId worker = new WorkerId("menuboard-"
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
    private final Actor actor = new Actor(Actor.Kind.SYSTEM, worker.value(), Actor.Source.WORKER);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private final CountDownLatch stopping = new CountDownLatch(1);

    TaskWorkers(Tasks tasks, List<TaskWork> works, TasksConfig config) {
        this.tasks = tasks;
        this.sweeper = tasks.sweeper(worker.value());
        this.works = List.copyOf(works);
        this.config = config;
    }

    /** The name under which this instance claims. */
    public WorkerId worker() {
        return worker;
    }

    @Override
    public void start() {
        threads.execute(() -> every(config.sweepInterval(), sweeper::sweep));
        threads.execute(() -> every(BETWEEN_COUNTS, tasks::flushCounts));
        for (var work : works) {
            threads.execute(() -> claim(work));
        }
    }

    /**
     * Does a task here and now, on this thread, that nobody else could do: it is there, with its lease, from the
     * beginning, so that everybody can see it, its progress and its end. Two write units to begin and three to end, and
     * three for each second with progress.
     *
     * @return the task as it ended; running still, where the lease was lost before
     */
    public Task perform(SubmitTask command, Actor submitter, TaskHandler handler) {
        var task = tasks.begin(command, worker, submitter);
        run(task, handler);
        return tasks.find(task.id()).orElse(task);
    }

    /**
     * Claims nothing more, gives handlers ten seconds to finish, then interrupts them and gives back what they were at.
     */
    @Override
    public void close() {
        if (stopping.getCount() == 0) {
            return;
        }
        stopping.countDown();
        tasks.stopWaiting();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(TIME_TO_FINISH.toMillis(), TimeUnit.MILLISECONDS)) {
                running.forEach(Thread::interrupt);
                if (!threads.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.warn("task handlers did not stop: running={}", running.size());
                }
            }
        } catch (InterruptedException e) {
            running.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
        tasks.flushCounts();
        try {
            sweeper.stop();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "turn to sweep not given back, another instance takes it when it ends");
        }
    }

    private void every(Duration interval, Runnable work) {
        do {
            try {
                work.run();
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "task upkeep postponed");
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("task upkeep failed", e);
            }
        } while (!isStopping(interval));
    }

    /** Waits so long; true as soon as this instance is to stop. */
    private boolean isStopping(Duration atMost) {
        try {
            return stopping.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void claim(TaskWork work) {
        var places = new Semaphore(work.concurrency());
        while (!isStopping(Duration.ZERO)) {
            try {
                places.acquire();
                var free = Math.min(1 + places.drainPermits(), config.maxClaim());
                List<Task> claimed = List.of();
                try {
                    claimed = tasks.claim(
                            new ClaimTasks(worker, List.of(work.type()), free, config.maxWait(), null),
                            config.operationPollInterval(),
                            actor);
                } finally {
                    // Everything that was taken, but for what is now used.
                    places.release(free - claimed.size());
                }
                claimed.forEach(task -> begin(task, work, places));
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "claiming postponed: type={}", work.type());
                isStopping(AFTER_A_FAULT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("claiming failed: type={}", work.type(), e);
                isStopping(AFTER_A_FAULT);
            }
        }
    }

    /** A task that was claimed while this instance stops is given back, rather than kept until its lease ends. */
    private void begin(Task task, TaskWork work, Semaphore places) {
        try {
            threads.execute(() -> {
                try {
                    run(task, work.handler());
                } finally {
                    places.release();
                }
            });
        } catch (RejectedExecutionException _) {
            places.release();
            try {
                release(task);
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "task not given back, its lease must end first: task={}", task.id());
            }
        }
    }

    private void run(Task task, TaskHandler handler) {
        var run = new TaskRun(task, Thread.currentThread());
        var ended = new CountDownLatch(1);
        running.add(Thread.currentThread());
        var upkeep = Thread.ofVirtual().start(() -> keepUp(run, ended));
        Supplier<TaskResult> end;
        try {
            var result = handler.handle(run);
            end = () -> tasks.completeOwn(task.id(), token(task), result, actor);
        } catch (TaskFailed e) {
            end = e.givenBack()
                    ? () -> tasks.giveBackOwn(task.id(), token(task), e.reason(), actor)
                    : () -> tasks.failOwn(task.id(), token(task), e.reason(), e.retryable(), actor);
        } catch (InterruptedException e) {
            end = () -> release(task);
        } catch (RuntimeException e) {
            // The edge of handlers: whatever it was, another attempt may fare better.
            if (Thread.currentThread().isInterrupted()) {
                // A request that was interrupted fails with an exception of its own.
                end = () -> release(task);
            } else if (UnreadableItem.isCauseOf(e)) {
                log.warn("task left to another version: task={} type={}", task.id(), task.type(), e);
                end = () -> tasks.giveBackOwn(task.id(), token(task), UNREADABLE, actor);
            } else {
                var errorId =
                        HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
                log.error("task failed: errorId={} task={} type={}", errorId, task.id(), task.type(), e);
                end = () ->
                        tasks.failOwn(task.id(), token(task), "unexpected; the log has error " + errorId, true, actor);
            }
        } finally {
            ended.countDown();
            running.remove(Thread.currentThread());
        }
        join(upkeep);
        if (!run.hasLostLease()) {
            // The interrupt was for the handler; what is left is to say how it ended, last progress included.
            var interrupted = Thread.interrupted();
            say(run, end);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private TaskResult release(Task task) {
        return tasks.releaseOwn(task.id(), token(task), "what worked on it was stopped", actor);
    }

    /** Tries to say how a task ended, for as long as that can matter. */
    private void say(TaskRun run, Supplier<TaskResult> end) {
        var id = run.task().id();
        var last = run.takeNews();
        var deadline = System.nanoTime() + config.lease().toNanos();
        while (true) {
            try {
                if (last != null) {
                    tasks.extendOwn(id, token(run.task()), last);
                    last = null;
                }
                if (end.get() instanceof TaskResult.LeaseLost) {
                    log.warn("task ended after its lease: task={}", id);
                }
                return;
            } catch (QueryDbException e) {
                if (System.nanoTime() - deadline > 0) {
                    log.error("end of a task could not be written, it will be done again: task={}", id, e);
                    return;
                }
                pause(AFTER_A_FAULT);
            }
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Extends the lease, often enough that two attempts may fail, and whenever there is progress. */
    private void keepUp(TaskRun run, CountDownLatch ended) {
        var third = config.lease().toNanos() / 3;
        var extendedAt = System.nanoTime();
        try {
            while (!ended.await(Math.min(third, BETWEEN_WORDS.toNanos()), TimeUnit.NANOSECONDS)) {
                var news = run.takeNews();
                if (news == null && System.nanoTime() - extendedAt < third) {
                    continue;
                }
                try {
                    if (!(tasks.extendOwn(run.task().id(), token(run.task()), news) instanceof TaskResult.Done)) {
                        run.loseLease();
                        return;
                    }
                    extendedAt = System.nanoTime();
                } catch (QueryDbException e) {
                    QueryDbException.warn(
                            log,
                            e,
                            "lease not extended yet: task={}",
                            run.task().id());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        var interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static int token(Task task) {
        return task.token();
    }
}
