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
 * Ranks restaurants by their tallies: at once where somebody can see it, which is among the first places of a ranking that
 * is looked at; each restaurant again after some time at the earliest, with all that happened meanwhile. Everything else is
 * noted, and ranked later (ADR 19). Thread-safe.
 */
final class FavoriteRanks {
    private static final int RESTAURANTS_REMEMBERED = 20_000;

    private final DynamoTallies tallies;
    private final DynamoRanks ranks;
    private final RankNotes notes;
    private final WatchedRankings watched;
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
            DynamoTallies tallies,
            DynamoRanks ranks,
            RankNotes notes,
            WatchedRankings watched,
            Clock clock,
            Duration every,
            int concurrency,
            Executor threads) {
        this.tallies = tallies;
        this.ranks = ranks;
        this.notes = notes;
        this.watched = watched;
        this.clock = clock;
        this.everyNanos = every.toNanos();
        this.threads = threads;
        this.places = new Semaphore(concurrency);
    }

    private record Waiting(Set<Span> spans, CompletableFuture<Void> done) {}

    /**
     * Notes that the restaurant was counted, and ranks it where that can be seen.
     *
     * @param spans windows of what was counted; those that are over are ranked at once in any case
     * @return done when everything counted before this call is ranked, or noted for later
     */
    CompletableFuture<Void> rank(RestaurantId restaurant, Collection<Span> spans) {
        // The note first: who begins to look at a ranking finds it, or is seen here.
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
        var underWay = current(now);
        var atOnce = new HashSet<>(spans);
        underWay.forEach(atOnce::remove);
        var looked = watched.watched();
        underWay.stream().filter(span -> looked.contains(span.window())).forEach(atOnce::add);
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
                                // From here on nobody adds to the spans, and who counts asks for a ranking of its own.
                                waiting.remove(restaurant);
                            }
                            next.put(restaurant, System.nanoTime() + everyNanos);
                            rank(restaurant, spans, true);
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

    /** Windows under way in whose rankings every restaurant is ranked sooner or later: somebody looked within a day. */
    List<Span> kept(Instant now) {
        return watched.kept().stream().map(window -> Span.at(window, now)).toList();
    }

    /** Ranks the restaurant here and now in these windows. */
    void now(RestaurantId restaurant, Collection<Span> spans) {
        rank(restaurant, spans, false);
    }

    private void rank(RestaurantId restaurant, Collection<Span> spans, boolean firstPlacesOnly) {
        places.acquireUninterruptibly();
        try {
            while (!write(restaurant, spans, firstPlacesOnly)) {
                // Somebody else was at it, with newer tallies and an older window.
            }
        } finally {
            places.release();
        }
    }

    private boolean write(RestaurantId restaurant, Collection<Span> spans, boolean firstPlacesOnly) {
        var now = clock.instant();
        var tally = Tally.sum(tallies.all(restaurant).values());
        return firstPlacesOnly
                ? ranks.writeFirstPlaces(restaurant, spans, tally, now)
                : ranks.write(restaurant, spans, tally, now);
    }

    static List<Span> current(Instant now) {
        return Arrays.stream(FavoriteWindow.values())
                .map(window -> Span.at(window, now))
                .toList();
    }
}
