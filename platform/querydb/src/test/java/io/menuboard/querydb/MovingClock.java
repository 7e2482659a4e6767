package io.menuboard.querydb;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock in UTC that stands still until it is told to go on, or back. Thread-safe, but for who moves it. */
public final class MovingClock extends Clock {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock; a Sunday. */
    public static final Instant START = Instant.parse("2036-06-15T12:00:00Z");

    private volatile Instant now;

    /** Stands at {@link #START}. */
    public MovingClock() {
        this(START);
    }

    public MovingClock(Instant start) {
        now = start;
    }

    public void set(Instant instant) {
        now = instant;
    }

    /** To a time of the same day, {@code 12:15:00}. */
    public void setTime(String time) {
        now = now.atOffset(ZoneOffset.UTC).with(LocalTime.parse(time)).toInstant();
    }

    public void advance(Duration duration) {
        now = now.plus(duration);
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
        throw new UnsupportedOperationException("this clock is in UTC");
    }
}
