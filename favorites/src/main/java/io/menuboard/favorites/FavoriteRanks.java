package io.menuboard.favorites;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * Ranks restaurants by their tallies: each one at once, and then again after some time at the earliest, with all that
 * happened meanwhile. Thread-safe.
 */
final class FavoriteRanks {
    private static final int RESTAURANTS_REMEMBERED = 20_000;

    private final DynamoTallies tallies;
    private final DynamoRanks ranks;
    private final Clock clock;
    private final long everyNanos;
    private final Executor threads;
    private final Semaphore places;

    /** Those that were asked for and have not begun. */
    private final Map<RestaurantId, Waiting> waiting = new ConcurrentHashMap<>();

    /** {@link System#nanoTime} before which a restaurant is not ranked again. */
    private final Recent<RestaurantId, Long> next = new Recent<>(RESTAURANTS_REMEMBERED);

    /** @param concurrency restaurants that are ranked at once */
    FavoriteRanks(
            DynamoTallies tallies, DynamoRanks ranks, Clock clock, Duration every, int concurrency, Executor threads) {
        this.tallies = tallies;
        this.ranks = ranks;
        this.clock = clock;
        this.everyNanos = every.toNanos();
        this.threads = threads;
        this.places = new Semaphore(concurrency);
    }

    private record Waiting(Set<Span> spans, CompletableFuture<Void> done) {}

    /**
     * Ranks the restaurant in the windows that are under way, and in these others.
     *
     * @return done when everything counted before this call is ranked
     */
    CompletableFuture<Void> rank(RestaurantId restaurant, Collection<Span> spans) {
        var asked = waiting.compute(restaurant, (_, already) -> {
            var one = already == null ? new Waiting(new HashSet<>(), new CompletableFuture<>()) : already;
            one.spans().addAll(spans);
            return one;
        });
        // Whoever comes first sees to it; a second thread would find that nobody waits any more.
        threads.execute(() -> begin(restaurant, asked));
        return asked.done();
    }

    private void begin(RestaurantId restaurant, Waiting asked) {
        try {
            sleepUntil(restaurant);
            if (waiting.remove(restaurant, asked)) {
                next.put(restaurant, System.nanoTime() + everyNanos);
                now(restaurant, asked.spans());
                asked.done().complete(null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            waiting.remove(restaurant, asked);
            asked.done().completeExceptionally(new CompletionException(e));
        } catch (RuntimeException e) {
            asked.done().completeExceptionally(e);
        }
    }

    private void sleepUntil(RestaurantId restaurant) throws InterruptedException {
        var earliest = next.get(restaurant);
        var nanos = earliest == null ? 0 : earliest - System.nanoTime();
        if (nanos > 0) {
            Thread.sleep(Duration.ofNanos(nanos));
        }
    }

    /** As {@link #rank}, here and now. */
    void now(RestaurantId restaurant, Collection<Span> spans) {
        var now = clock.instant();
        var all = new HashSet<>(spans);
        all.addAll(current(now));
        write(restaurant, all, now);
    }

    /** Ranks the restaurant in one window alone. */
    void now(RestaurantId restaurant, FavoriteWindow window) {
        var now = clock.instant();
        write(restaurant, List.of(Span.at(window, now)), now);
    }

    private void write(RestaurantId restaurant, Collection<Span> spans, Instant now) {
        places.acquireUninterruptibly();
        try {
            ranks.write(restaurant, spans, Tally.sum(tallies.all(restaurant).values()), now);
        } finally {
            places.release();
        }
    }

    static List<Span> current(Instant now) {
        return Arrays.stream(FavoriteWindow.values())
                .map(window -> Span.at(window, now))
                .toList();
    }
}
