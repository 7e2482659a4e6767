package io.menuboard.graphql;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many requests work at once, lets a bounded number wait for a bounded time, and refuses the rest at once: what waits
 * longer would be answered after its client has gone, and memory would grow with answers that no client reads. Thread-safe; never
 * blocks who asks.
 */
final class Admission {
    private final int places;
    private final int maxWaiting;
    private final Duration patience;
    private final Duration maxTime;
    private final DataAccess data;
    private final Executor threads;
    private final Deque<CompletableFuture<@Nullable Void>> waiting = new ArrayDeque<>();
    private int working;

    /**
     * @param places most requests that work at once
     * @param maxWaiting most that wait
     * @param patience how long they do at most
     * @param maxTime after which time a request fetches, reads and writes nothing any more
     * @param threads at least as many as places
     */
    Admission(int places, int maxWaiting, Duration patience, Duration maxTime, DataAccess data, Executor threads) {
        this.places = places;
        this.maxWaiting = maxWaiting;
        this.patience = patience;
        this.maxTime = maxTime;
        this.data = data;
        this.threads = threads;
    }

    /** There is no place, and will be none soon. */
    static final class Overloaded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Overloaded() {
            super("more requests than can be served", null, false, false);
        }
    }

    /** Starts the time of a request. */
    RequestTime begin() {
        return new RequestTime(maxTime, data);
    }

    /**
     * Does some work on a thread of its own as soon as there is a place, which it has until it returns; the future that it
     * returns may be completed later.
     *
     * @return what the work's future becomes, or {@link Overloaded}
     */
    <T> CompletableFuture<T> admit(RequestTime time, Supplier<CompletableFuture<T>> work) {
        return place().thenComposeAsync(
                        _ -> {
                            try {
                                return time.call(work);
                            } finally {
                                leave();
                            }
                        },
                        threads);
    }

    private CompletableFuture<@Nullable Void> place() {
        CompletableFuture<@Nullable Void> place;
        synchronized (waiting) {
            if (working < places) {
                working++;
                return CompletableFuture.completedFuture(null);
            }
            if (waiting.size() == maxWaiting) {
                return CompletableFuture.failedFuture(new Overloaded());
            }
            place = new CompletableFuture<>();
            waiting.add(place);
        }
        return place.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(fault ->
                        CompletableFuture.failedFuture(fault instanceof TimeoutException ? refused(place) : fault));
    }

    private Overloaded refused(CompletableFuture<@Nullable Void> place) {
        synchronized (waiting) {
            waiting.removeIf(other -> other == place);
        }
        return new Overloaded();
    }

    /** Hands the place over to who has waited longest, if it still does. */
    private void leave() {
        while (true) {
            CompletableFuture<@Nullable Void> next;
            synchronized (waiting) {
                next = waiting.poll();
                if (next == null) {
                    working--;
                    return;
                }
            }
            if (next.complete(null)) {
                return;
            }
        }
    }
}
