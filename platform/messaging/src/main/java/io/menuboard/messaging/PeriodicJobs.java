package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of contexts whenever this instance acquires their lease. */
final class PeriodicJobs implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(PeriodicJobs.class);

    /** Attempts within an interval to acquire the lease, so that another instance soon does the job of a dead one. */
    private static final int ATTEMPTS = 4;

    /** Renewals within an interval, of which one may fail. */
    private static final int RENEWALS = 3;

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(10);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final List<PeriodicJob> jobs;
    private final InstanceLeases leases;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    PeriodicJobs(List<PeriodicJob> jobs, InstanceLeases leases) {
        this.jobs = List.copyOf(jobs);
        this.leases = leases;
    }

    @Override
    public void start() {
        jobs.forEach(job -> threads.execute(() -> repeat(job)));
    }

    private void repeat(PeriodicJob job) {
        do {
            try {
                attempt(job);
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "periodic job postponed: job={}", job.name());
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("periodic job failed: job={}", job.name(), e);
            }
        } while (!isStopping(job.interval().dividedBy(ATTEMPTS)));
    }

    /** Works if the lease is free; it ends an interval after the beginning, or with the work if that takes longer. */
    private void attempt(PeriodicJob job) {
        // Another one for each run: a holder has its lease again whenever it asks.
        var holder = UUID.randomUUID().toString();
        var begin = System.nanoTime();
        if (!leases.hold(job.name(), holder, job.interval())) {
            return;
        }
        var renewal = job.interval().dividedBy(RENEWALS);
        try (var _ = new Heartbeat(job.name() + "-lease", renewal, () -> renew(job, holder, job.interval()))) {
            job.work().run();
        } finally {
            var worked = Duration.ofNanos(System.nanoTime() - begin);
            if (worked.compareTo(renewal) >= 0) {
                var left = job.interval().minus(worked);
                renew(job, holder, left.isNegative() ? Duration.ZERO : left);
            }
        }
    }

    private void renew(PeriodicJob job, String holder, Duration time) {
        try {
            leases.hold(job.name(), holder, time);
        } catch (RuntimeException e) {
            // Also the edge of the thread that renews, which must go on.
            QueryDbException.warn(log, e, "lease of periodic job not renewed: job={}", job.name());
        }
    }

    private boolean isStopping(Duration atMost) {
        try {
            return stopping.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Begins nothing more, and gives jobs in progress ten seconds to finish; then interrupts them. */
    @Override
    public void close() {
        stopping.countDown();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(TIME_TO_FINISH.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
                if (!threads.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.warn("periodic jobs did not stop");
                }
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
