package io.menuboard.favorites;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * Favorites at any time one likes, on the table of an application that goes by the real one: what tests and samples of
 * other modules have marked before now. Not thread-safe.
 */
public final class FavoritesAt {
    /** As the application has it where nothing else is configured. */
    private static final FavoritesConfig CONFIG =
            new FavoritesConfig(16, 8, 4, Duration.ofMillis(700), 16, LocalTime.of(3, 0));

    private final SetClock clock;
    private final FavoritesFixture fixture;
    private final List<ChangeRecord> told = new ArrayList<>();

    /** @param now until {@link #setTime} says otherwise */
    public FavoritesAt(QueryDb db, Instant now) {
        clock = new SetClock(now);
        fixture = new FavoritesFixture(db, clock, 0, CONFIG.markShards(), CONFIG.rankShards());
    }

    public void setTime(Instant now) {
        clock.now = now;
    }

    /** Marks, unless it is marked. */
    public void mark(String user, String restaurant) {
        fixture.mark(user, restaurant).ifPresent(told::add);
    }

    public void unmark(String user, String restaurant) {
        fixture.unmark(user, restaurant).ifPresent(told::add);
    }

    /** Counts what was marked and taken back since the last time, as if the stream had told of it just now. */
    public void count() {
        if (!fixture.counts.handle(told).isEmpty()) {
            throw new IllegalStateException("marks were not counted");
        }
        told.clear();
        fixture.beats.counted(clock.instant());
    }

    /** Never tells what was marked and taken back since the last time: counts drift. */
    public void lose() {
        told.clear();
    }

    /** Keeps rankings to compare with, as they are now. */
    public void snapshot() {
        fixture.rankings.snapshot();
    }

    private static final class SetClock extends Clock {
        private volatile Instant now;

        SetClock(Instant now) {
            this.now = now;
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
