package io.menuboard.favorites;

import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Stream;

/** Ranks restaurants by their rollups, here and now. Thread-safe. */
final class RankWriter {
    private static final int AT_ONCE = 16;

    private final DynamoRollups rollups;
    private final DynamoRanks ranks;
    private final Clock clock;
    private final Semaphore places;

    /** @param concurrency restaurants that are ranked at once */
    RankWriter(DynamoRollups rollups, DynamoRanks ranks, Clock clock, int concurrency) {
        this.rollups = rollups;
        this.ranks = ranks;
        this.clock = clock;
        this.places = new Semaphore(concurrency);
    }

    /** Ranks the restaurant in these windows; in those that move on as they are then, also where they did so meanwhile. */
    void rank(RestaurantId restaurant, Collection<Span> spans) {
        rank(restaurant, spans, false);
    }

    /** As {@link #rank}, where it is among the first places, or was. */
    void rankFirstPlaces(RestaurantId restaurant, Collection<Span> spans) {
        rank(restaurant, spans, true);
    }

    private void rank(RestaurantId restaurant, Collection<Span> spans, boolean firstPlacesOnly) {
        places.acquireUninterruptibly();
        try {
            while (!write(restaurant, spans, firstPlacesOnly)) {
                // Somebody else was at it, with newer rollups and an older window.
            }
        } finally {
            places.release();
        }
    }

    private boolean write(RestaurantId restaurant, Collection<Span> spans, boolean firstPlacesOnly) {
        var rollup = Rollup.sum(rollups.all(restaurant).values());
        var now = clock.instant();
        var current = movedOn(spans, now);
        return firstPlacesOnly
                ? ranks.writeFirstPlaces(restaurant, current, rollup, now)
                : ranks.write(restaurant, current, rollup, now);
    }

    /** A sweep finds only what was ranked before a window moved on, not what is ranked in the earlier one after that. */
    private static List<Span> movedOn(Collection<Span> spans, Instant now) {
        return spans.stream()
                .map(span -> span.window().isRolling() ? Span.at(span.window(), now) : span)
                .distinct()
                .toList();
    }

    /** The counts that are ranked of a restaurant in these windows, which are ranked first where they are behind. */
    Map<FavoriteWindow, Long> upToDate(RestaurantId restaurant, List<Span> spans, Rollup rollup) {
        var now = clock.instant();
        var ranked = ranks.counts(restaurant, spans, now);
        if (spans.stream().anyMatch(span -> isBehind(span, ranked, rollup))) {
            rank(restaurant, spans);
            ranked.putAll(ranks.counts(restaurant, spans, now));
        }
        return ranked;
    }

    private static boolean isBehind(Span span, Map<FavoriteWindow, Long> ranked, Rollup rollup) {
        var is = rollup.count(span);
        return ranked.getOrDefault(span.window(), is) != is;
    }

    /** Rewrites the ranks of a restaurant, whatever is there, in the windows under way and some that are over. */
    void rewrite(RestaurantId restaurant, Collection<Span> over) {
        var now = clock.instant();
        var spans = new HashSet<>(Span.current(now));
        spans.addAll(over);
        ranks.rewrite(restaurant, spans, Rollup.sum(rollups.all(restaurant).values()), now);
    }

    /**
     * Ranks the restaurants whose count in a window that moves on has changed by itself since it was written.
     *
     * @param before done before each of them, by the thread of the caller
     */
    void rankOutdated(FavoriteWindow window, Instant now, Runnable before) {
        try (var outdated = ranks.outdated(Span.at(window, now), now)) {
            rankAll(outdated.peek(_ -> before.run()), _ -> List.of(Span.at(window, clock.instant())));
        }
    }

    /** Ranks restaurants, some at once; returns when all are ranked. */
    void rankAll(Stream<RestaurantId> restaurants, Function<RestaurantId, Collection<Span>> spans) {
        Concurrently.forEach(AT_ONCE, restaurants, restaurant -> rank(restaurant, spans.apply(restaurant)));
    }
}
