package io.menuboard.tasks.workers;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.claims.WorkerProtocol;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims the tasks that this instance has handlers for, and has them done. Thread-safe. */
public final class TaskWorkers implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(TaskWorkers.class);
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);
    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(10);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(10);

    private final WorkerProtocol protocol;
    private final TaskSubmission submission;
    private final TaskReads reads;
    private final TaskUpkeep upkeep;
    private final List<TaskWork> works;
    private final TaskRunner runner;
    private final WorkerId worker = new WorkerId(WorkerId.OWN_PREFIX
            + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
    private final Access access = Access.ofSystem(worker.value(), Actor.Source.WORKER);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stopping = new CountDownLatch(1);

    /**
     * Wires workers that are not started.
     *
     * @param upkeep which it starts and closes
     * @param lease of the tasks that it claims
     */
    TaskWorkers(
            WorkerProtocol protocol,
            TaskSubmission submission,
            TaskReads reads,
            TaskUpkeep upkeep,
            List<TaskWork> works,
            Duration lease) {
        this.protocol = protocol.withOperations();
        this.submission = submission;
        this.reads = reads;
        this.upkeep = upkeep;
        this.works = List.copyOf(works);
        this.runner = new TaskRunner(this.protocol, access, lease);
    }

    /** The name under which this instance claims. */
    public WorkerId worker() {
        return worker;
    }

    @Override
    public void start() {
        upkeep.start();
        for (var work : works) {
            threads.execute(() -> claim(work));
        }
    }

    /**
     * Does a task here and now, on this thread, that nobody else could do: it is there, with its lease, from the
     * beginning, so that everybody can see it, its progress and its end. Two write units to begin and three to end, and
     * three for each second with progress.
     *
     * @param submitter as of {@link TaskSubmission#submit(Access, SubmitTask)}
     * @return the task as it ended; running still, where the lease was lost before
     */
    public Task perform(Access submitter, SubmitTask command, TaskHandler handler) {
        var task = submission.submitClaimed(submitter, command, worker, protocol.lease());
        runner.run(task, handler);
        return reads.find(access, task.id()).orElse(task);
    }

    /**
     * Claims nothing more, gives handlers ten seconds to finish, then interrupts them and gives back what they were at.
     */
    @Override
    public void close() {
        close(TIME_TO_FINISH);
    }

    void close(Duration timeToFinish) {
        if (stopping.getCount() == 0) {
            return;
        }
        stopping.countDown();
        upkeep.stop();
        protocol.stopWaiting();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(timeToFinish.toMillis(), TimeUnit.MILLISECONDS)) {
                runner.interrupt();
                if (!threads.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.warn("task handlers did not stop: running={}", runner.running());
                }
            }
        } catch (InterruptedException e) {
            runner.interrupt();
            Thread.currentThread().interrupt();
        }
        upkeep.close();
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
                var free = 1 + places.drainPermits();
                List<Task> claimed = List.of();
                try {
                    claimed = protocol.claim(
                            access,
                            new ClaimTasks(
                                    worker,
                                    List.of(work.type()),
                                    Math.min(free, protocol.maxClaim()),
                                    protocol.maxWait(),
                                    null));
                } finally {
                    // Everything that was taken, but for what is now used.
                    places.release(free - claimed.size());
                }
                claimed.forEach(task -> begin(task, work, places));
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "claiming postponed: type={}", work.type());
                isStopping(RETRY_PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("claiming failed: type={}", work.type(), e);
                isStopping(RETRY_PAUSE);
            }
        }
    }

    /** A task that was claimed while this instance stops is given back, rather than kept until its lease ends. */
    private void begin(Task task, TaskWork work, Semaphore places) {
        try {
            threads.execute(() -> {
                try {
                    runner.run(task, work.handler());
                } finally {
                    places.release();
                }
            });
        } catch (RejectedExecutionException _) {
            places.release();
            try {
                runner.release(task);
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "task not given back, its lease must end first: task={}", task.id());
            }
        }
    }
}
