package io.menuboard.favorites;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which rankings somebody looks at: one item {@code FAVWATCH}/{@code META} with times for each window. Whoever counts asks
 * for it every second and ranks in these at once. Thread-safe.
 */
final class WatchedRankings {
    private static final Key KEY = new Key("FAVWATCH", "META");

    /** How long a look counts. */
    static final Duration HOLDS = Duration.ofMinutes(2);

    /** So long after the last look a ranking is kept: what is only noted is ranked in it too, later. */
    static final Duration KEPT = Duration.ofDays(1);

    /** With so much left nobody writes that it was looked at again. */
    private static final Duration ENOUGH = Duration.ofMinutes(1);

    /** For clocks that differ: who counts goes on for so long after nobody looks any more. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final QueryDb db;
    private final Clock clock;
    private final long everyNanos;

    private Map<FavoriteWindow, Watch> known = Map.of();
    private @Nullable Long readAt;

    /** @param every how long who counts relies on what it has read, a second or less */
    WatchedRankings(QueryDb db, Clock clock, Duration every) {
        this.db = db;
        this.clock = clock;
        this.everyNanos = every.toNanos();
    }

    /**
     * A ranking that is looked at.
     *
     * @param from since when, without a pause
     * @param until how long what is counted is ranked in it at once
     * @param isLive whether what had been counted before is ranked in it too
     */
    record Watch(Instant from, Instant until, boolean isLive) {}

    /** Notes that somebody looks. Half a read unit, and a write unit once a minute. */
    Watch look(FavoriteWindow window) {
        var now = clock.instant();
        var watch = read(Consistency.EVENTUAL).get(window);
        if (watch == null || !watch.until().isAfter(now)) {
            return begin(window, now);
        }
        if (watch.until().isBefore(now.plus(ENOUGH))) {
            extend(window, now);
        }
        return watch;
    }

    private Watch begin(FavoriteWindow window, Instant now) {
        var until = now.plus(HOLDS);
        try {
            db.update(Update.of(KEY)
                    .type("favoriteWatch")
                    .set(window + "From", now.toEpochMilli())
                    .set(until(window), until.toEpochMilli())
                    .remove(window + "Live")
                    .when(Condition.absent(until(window)).or(Condition.atMost(until(window), now.toEpochMilli()))));
            return new Watch(now, until, false);
        } catch (ConditionFailed _) {
            // Somebody else has just begun.
            var watch = read(Consistency.STRONG).get(window);
            return watch == null ? new Watch(now, now, false) : watch;
        }
    }

    private void extend(FavoriteWindow window, Instant now) {
        try {
            db.update(
                    Update.of(KEY)
                            .set(until(window), now.plus(HOLDS).toEpochMilli())
                            .when(Condition.greater(until(window), now.toEpochMilli())),
                    _ -> false);
        } catch (ConditionFailed _) {
            // It has just ended: the next look begins anew.
        }
    }

    /** Notes that everything that had been counted before it was watched is ranked. One write unit. */
    void live(FavoriteWindow window, Watch watch) {
        try {
            db.update(
                    Update.of(KEY)
                            .set(window + "Live", 1)
                            .when(Condition.equal(window + "From", watch.from().toEpochMilli())),
                    _ -> false);
        } catch (ConditionFailed _) {
            // That was another watch.
        }
    }

    /** Those to be ranked at once; as they were a second ago at the most. Half a read unit a second. */
    Set<FavoriteWindow> watched() {
        return lookedAtWithin(GRACE);
    }

    /** Those at which somebody looked within a day; as {@link #watched} besides. */
    Set<FavoriteWindow> kept() {
        return lookedAtWithin(KEPT);
    }

    private synchronized Set<FavoriteWindow> lookedAtWithin(Duration holdsOn) {
        var nanos = System.nanoTime();
        if (readAt == null || nanos - readAt >= everyNanos) {
            known = read(Consistency.STRONG);
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

    private Map<FavoriteWindow, Watch> read(Consistency consistency) {
        var watches = new EnumMap<FavoriteWindow, Watch>(FavoriteWindow.class);
        db.get(KEY, consistency)
                .ifPresent(item -> Arrays.stream(FavoriteWindow.values()).forEach(window -> {
                    var watch = watch(item, window);
                    if (watch != null) {
                        watches.put(window, watch);
                    }
                }));
        return watches;
    }

    private static @Nullable Watch watch(Item item, FavoriteWindow window) {
        var from = item.findNumber(window + "From").orElse(null);
        var until = item.findNumber(until(window)).orElse(null);
        return from == null || until == null
                ? null
                : new Watch(
                        Instant.ofEpochMilli(from.longValue()),
                        Instant.ofEpochMilli(until.longValue()),
                        item.findNumber(window + "Live").isPresent());
    }

    private static String until(FavoriteWindow window) {
        return window + "Until";
    }
}
