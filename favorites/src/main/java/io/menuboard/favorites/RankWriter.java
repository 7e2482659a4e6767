package io.menuboard.favorites;

import java.time.Clock;
import java.util.Collection;
import java.util.concurrent.Semaphore;

/** Ranks restaurants by their tallies, here and now. Thread-safe. */
final class RankWriter {
    private final DynamoTallies tallies;
    private final DynamoRanks ranks;
    private final Clock clock;
    private final Semaphore places;

    /** @param concurrency restaurants that are ranked at once */
    RankWriter(DynamoTallies tallies, DynamoRanks ranks, Clock clock, int concurrency) {
        this.tallies = tallies;
        this.ranks = ranks;
        this.clock = clock;
        this.places = new Semaphore(concurrency);
    }

    /** Ranks the restaurant in these windows. */
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
}
