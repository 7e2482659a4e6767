package io.menuboard.messaging;

import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Instances that have the same job, whose first run goes on until it is told to end. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class PeriodicJobsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<PeriodicJobs> instances = new ArrayList<>();

    @AfterEach
    void stop() {
        end.countDown();
        instances.forEach(PeriodicJobs::close);
    }

    @Test
    void aJobThatTakesLongerThanItsIntervalIsDoneByOneInstanceAtATime() {
        var interval = Duration.ofSeconds(2);
        start(interval);
        start(interval);

        await().until(() -> begun.get() > 0);
        await().during(interval.multipliedBy(2)).until(() -> begun.get() == 1);
        end.countDown();

        await().until(() -> begun.get() > 1);
    }

    @Test
    void theLeaseEndsAnIntervalAfterTheJobBeganThoughItWasRenewed() {
        start(Duration.ofSeconds(6));
        await().until(() -> begun.get() == 1);
        var first = leaseEnd();

        await().until(() -> leaseEnd() > first);
        end.countDown();

        // A renewal, two seconds after the beginning, had put it off by as much.
        await().until(() -> leaseEnd() < first + 1_000);
    }

    private void start(Duration interval) {
        var clock = Clock.systemUTC();
        var job = new PeriodicJob("job", interval, () -> {
            begun.incrementAndGet();
            waitFor(end);
        });
        var instance = new PeriodicJobs(List.of(job), new InstanceLeases(table.queryDb(clock), clock));
        instances.add(instance);
        instance.start();
    }

    /** Milliseconds since the epoch. */
    private long leaseEnd() {
        return table.contents().stream().findFirst().orElseThrow().integer("next");
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
