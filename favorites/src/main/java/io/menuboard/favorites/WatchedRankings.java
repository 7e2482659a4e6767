package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRankingWatches.Watch;
import io.menuboard.querydb.QueryDbException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rankings that somebody views. Instances that count read them every second, and rank in these at once. Thread-safe.
 */
final class WatchedRankings {
    private static final Logger log = LoggerFactory.getLogger(WatchedRankings.class);

    /** Time for which a view counts. */
    static final Duration HOLDS = Duration.ofMinutes(2);

    /** Time after the last view for which a ranking is kept: what is only noted is ranked in it too, later. */
    static final Duration KEPT = Duration.ofDays(1);

    /** Time left of a view with which viewing again writes nothing. */
    private static final Duration ENOUGH = Duration.ofMinutes(1);

    /** For clocks that differ: counting goes on for so long after the last view. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final DynamoRankingWatches watches;
    private final Clock clock;
    private final long everyNanos;

    private Map<FavoriteWindow, Watch> known = Map.of();
    private @Nullable Long readAt;

    /** @param every time for which an instance that counts relies on what it has read, a second or less */
    WatchedRankings(DynamoRankingWatches watches, Clock clock, Duration every) {
        this.watches = watches;
        this.clock = clock;
        this.everyNanos = every.toNanos();
    }

    /** Notes that somebody views the ranking. Half a read unit, and a write unit once a minute. */
    Watch view(FavoriteWindow window) {
        var now = clock.instant();
        var watch = watches.all().get(window);
        if (watch == null || !watch.until().isAfter(now)) {
            return begin(window, new Watch(now, now.plus(HOLDS), false));
        }
        if (watch.until().isBefore(now.plus(ENOUGH))) {
            extend(window, now);
        }
        return watch;
    }

    private void extend(FavoriteWindow window, Instant now) {
        try {
            watches.extend(window, now, now.plus(HOLDS));
        } catch (QueryDbException e) {
            // It still holds, and the next view tries again.
            QueryDbException.warn(log, e, "view of a ranking not extended: window={}", window);
        }
    }

    private Watch begin(FavoriteWindow window, Watch begun) {
        if (watches.begin(window, begun)) {
            return begun;
        }
        var others = watches.latest().get(window);
        return others == null ? new Watch(begun.from(), begun.from(), false) : others;
    }

    /** Notes that everything that had been counted before it was watched is ranked. One write unit. */
    void live(FavoriteWindow window, Watch watch) {
        watches.setLive(window, watch);
    }

    /** Rankings to be written at once; as they were a second ago at the most. Half a read unit a second. */
    Set<FavoriteWindow> watched() {
        return viewedWithin(GRACE);
    }

    /** Rankings that somebody viewed within a day; as {@link #watched} besides. */
    Set<FavoriteWindow> kept() {
        return viewedWithin(KEPT);
    }

    private synchronized Set<FavoriteWindow> viewedWithin(Duration holdsOn) {
        var nanos = System.nanoTime();
        if (readAt == null || nanos - readAt >= everyNanos) {
            known = watches.latest();
            readAt = nanos;
        }
        var now = clock.instant();
        var windows = EnumSet.noneOf(FavoriteWindow.class);
        known.forEach((window, watch) -> {
            if (watch.until().plus(holdsOn).isAfter(now)) {
                windows.add(window);
            }
        });
        return windows;
    }
}
