package io.menuboard.favorites;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rollups as items {@code RESTAURANT#{restaurant}}/{@code FAVTALLY#{shard}}. A counter shard has a part of all events, any part: what
 * counts is the sum of all shards. Counts are numbers named {@code h} and the hour since 1970, {@code d} and the day since
 * 1970, and {@code m} and the month as six digits; short, so that a rollup is less than a KB for some years. Restaurants that
 * have any are listed in {@code gsi1} under {@code FAVRESTAURANTS#{shard}} by an item {@code FAVLISTED} of their own, which
 * changes with each new counter shard and each correction.
 */
final class DynamoRollups {
    /** Stored names, which stay as they were first written: items call a rollup a tally. */
    private static final String SORT = "FAVTALLY#";

    private static final String TYPE = "favoriteTally";
    private static final String VERSION = "version";
    private static final String LATEST = "latest";
    private static final String CORRECTIONS = "corrections";
    private static final int MONTHS = 100;

    /** No id is greater. */
    private static final String LAST = "\uDBFF\uDFFF";

    private static final Duration HOUR = Duration.ofHours(1);

    private static final String RESTAURANTS = "FAVRESTAURANTS#";

    private final QueryDb db;
    private final int shards;

    /** @param shards partitions that share the list of restaurants, at least 1 */
    DynamoRollups(QueryDb db, int shards) {
        this.db = db;
        this.shards = shards;
    }

    /**
     * Listing of a restaurant that has rollups.
     *
     * @param version number of times that a counter shard was added or corrected; 0 where the restaurant is not listed yet
     * @param corrections as of {@link Rollup}
     */
    record Listing(long version, long corrections) {}

    /** One read unit. */
    Listing listing(RestaurantId restaurant) {
        return db.get(listed(restaurant), Consistency.STRONG)
                .map(item -> new Listing(item.integer(VERSION), item.integer(CORRECTIONS)))
                .orElse(new Listing(0, 0));
    }

    /**
     * The rollup of a counter shard, which there is from then on; with the first one the restaurant is listed. One read unit;
     * where the shard is new, also five write units.
     *
     * @throws ConditionFailed where somebody else added one at the same time, or corrected them: try again
     */
    Rollup open(RestaurantId restaurant, int counterShard) {
        var known = db.get(key(restaurant, counterShard), Consistency.STRONG);
        if (known.isPresent()) {
            return rollup(known.get());
        }
        var listing = listing(restaurant);
        var first = Rollup.first(listing.corrections());
        db.transact(List.of(put(restaurant, counterShard, first), list(restaurant, listing, listing.corrections())));
        return first;
    }

    /** By counter shard, strongly consistent: a read unit for each 4 KB, some four of them. */
    SortedMap<Integer, Rollup> all(RestaurantId restaurant) {
        var byShard = new TreeMap<Integer, Rollup>();
        var query = Query.table("favorite rollups", "RESTAURANT#" + restaurant).beginsWith(SORT);
        try (var items = db.all(query, Consistency.STRONG)) {
            items.forEach(
                    item -> byShard.put(Integer.parseInt(item.key().sort().substring(SORT.length())), rollup(item)));
        }
        return byShard;
    }

    /**
     * Restaurants of a shard that ever had a mark counted, by id, after that one. Half a read unit for each 4 KB, some forty.
     */
    List<RestaurantId> restaurants(int shard, @Nullable RestaurantId after, int most) {
        var list = Query.index("favorite restaurants", "gsi1", RESTAURANTS + shard);
        return db.all(after == null ? list : list.between(after + "\u0000", LAST))
                .limit(most)
                .map(item -> new RestaurantId(item.string("gsi1sk")))
                .toList();
    }

    /** All of them, as {@link #restaurants(int, RestaurantId, int)}; to be closed. */
    Stream<RestaurantId> restaurants(int shard) {
        return db.all(Query.index("favorite restaurants", "gsi1", RESTAURANTS + shard))
                .map(item -> new RestaurantId(item.string("gsi1sk")));
    }

    int shards() {
        return shards;
    }

    /** Takes the place of the listing as it was. */
    Write list(RestaurantId restaurant, Listing before, long corrections) {
        var item = Item.at(listed(restaurant))
                .type("favoriteRestaurant")
                .index(RESTAURANTS + restaurant.shard(shards), restaurant.value())
                .number(VERSION, before.version() + 1)
                .number(CORRECTIONS, corrections)
                .build();
        return put(item, before.version());
    }

    /** Takes the place of the rollup that has the version before. */
    static Write put(RestaurantId restaurant, int counterShard, Rollup rollup) {
        var item = Item.at(key(restaurant, counterShard))
                .type(TYPE)
                .number(VERSION, rollup.version())
                .number(LATEST, rollup.latest().toEpochMilli());
        if (rollup.corrections() > 0) {
            item.number(CORRECTIONS, rollup.corrections());
        }
        rollup.hours().forEach((hour, count) -> item.number("h" + hour.getEpochSecond() / HOUR.toSeconds(), count));
        rollup.days().forEach((day, count) -> item.number("d" + day.toEpochDay(), count));
        rollup.months()
                .forEach(
                        (month, count) -> item.number("m" + (month.getYear() * MONTHS + month.getMonthValue()), count));
        return put(item.build(), rollup.version() - 1);
    }

    private static Write put(Item item, long versionBefore) {
        return versionBefore == 0
                ? Write.put(item, SaveMode.INIT)
                : Write.put(item, Condition.equal(VERSION, versionBefore));
    }

    private static Key listed(RestaurantId restaurant) {
        return new Key("RESTAURANT#" + restaurant, "FAVLISTED");
    }

    static Key key(RestaurantId restaurant, int counterShard) {
        return new Key("RESTAURANT#" + restaurant, SORT + counterShard);
    }

    static Rollup rollup(Item item) {
        var hours = new TreeMap<Instant, Long>();
        var days = new TreeMap<LocalDate, Long>();
        var months = new TreeMap<YearMonth, Long>();
        for (var name : item.attributes().keySet()) {
            if (name.matches("[hdm][0-9]+")) {
                var when = Long.parseLong(name.substring(1));
                var count = item.integer(name);
                switch (name.charAt(0)) {
                    case 'h' -> hours.put(Instant.EPOCH.plus(HOUR.multipliedBy(when)), count);
                    case 'd' -> days.put(LocalDate.ofEpochDay(when), count);
                    default -> months.put(YearMonth.of((int) when / MONTHS, (int) when % MONTHS), count);
                }
            }
        }
        return new Rollup(
                item.integer(VERSION),
                Instant.ofEpochMilli(item.integer(LATEST)),
                item.findNumber(CORRECTIONS).map(BigDecimal::longValue).orElse(0L),
                hours,
                days,
                months);
    }
}
