package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.TasksInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Favorites at any time one likes, on the table of an application that goes by the real one: what tests and samples of
 * other modules have marked before now. Not thread-safe.
 */
public final class FavoritesAt {
    /** As the application has it where nothing else is configured. */
    private static final FavoritesConfig CONFIG =
            new FavoritesConfig(16, 8, 4, Duration.ofMillis(700), Duration.ofMinutes(10), 16, LocalTime.of(3, 0));

    private final QueryDb db;
    private final MovingClock clock = new MovingClock();
    private final FavoritesFixture fixture;
    private final List<ChangeRecord> delivered = new ArrayList<>();
    private final Set<RestaurantId> counted = new HashSet<>();

    /** @param now until {@link #setTime} says otherwise */
    public FavoritesAt(QueryDb db, TasksInstance tasks, Instant now) {
        this.db = db;
        clock.set(now);
        fixture = new FavoritesFixture(
                db,
                clock,
                0,
                CONFIG.markShards(),
                CONFIG.rankShards(),
                FavoritesFactory.FIRST_PLACES,
                Duration.ZERO,
                tasks);
    }

    public void setTime(Instant now) {
        clock.set(now);
    }

    /** Marks, unless it is marked. */
    public void mark(String user, String restaurant) {
        fixture.mark(user, restaurant).ifPresent(delivered::add);
    }

    public void unmark(String user, String restaurant) {
        fixture.unmark(user, restaurant).ifPresent(delivered::add);
    }

    /**
     * Counts what was marked and taken back since the last time, as if the stream had told of it just now, and takes out of
     * rankings what has left their windows since then. Not where the stream is listened to: it tells that marks were taken
     * back now, and not when they were here, which are two different things.
     */
    public void count() {
        if (!fixture.counts.handle(delivered).isEmpty()) {
            throw new IllegalStateException("marks were not counted");
        }
        delivered.stream()
                .flatMap(record -> DynamoFavorites.events(record).stream())
                .forEach(event -> counted.add(event.restaurant()));
        delivered.clear();
        counted.forEach(restaurant -> fixture.ranks.rank(restaurant, Span.current(clock.instant())));
        fixture.watermarks.counted(clock.instant());
    }

    /** Never tells what was marked and taken back since the last time: counts drift. */
    public void lose() {
        delivered.clear();
    }

    /** Ranks restaurants of all time as if they had so many marks now, which nobody has made. */
    public void rank(Map<String, Long> counts) {
        var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
        db.saveBatch(counts.entrySet().stream()
                        .map(one -> new Rank(new RestaurantId(one.getKey()), one.getValue(), clock.instant()))
                        .map(rank -> new Save(fixture.dynamoRanks.item(rank, span, 1, null), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    /** Keeps rankings to compare with, as they are now, in place of those that the application has kept of this day. */
    public void snapshot() {
        var today = Rollup.day(clock.instant());
        Arrays.stream(FavoriteWindow.values()).forEach(window -> db.delete(DynamoRankSnapshots.key(window, today)));
        // Only rankings at which somebody looks are kept.
        Arrays.stream(FavoriteWindow.values()).forEach(fixture::top);
        fixture.earlier.snapshot();
    }
}
