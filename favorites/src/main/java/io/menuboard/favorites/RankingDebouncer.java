package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Debounces the ranking of restaurants that were counted: they are ranked at once among the first places of a ranking
 * that somebody views; each restaurant again after some time at the earliest, with all that happened meanwhile. Everything
 * else is noted, and ranked later (ADR 19). Thread-safe.
 */
final class RankingDebouncer {
    private static final int RESTAURANTS_REMEMBERED = 20_000;

    private final RankWriter writer;
    private final RankNotes notes;
    private final WatchedRankings watched;
    private final Clock clock;
    private final long everyNanos;
    private final Executor threads;

    /** Those that were asked for and have not begun. */
    private final Map<RestaurantId, Waiting> waiting = new ConcurrentHashMap<>();

    /** {@link System#nanoTime} before which a restaurant is not ranked again. */
    private final Cache<RestaurantId, Long> next =
            Caffeine.newBuilder().maximumSize(RESTAURANTS_REMEMBERED).build();

    /** @param every the least time between two times that the same restaurant is ranked */
    RankingDebouncer(
            RankWriter writer,
            RankNotes notes,
            WatchedRankings watched,
            Clock clock,
            Duration every,
            Executor threads) {
        this.writer = writer;
        this.notes = notes;
        this.watched = watched;
        this.clock = clock;
        this.everyNanos = every.toNanos();
        this.threads = threads;
    }

    private record Waiting(Set<Span> spans, CompletableFuture<Void> done) {}

    /**
     * Notes that the restaurant was counted, and ranks it where somebody views that.
     *
     * @param spans windows of what was counted; those that are over are ranked at once in any case
     * @return done when everything counted before this call is ranked, or noted for later
     */
    CompletableFuture<Void> rank(RestaurantId restaurant, Collection<Span> spans) {
        // The note first: whoever begins to view a ranking finds it, or is among the watched ones here.
        return notes.add(restaurant)
                .thenComposeAsync(
                        _ -> {
                            var atOnce = atOnce(spans);
                            return atOnce.isEmpty()
                                    ? CompletableFuture.completedFuture(null)
                                    : rankAtOnce(restaurant, atOnce);
                        },
                        threads);
    }

    private Set<Span> atOnce(Collection<Span> spans) {
        var now = clock.instant();
        var underWay = Span.current(now);
        var atOnce = new HashSet<>(spans);
        underWay.forEach(atOnce::remove);
        var viewed = watched.watched();
        underWay.stream().filter(span -> viewed.contains(span.window())).forEach(atOnce::add);
        return atOnce;
    }

    private CompletableFuture<Void> rankAtOnce(RestaurantId restaurant, Collection<Span> spans) {
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
                                // From here on the spans are final, and who counts asks for a ranking of its own.
                                waiting.remove(restaurant);
                            }
                            next.put(restaurant, System.nanoTime() + everyNanos);
                            writer.rankFirstPlaces(restaurant, spans);
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
}
