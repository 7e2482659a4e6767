package io.menuboard.app;

import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Workload;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures four times a minute what metrics tell of the table: two and a half read units each time. */
final class Measurements implements BackgroundService {
    private static final Logger log = LoggerFactory.getLogger(Measurements.class);
    private static final Duration EVERY = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final List<Measured> all;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("measurements").factory());

    Measurements(List<Measured> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void start() {
        var _ = timer.scheduleWithFixedDelay(this::measure, 0, EVERY.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** What cannot be read keeps its last number for as long as that holds, and keeps no other from being read. */
    void measure() {
        for (var one : all) {
            try {
                Workload.interactive(PATIENCE).run(one::measure);
            } catch (QueryDbException | UnreadableItem e) {
                log.warn("metric not measured: cause={}", e.getMessage());
            } catch (RuntimeException e) {
                // The edge of this thread, which must go on.
                log.error("metric not measured", e);
            }
        }
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
