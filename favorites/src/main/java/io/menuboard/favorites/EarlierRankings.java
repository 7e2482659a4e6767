package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.favorites.Rankings.Before;
import io.menuboard.kernel.PageRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Rankings as they were before, which movement is measured by. Thread-safe. */
final class EarlierRankings {
    private static final int BEFORES_REMEMBERED = 64;
    private static final Duration BEFORE_HOLDS = Duration.ofMinutes(1);

    private final RankingPages pages;
    private final DynamoWatermarks watermarks;
    private final FavoriteSweeps sweeps;
    private final WatchedRankings watched;
    private final DynamoRankSnapshots snapshots;
    private final Clock clock;

    /** Earlier rankings, by what they are of: they change little, or never. */
    private final Cache<String, Before> befores =
            Caffeine.newBuilder().maximumSize(BEFORES_REMEMBERED).build();

    /** The last day of which this instance knows that there is a snapshot, by window. */
    private final Map<FavoriteWindow, LocalDate> snapshotOf = new ConcurrentHashMap<>();

    EarlierRankings(
            RankingPages pages,
            DynamoWatermarks watermarks,
            FavoriteSweeps sweeps,
            WatchedRankings watched,
            DynamoRankSnapshots snapshots,
            Clock clock) {
        this.pages = pages;
        this.watermarks = watermarks;
        this.sweeps = sweeps;
        this.watched = watched;
        this.snapshots = snapshots;
        this.clock = clock;
    }

    /** As {@link Rankings#before}. */
    Before before(Span span) {
        var known = befores.getIfPresent(span.key());
        var now = clock.instant();
        if (known != null && now.isBefore(known.readAt().plus(BEFORE_HOLDS))) {
            return known;
        }
        var read = span.previous()
                .filter(previous -> !LiveRankings.isBehind(
                        previous, watermarks.rankedUpTo(span.window()).plus(sweeps.mostBehind())))
                .map(previous -> before(previous, now))
                .orElseGet(() -> snapshot(span.window(), now));
        befores.put(span.key(), read);
        return read;
    }

    private Before before(Span previous, Instant now) {
        var byRestaurant = new HashMap<RestaurantId, Long>();
        pages.page(previous, PageRequest.forward(Rankings.COMPARED, null))
                .nodes()
                .forEach(one -> byRestaurant.put(one.restaurant(), one.rank()));
        return new Before(byRestaurant.isEmpty() ? null : previous.to(), byRestaurant, now);
    }

    private Before snapshot(FavoriteWindow window, Instant now) {
        var today = Rollup.day(now);
        return snapshots
                .find(window, today)
                .map(known -> new Before(known.at(), known.ranks(), now))
                .orElseGet(() -> new Before(null, Map.of(), now));
    }

    /**
     * Keeps what the rankings are that have no earlier one and that somebody views, for those who ask {@link #before}
     * today; not the empty ones.
     */
    void snapshot() {
        var now = clock.instant();
        var today = Rollup.day(now);
        watched.kept().stream()
                .filter(window -> !window.isCalendar() && !today.equals(snapshotOf.get(window)))
                .filter(window -> snapshot(window, today, now))
                .forEach(window -> snapshotOf.put(window, today));
    }

    private boolean snapshot(FavoriteWindow window, LocalDate today, Instant now) {
        if (snapshots.find(window, today).isPresent()) {
            return true;
        }
        if (!sweeps.catchUp(window)) {
            return false;
        }
        var first = pages.page(Span.at(window, now), PageRequest.forward(Rankings.COMPARED, null))
                .nodes();
        if (!first.isEmpty()) {
            snapshots.save(window, today, first, now);
        }
        return true;
    }
}
