package io.menuboard.webadmin.ui;

import io.menuboard.querydb.requests.Workload;
import io.micronaut.scheduling.instrument.InstrumentedExecutorService;
import java.time.Duration;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Executor that pages are made on: a number of them at once, each for a bounded time. One that finds no place soon is made all the
 * same, as if its time had passed, so that it reads nothing and is answered {@code 503}: Micronaut has no way to take back
 * what it gave to an executor.
 */
public final class PageThreads extends AbstractExecutorService implements InstrumentedExecutorService {
    /** For {@code @ExecuteOn}. */
    public static final String NAME = "pages";

    private static final Workload LATE = Workload.interactive(Duration.ZERO);

    private final Semaphore places;
    private final Duration patience;
    private final Duration deadline;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param places most pages at once
     * @param patience how long one waits for a place
     * @param deadline after which time one reads and writes nothing any more
     */
    PageThreads(int places, Duration patience, Duration deadline) {
        this.places = new Semaphore(places, true);
        this.patience = patience;
        this.deadline = deadline;
    }

    /** For what measures executors: it knows that there is nothing to measure of virtual threads. */
    @Override
    public ExecutorService getTarget() {
        return threads;
    }

    @Override
    public void execute(Runnable page) {
        var workload = Workload.interactive(deadline);
        threads.execute(() -> {
            var hasPlace = hasPlace();
            try {
                (hasPlace ? workload : LATE).run(page);
            } finally {
                if (hasPlace) {
                    places.release();
                }
            }
        });
    }

    private boolean hasPlace() {
        try {
            return places.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
