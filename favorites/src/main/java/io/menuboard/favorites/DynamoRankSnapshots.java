package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.favorites.RankingEnds.End;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of rankings: the first restaurants as they were when a day of UTC began, as items {@code FAVSNAPSHOT#{window}}/
 * {@code {day}}, by which movement is measured where a window has no earlier one, kept for 40 days; their first places as
 * items {@code FAVFIRST#{ranking}}/{@code {when}}, for those who page through them, kept for an hour; and their ends, as items
 * {@code FAVEND#{ranking}}/{@code META}, kept for a day. Thread-safe.
 */
final class DynamoRankSnapshots {
    private static final Duration KEPT = Duration.ofDays(40);
    private static final Duration ENDS_KEPT = Duration.ofDays(1);

    /** Time that whoever pages through the first places has for that. */
    static final Duration FIRST_KEPT = Duration.ofHours(1);

    private static final int FIRST_REMEMBERED = 16;
    private static final int FIELDS = 3;

    private final QueryDb db;

    /** They never change. */
    private final Cache<Key, First> firsts = Caffeine.newBuilder()
            .maximumSize(FIRST_REMEMBERED)
            .expireAfterWrite(FIRST_KEPT)
            .build();

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

    /**
     * First places of a ranking as they were at some time.
     *
     * @param asOf the time for which they are true
     * @param next cursor of the ranking as it is, after the last one; null where they were all
     */
    record First(
            Instant asOf,
            List<RankedRestaurant> places,
            @Nullable String next) {
        First {
            places = List.copyOf(places);
        }
    }

    /** Keeps them unless there are some of that time: those that there are then. A write unit for each KB, some 25 restaurants. */
    First save(Span span, Instant when, First first) {
        var item = Item.at(first(span, when))
                .type("favoriteFirst")
                .number("asOf", first.asOf().toEpochMilli())
                .strings(
                        "places",
                        first.places().stream()
                                .map(one -> one.count() + " " + one.reachedAt().toEpochMilli() + " " + one.restaurant())
                                .toList())
                .ttl(when.plus(FIRST_KEPT));
        if (first.next() != null) {
            item.string("next", first.next());
        }
        try {
            db.save(item.build(), SaveMode.INIT);
            return remembered(item.build());
        } catch (AlreadyExists others) {
            return remembered(others.current().orElseThrow());
        }
    }

    /** A read unit for each 4 KB, some hundred restaurants, where this instance does not remember them. */
    Optional<First> findFirst(Span span, Instant when) {
        var key = first(span, when);
        var known = firsts.getIfPresent(key);
        return known == null ? db.get(key, Consistency.STRONG).map(this::remembered) : Optional.of(known);
    }

    private First remembered(Item item) {
        var first = first(item);
        firsts.put(item.key(), first);
        return first;
    }

    private static First first(Item item) {
        var places = new ArrayList<RankedRestaurant>();
        var rank = 1L;
        var before = 0L;
        for (var one : item.strings("places")) {
            var parts = one.split(" ", FIELDS);
            var count = Long.parseLong(parts[0]);
            var position = places.size() + 1;
            rank = count == before ? rank : position;
            before = count;
            places.add(new RankedRestaurant(
                    rank, position, new RestaurantId(parts[2]), count, Instant.ofEpochMilli(Long.parseLong(parts[1]))));
        }
        return new First(
                Instant.ofEpochMilli(item.integer("asOf")),
                places,
                item.findString("next").orElse(null));
    }

    private static Key first(Span span, Instant when) {
        return new Key("FAVFIRST#" + span.key(), Long.toString(when.getEpochSecond()));
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
