package io.menuboard.favorites;

import io.menuboard.favorites.MarkEvent.Kind;
import io.menuboard.querydb.Key;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * Which page remembers that an event was counted. A page is for the marks that a restaurant got, or lost, within a
 * stretch of time. When it has enough of them it takes no more, and the four quarters of its stretch have pages of their
 * own; so events that come together are on few pages, at whatever rate they come, and every event has one place only,
 * which nobody needs to look up.
 *
 * @param level how often the stretch was divided: 0 is 70 minutes, each further one a quarter, 11 a millisecond
 * @param start first millisecond since 1970
 */
record SeenPage(RestaurantId restaurant, Kind kind, int level, long start) {
    /** The level that is not divided any more. */
    static final int LAST_LEVEL = 11;

    /** Bits of milliseconds. */
    private static final int FIRST_STRETCH = 22;

    private static final int QUARTERS = 2;

    /** From this level on, stretches of less than five seconds, pages exist for busy restaurants only. */
    static final int FIRST_SPREAD_LEVEL = 5;

    /** Partitions of a month for these. */
    static final int SPREAD = 8;

    static SeenPage of(MarkEvent event, int level) {
        return new SeenPage(event.restaurant(), event.kind(), level, start(event.millis(), level));
    }

    private static long start(long millis, int level) {
        var bits = FIRST_STRETCH - QUARTERS * level;
        return (millis >> bits) << bits;
    }

    private YearMonth month() {
        return YearMonth.from(Instant.ofEpochMilli(start).atOffset(ZoneOffset.UTC));
    }

    /** {@code FAVSEEN#{restaurant}#{month}#{shard}}/{@code {sign}{start}#{level}}. */
    Key key() {
        return new Key(partition(restaurant, month(), shard()), kind.sign() + start + "#" + level);
    }

    private int shard() {
        var stretches = start >> (FIRST_STRETCH - QUARTERS * level);
        return level < FIRST_SPREAD_LEVEL ? 0 : 1 + (int) Math.floorMod(stretches, (long) SPREAD);
    }

    static String partition(RestaurantId restaurant, YearMonth month, int shard) {
        return "FAVSEEN#" + restaurant + "#" + month + "#" + shard;
    }
}
