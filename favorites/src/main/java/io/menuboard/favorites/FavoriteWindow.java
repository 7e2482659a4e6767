package io.menuboard.favorites;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** The time in which marks were made that count. */
public enum FavoriteWindow {
    /** Whenever. */
    ALL_TIME,
    /** A day of UTC. */
    DAY,
    /** A week of UTC, from Monday on (ISO 8601). */
    WEEK,
    /** A month of UTC. */
    MONTH,
    /** The hour of UTC that is under way and the 23 before it. */
    LAST_24_HOURS,
    /** The day of UTC that is under way and the six before it. */
    LAST_7_DAYS,
    /** The day of UTC that is under way and the 29 before it. */
    LAST_30_DAYS;

    /** True if it ends at some time for good, so that there are earlier ones to view. */
    public boolean isCalendar() {
        return this == DAY || this == WEEK || this == MONTH;
    }

    /** True if it moves on with time, so that marks leave it. */
    boolean isRolling() {
        return this == LAST_24_HOURS || this == LAST_7_DAYS || this == LAST_30_DAYS;
    }

    /** Its length, where it moves on. */
    Duration length() {
        return switch (this) {
            case LAST_24_HOURS -> Duration.ofHours(24);
            case LAST_7_DAYS -> Duration.ofDays(7);
            case LAST_30_DAYS -> Duration.ofDays(30);
            case ALL_TIME, DAY, WEEK, MONTH -> throw new IllegalStateException(this + " does not move on");
        };
    }

    /** Step by which it moves on, where it does. */
    ChronoUnit step() {
        return this == LAST_24_HOURS ? ChronoUnit.HOURS : ChronoUnit.DAYS;
    }
}
