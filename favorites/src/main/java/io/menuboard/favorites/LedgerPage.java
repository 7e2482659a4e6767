package io.menuboard.favorites;

import io.menuboard.querydb.Key;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * Page of the ledger that remembers that an event was counted. A page is for what happened to a restaurant within a stretch of time. When
 * it has enough it takes no more, and the four quarters of its stretch have pages of their own; so events that come together
 * are on few pages, at whatever rate they come, and every event has one place only, which nobody needs to look up.
 *
 * @param level how often the stretch was divided: 0 is 70 minutes, each further one a quarter, 16 a millionth of a second
 * @param start its first place, see {@link MarkEvent#place}
 */
record LedgerPage(RestaurantId restaurant, int level, long start) {
    /** The level that is not divided any more. */
    static final int LAST_LEVEL = 16;

    /** Bits of a place. */
    private static final int FIRST_STRETCH = 2 * LAST_LEVEL;

    /** From this level on, stretches of four seconds and less, pages exist for busy restaurants only. */
    static final int FIRST_SPREAD_LEVEL = 5;

    /** Partitions of a month for these. */
    static final int SPREAD = 8;

    static LedgerPage of(MarkEvent event, int level) {
        var bits = FIRST_STRETCH - 2 * level;
        return new LedgerPage(event.restaurant(), level, (event.place() >> bits) << bits);
    }

    /** {@code FAVSEEN#{restaurant}#{month}#{shard}}/{@code {start}#{level}}. */
    Key key() {
        var month = YearMonth.from(
                Instant.ofEpochMilli(start >> MarkEvent.PARTS_BITS).atOffset(ZoneOffset.UTC));
        return new Key(partition(restaurant, month, shard()), start + "#" + level);
    }

    /** The first instant after a page's stretch, by the sort key of its item. */
    static Instant until(String sort) {
        var hash = sort.indexOf('#');
        var bits = FIRST_STRETCH - 2 * Integer.parseInt(sort, hash + 1, sort.length(), 10);
        var end = Long.parseLong(sort, 0, hash, 10) + (1L << bits);
        return Instant.ofEpochMilli((end >> MarkEvent.PARTS_BITS) + 1);
    }

    private int shard() {
        var stretches = start >> (FIRST_STRETCH - 2 * level);
        return level < FIRST_SPREAD_LEVEL ? 0 : 1 + (int) Math.floorMod(stretches, (long) SPREAD);
    }

    static String partition(RestaurantId restaurant, YearMonth month, int shard) {
        return "FAVSEEN#" + restaurant + "#" + month + "#" + shard;
    }
}
