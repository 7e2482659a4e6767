package io.menuboard.tasks.workers;

import io.menuboard.querydb.QueryDbException;
import io.menuboard.tasks.claims.Sweeper;
import io.menuboard.tasks.statistics.TaskStatistics;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodic work of one instance for all tasks: ends the leases of workers that are gone, makes pending what has become
 * due, and writes counts. Thread-safe.
 */
final class TaskUpkeep implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TaskUpkeep.class);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(10);
    private static final Duration FLUSH_INTERVAL = Duration.ofSeconds(5);

    private final Sweeper sweeper;
    private final TaskStatistics statistics;
    private final Duration sweepInterval;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stopping = new CountDownLatch(1);

    TaskUpkeep(Sweeper sweeper, TaskStatistics statistics, Duration sweepInterval) {
        this.sweeper = sweeper;
        this.statistics = statistics;
        this.sweepInterval = sweepInterval;
    }

    /** Begins, once. */
    void start() {
        threads.execute(() -> every(sweepInterval, sweeper::sweep));
        threads.execute(() -> every(FLUSH_INTERVAL, statistics::flush));
    }

    /** Begins nothing more. */
    void stop() {
        stopping.countDown();
        threads.shutdown();
    }

    /** Waits for what is under way, and lets another instance sweep at once. */
    @Override
    public void close() {
        stop();
        try {
            if (!threads.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("task upkeep did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        statistics.flush();
        try {
            sweeper.stop();
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "sweeper's lease not given back, another instance takes it when it ends");
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

    private boolean isStopping(Duration atMost) {
        try {
            return stopping.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
