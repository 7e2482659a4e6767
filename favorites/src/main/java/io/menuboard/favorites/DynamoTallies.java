package io.menuboard.favorites;

import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.TreeMap;

/**
 * Tallies as items {@code RESTAURANT#{restaurant}}/{@code FAVTALLY#{lane}}. A lane is a part of all events, any part: what
 * counts is the sum of all lanes. Counts are numbers named {@code h} and the hour since 1970, {@code d} and the day since
 * 1970, and {@code m} and the month as six digits; short, so that a tally is less than a KB for some years.
 */
final class DynamoTallies {
    private static final String TYPE = "favoriteTally";
    private static final String VERSION = "version";
    private static final String LATEST = "latest";
    private static final String SORT = "FAVTALLY#";
    private static final int MONTHS = 100;
    private static final Duration HOUR = Duration.ofHours(1);

    private final QueryDb db;

    DynamoTallies(QueryDb db) {
        this.db = db;
    }

    /** One read unit. */
    Tally get(RestaurantId restaurant, int lane) {
        return db.get(key(restaurant, lane), Consistency.STRONG)
                .map(DynamoTallies::tally)
                .orElse(Tally.NOTHING);
    }

    /** Of all lanes, strongly consistent: a read unit for each 4 KB, some four of them. */
    List<Tally> all(RestaurantId restaurant) {
        return db.all(
                        Query.table("favorite tallies", "RESTAURANT#" + restaurant)
                                .beginsWith(SORT),
                        Consistency.STRONG)
                .map(DynamoTallies::tally)
                .toList();
    }

    /** Takes the place of the tally that has the version before. */
    static Write put(RestaurantId restaurant, int lane, Tally tally) {
        var item = Item.at(key(restaurant, lane))
                .type(TYPE)
                .number(VERSION, tally.version())
                .number(LATEST, tally.latest().toEpochMilli());
        tally.hours().forEach((hour, count) -> item.number("h" + hour.getEpochSecond() / HOUR.toSeconds(), count));
        tally.days().forEach((day, count) -> item.number("d" + day.toEpochDay(), count));
        tally.months()
                .forEach(
                        (month, count) -> item.number("m" + (month.getYear() * MONTHS + month.getMonthValue()), count));
        return tally.version() == 1
                ? Write.put(item.build(), SaveMode.INIT)
                : Write.put(
                        item.build(),
                        Expression.of("#version = :before")
                                .name("#version", VERSION)
                                .number(":before", tally.version() - 1));
    }

    static Key key(RestaurantId restaurant, int lane) {
        return new Key("RESTAURANT#" + restaurant, SORT + lane);
    }

    static Tally tally(Item item) {
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
        return new Tally(item.integer(VERSION), Instant.ofEpochMilli(item.integer(LATEST)), hours, days, months);
    }
}
