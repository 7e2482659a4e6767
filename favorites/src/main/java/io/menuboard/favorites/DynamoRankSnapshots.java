package io.menuboard.favorites;

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

/**
 * The first restaurants of a ranking as they were when a day of UTC began, as items {@code FAVSNAPSHOT#{window}}/
 * {@code {day}}: what movement is measured by where a window has no earlier one. Kept for 40 days.
 */
final class DynamoRankSnapshots {
    private static final Duration KEPT = Duration.ofDays(40);

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

    /** What was kept, and when. */
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

    static Key key(FavoriteWindow window, LocalDate day) {
        return new Key("FAVSNAPSHOT#" + window, day.toString());
    }
}
