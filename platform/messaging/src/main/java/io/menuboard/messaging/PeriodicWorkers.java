package io.menuboard.messaging;

import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Turns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what contexts have done every so often, whenever it is this instance's turn. */
final class PeriodicWorkers implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(PeriodicWorkers.class);

    /** So many times within its period an instance asks for a turn, so that a dead one's is soon another's. */
    private static final int LOOKS = 4;

    private static final Duration TIME_TO_FINISH = Duration.ofSeconds(10);
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(5);

    private final List<PeriodicWork> works;
    private final Turns turns;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    PeriodicWorkers(List<PeriodicWork> works, Turns turns) {
        this.works = List.copyOf(works);
        this.turns = turns;
    }

    @Override
    public void start() {
        works.forEach(work -> threads.execute(() -> repeat(work)));
    }

    private void repeat(PeriodicWork work) {
        do {
            try {
                if (turns.take(work.name(), work.every())) {
                    work.work().run();
                }
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "periodic work postponed: work={}", work.name());
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("periodic work failed: work={}", work.name(), e);
            }
        } while (!isStopping(work.every().dividedBy(LOOKS)));
    }

    private boolean isStopping(Duration atMost) {
        try {
            return stopping.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Lets nothing begin any more, and gives what is under way ten seconds to finish; then cuts it off. */
    @Override
    public void close() {
        stopping.countDown();
        threads.shutdown();
        try {
            if (!threads.awaitTermination(TIME_TO_FINISH.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
                if (!threads.awaitTermination(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.warn("periodic work did not stop");
                }
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
