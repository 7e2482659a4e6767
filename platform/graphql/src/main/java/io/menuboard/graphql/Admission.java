package io.menuboard.graphql;

import io.menuboard.access.Principal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many requests work at once, lets a bounded number wait for a bounded time, and refuses the rest at once: what waits
 * longer would be answered after its client has gone, and memory would grow with answers that no client reads. One principal has
 * no more than a share of that, so that its slow requests leave places to others (ADR 30). Thread-safe; never blocks who asks.
 */
final class Admission {
    private final Limits limits;
    private final Duration maxTime;
    private final DataAccess data;
    private final Executor threads;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    /** Requests that work and wait, of each principal. */
    private final Map<String, Integer> all = new HashMap<>();
    /** Those of them that work. */
    private final Map<String, Integer> atWork = new HashMap<>();

    private int working;

    /**
     * @param maxTime after which time a request fetches, reads and writes nothing any more
     * @param threads at least as many as places
     */
    Admission(Limits limits, Duration maxTime, DataAccess data, Executor threads) {
        this.limits = limits;
        this.maxTime = maxTime;
        this.data = data;
        this.threads = threads;
    }

    /**
     * Requests at once.
     *
     * @param places most that work
     * @param maxWaiting most that wait
     * @param maxWait how long they do at most
     * @param sharePercent how much of the places, and of those and the waiting together, one principal has
     */
    record Limits(int places, int maxWaiting, Duration maxWait, int sharePercent) {
        private int placesOfOne() {
            return share(places);
        }

        private int allOfOne() {
            return share(places) + share(maxWaiting);
        }

        private int share(int of) {
            return (int) Math.ceilDiv((long) of * sharePercent, 100);
        }
    }

    /**
     * Bytes of bodies that are arriving, which are held in memory for as long as that takes: one principal has no more than its share,
     * however many connections it has (ADR 30). Short bodies, as nearly all are, do not count. Thread-safe.
     */
    static final class Bodies {
        /** So many of the longest that there may be, at once. */
        private static final long LONGEST_AT_ONCE = 64;

        private static final int SHORT = 16_384;

        private final long most;
        private final long mostOfOne;
        private final Map<String, Long> ofPrincipals = new HashMap<>();
        private long all;

        /**
         * @param longest bytes of the longest body that is taken
         * @param sharePercent how much of all one principal has, and one of the longest at least
         */
        Bodies(int longest, int sharePercent) {
            most = LONGEST_AT_ONCE * longest;
            mostOfOne = Math.max(longest, most * sharePercent / 100);
        }

        /**
         * Counts a body until what this returns is run; running it again does nothing.
         *
         * @throws RefusedRequest where there is no room for it
         */
        synchronized Runnable take(Principal principal, long bytes) {
            if (bytes <= SHORT) {
                return () -> {};
            }
            var id = principal.id();
            if (id != null && ofPrincipals.getOrDefault(id, 0L) + bytes > mostOfOne) {
                throw tooMany();
            }
            if (all + bytes > most) {
                throw overloaded();
            }
            all += bytes;
            if (id != null) {
                ofPrincipals.merge(id, bytes, Long::sum);
            }
            var isTaken = new AtomicBoolean(true);
            return () -> {
                if (isTaken.getAndSet(false)) {
                    giveBack(id, bytes);
                }
            };
        }

        private synchronized void giveBack(@Nullable String id, long bytes) {
            all -= bytes;
            if (id != null) {
                ofPrincipals.computeIfPresent(id, (_, taken) -> taken == bytes ? null : taken - bytes);
            }
        }
    }

    private record Waiting(@Nullable String principal, CompletableFuture<@Nullable Void> place) {}

    /** Starts the time of a request. */
    RequestTime begin() {
        return new RequestTime(maxTime, data);
    }

    /**
     * Does some work on a thread of its own as soon as there is a place, which it has until it returns; the future that it
     * returns may be completed later. A principal without an identity is everybody, and has all.
     *
     * @return what the work's future becomes, or {@link RefusedRequest} where there is no place, and will be none soon
     */
    <T> CompletableFuture<T> admit(Principal principal, RequestTime time, Supplier<CompletableFuture<T>> work) {
        var id = principal.id();
        return place(id)
                .thenComposeAsync(
                        _ -> {
                            try {
                                return time.call(work);
                            } finally {
                                leave(id);
                            }
                        },
                        threads);
    }

    private CompletableFuture<@Nullable Void> place(@Nullable String principal) {
        Waiting request;
        synchronized (waiting) {
            if (count(all, principal) >= limits.allOfOne()) {
                return CompletableFuture.failedFuture(tooMany());
            }
            // Of those who wait already, nobody may have a place that is free.
            var isFree = working < limits.places() && mayWork(principal);
            if (!isFree && waiting.size() == limits.maxWaiting()) {
                return CompletableFuture.failedFuture(overloaded());
            }
            increment(all, principal);
            if (isFree) {
                work(principal);
                return CompletableFuture.completedFuture(null);
            }
            request = new Waiting(principal, new CompletableFuture<>());
            waiting.add(request);
        }
        return request.place()
                .orTimeout(limits.maxWait().toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(fault -> CompletableFuture.failedFuture(
                        fault instanceof TimeoutException ? waitedTooLong(request) : fault));
    }

    private RefusedRequest waitedTooLong(Waiting request) {
        synchronized (waiting) {
            if (waiting.remove(request)) {
                decrement(all, request.principal());
            }
            return mayWork(request.principal()) ? overloaded() : tooMany();
        }
    }

    /** Hands a place over to who has waited longest of those that may have it, if it still waits. */
    private void leave(@Nullable String principal) {
        var leaving = principal;
        while (true) {
            Waiting next;
            synchronized (waiting) {
                working--;
                decrement(atWork, leaving);
                decrement(all, leaving);
                next = next();
            }
            if (next == null || next.place().complete(null)) {
                return;
            }
            leaving = next.principal();
        }
    }

    private @Nullable Waiting next() {
        for (var requests = waiting.iterator(); requests.hasNext(); ) {
            var request = requests.next();
            if (mayWork(request.principal())) {
                requests.remove();
                work(request.principal());
                return request;
            }
        }
        return null;
    }

    private void work(@Nullable String principal) {
        working++;
        increment(atWork, principal);
    }

    private boolean mayWork(@Nullable String principal) {
        return count(atWork, principal) < limits.placesOfOne();
    }

    private static int count(Map<String, Integer> counts, @Nullable String principal) {
        return principal == null ? 0 : counts.getOrDefault(principal, 0);
    }

    private static void increment(Map<String, Integer> counts, @Nullable String principal) {
        if (principal != null) {
            counts.merge(principal, 1, Integer::sum);
        }
    }

    private static void decrement(Map<String, Integer> counts, @Nullable String principal) {
        if (principal != null) {
            counts.computeIfPresent(principal, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private static RefusedRequest overloaded() {
        return new RefusedRequest(503, "OVERLOADED", "more requests than can be served, try again");
    }

    private static RefusedRequest tooMany() {
        return new RefusedRequest(
                429, "TOO_MANY_REQUESTS", "too many requests of this account or token at once, try again");
    }
}
