package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
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
    private final Cache<RestaurantId, Long> next =
            Caffeine.newBuilder().maximumSize(RESTAURANTS_REMEMBERED).build();

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
        return waiting.compute(restaurant, (_, already) -> {
                    var asked = already == null ? begin(restaurant) : already;
                    asked.spans().addAll(spans);
                    return asked;
                })
                .done();
    }

    private Waiting begin(RestaurantId restaurant) {
        var spans = new HashSet<Span>();
        return new Waiting(
                spans,
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                sleepUntil(restaurant);
                            } finally {
                                // From here on nobody adds to the spans, and who counts asks for a ranking of its own.
                                waiting.remove(restaurant);
                            }
                            next.put(restaurant, System.nanoTime() + everyNanos);
                            now(restaurant, spans);
                        },
                        threads));
    }

    private void sleepUntil(RestaurantId restaurant) {
        var earliest = next.getIfPresent(restaurant);
        var nanos = earliest == null ? 0 : earliest - System.nanoTime();
        if (nanos > 0) {
            try {
                Thread.sleep(Duration.ofNanos(nanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted before ranking", e);
            }
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
