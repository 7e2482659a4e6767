package io.menuboard.favorites;

import io.menuboard.favorites.RankingEnds.End;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Snapshots of rankings: the first restaurants as they were when a day of UTC began, as items {@code FAVSNAPSHOT#{window}}/
 * {@code {day}}, by which movement is measured where a window has no earlier one, kept for 40 days; and their ends, as items
 * {@code FAVEND#{ranking}}/{@code META}, kept for a day.
 */
final class DynamoRankSnapshots {
    private static final Duration KEPT = Duration.ofDays(40);
    private static final Duration ENDS_KEPT = Duration.ofDays(1);

    private final QueryDb db;

    DynamoRankSnapshots(QueryDb db) {
        this.db = db;
    }

    /** Keeps it unless there is one. A write unit for each KB, some fifty restaurants. */
    void save(FavoriteWindow window, LocalDate day, List<RankedRestaurant> first, Instant at) {
        try {
            db.save(
                    Item.at(key(window, day))
                            .type("favoriteSnapshot")
                            .number("at", at.toEpochMilli())
                            .strings(
                                    "ranks",
                                    first.stream()
                                            .map(one -> one.rank() + " " + one.restaurant())
                                            .toList())
                            .ttl(day.atStartOfDay(ZoneOffset.UTC).toInstant().plus(KEPT))
                            .build(),
                    SaveMode.INIT);
        } catch (AlreadyExists _) {
            // Another instance was first.
        }
    }

    /** First restaurants of a ranking at that time. */
    record Snapshot(Instant at, Map<RestaurantId, Long> ranks) {}

    /** Half a read unit for each 4 KB. */
    Optional<Snapshot> find(FavoriteWindow window, LocalDate day) {
        return db.get(key(window, day)).map(item -> {
            var ranks = new HashMap<RestaurantId, Long>();
            for (var one : item.strings("ranks")) {
                var blank = one.indexOf(' ');
                ranks.put(new RestaurantId(one.substring(blank + 1)), Long.valueOf(one.substring(0, blank)));
            }
            return new Snapshot(Instant.ofEpochMilli(item.integer("at")), ranks);
        });
    }

    /** Keeps the end of a ranking in place of an earlier one. A write unit for each KB. */
    void save(Span span, End end) {
        List<String> better = end.better().entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .toList();
        db.save(
                Item.at(end(span))
                        .type("favoriteEnd")
                        .number("size", end.size())
                        .strings("better", better)
                        .number("at", end.at().toEpochMilli())
                        .ttl(end.at().plus(ENDS_KEPT))
                        .build(),
                SaveMode.ANY);
    }

    /** Half a read unit. */
    Optional<End> findEnd(Span span) {
        return db.get(end(span)).map(item -> {
            var better = new TreeMap<Long, Long>();
            item.strings("better").forEach(one -> {
                var blank = one.indexOf(' ');
                better.put(Long.valueOf(one.substring(0, blank)), Long.valueOf(one.substring(blank + 1)));
            });
            return new End(item.integer("size"), better, Instant.ofEpochMilli(item.integer("at")));
        });
    }

    private static Key end(Span span) {
        return new Key("FAVEND#" + span.key(), "META");
    }

    static Key key(FavoriteWindow window, LocalDate day) {
        return new Key("FAVSNAPSHOT#" + window, day.toString());
    }
}
