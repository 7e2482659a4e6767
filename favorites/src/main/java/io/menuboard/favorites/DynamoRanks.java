package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts as items {@code RESTAURANT#{restaurant}}/{@code FAVCOUNT#{window}}, ranked in {@code gsi1} under
 * {@code FAVRANK#{window}#{shard}} by {@code {9999999999 - count}#{when it was reached}#{restaurant}}: the order of the
 * ranking. A count of none is not ranked. They follow from tallies; {@code basis} says from which, so that what follows
 * from older ones never takes the place of what follows from newer ones.
 */
final class DynamoRanks {
    private static final String TYPE = "favoriteCount";
    private static final String BASIS = "basis";
    private static final String COUNT = "count";
    private static final String CHANGES = "changes";
    private static final long MOST = 9_999_999_999L;
    private static final int MOST_DIGITS = 10;
    private static final int RANKS_REMEMBERED = 50_000;

    private final QueryDb db;
    private final int shards;
    private final Cache<Key, Written> written =
            Caffeine.newBuilder().maximumSize(RANKS_REMEMBERED).build();

    /** @param shards partitions that share a ranking, at least 1; may be raised while no ranking is kept, or by a recount */
    DynamoRanks(QueryDb db, int shards) {
        this.db = db;
        this.shards = shards;
    }

    /**
     * A restaurant's count in a window.
     *
     * @param reached when it became that
     */
    record Rank(RestaurantId restaurant, long count, Instant reached) {}

    /** What a restaurant's count in a window is to be, by a sum of tallies. */
    private record Wanted(
            Key key, Span span, long count, @Nullable Instant changes) {}

    /** What is there, or was: the basis never goes back. */
    private record Written(Rank rank, long basis, Instant changes) {
        static Written of(Item item) {
            return new Written(
                    DynamoRanks.rank(item),
                    item.integer(BASIS),
                    item.findNumber(CHANGES)
                            .map(changes -> Instant.ofEpochMilli(changes.longValue()))
                            .orElse(Instant.MAX));
        }

        /** Whether nothing could have changed since. */
        boolean follows(Tally tally, Instant now) {
            return basis >= tally.version() && changes.isAfter(now);
        }
    }

    /**
     * Writes the counts that follow from a sum of tallies, unless these or newer ones are there. Three write units for each
     * that is written, and half a read unit for each not known. How long they are kept: a day's five weeks, a week's ten, a month's 400 days.
     */
    void write(RestaurantId restaurant, Collection<Span> spans, Tally tally, Instant now) {
        var wanted = spans.stream()
                .filter(span -> Tally.knows(span, now)
                        && gone(span).filter(gone -> !gone.isAfter(now)).isEmpty())
                .map(span -> new Wanted(
                        key(restaurant, span),
                        span,
                        tally.count(span),
                        tally.changes(span).orElse(null)))
                .toList();
        load(wanted);
        wanted.forEach(one -> write(restaurant, one, tally, now));
    }

    private void load(List<Wanted> wanted) {
        var unknown = wanted.stream()
                .map(Wanted::key)
                .filter(key -> written.getIfPresent(key) == null)
                .toList();
        db.getBatch(unknown).forEach(item -> item.ifPresent(found -> written.put(found.key(), Written.of(found))));
    }

    private void write(RestaurantId restaurant, Wanted wanted, Tally tally, Instant now) {
        var before = written.getIfPresent(wanted.key());
        if (before != null && before.follows(tally, now)) {
            return;
        }
        var reached = before != null && before.rank().count() == wanted.count()
                ? before.rank().reached()
                : reached(wanted, tally, now);
        var item =
                item(new Rank(restaurant, wanted.count(), reached), wanted.span(), tally.version(), wanted.changes());
        try {
            db.save(
                    item,
                    Expression.of("attribute_not_exists(#basis) OR #basis <= :basis")
                            .name("#basis", BASIS)
                            .number(":basis", tally.version()));
            written.put(wanted.key(), Written.of(item));
        } catch (ConditionFailed newer) {
            newer.current().ifPresent(current -> written.put(wanted.key(), Written.of(current)));
        }
    }

    Item item(Rank rank, Span span, long basis, @Nullable Instant changes) {
        var item = Item.at(key(rank.restaurant(), span))
                .type(TYPE)
                .number(COUNT, rank.count())
                .number(BASIS, basis);
        if (rank.count() > 0) {
            item.index(partition(span, rank.restaurant().shard(shards)), place(rank));
        }
        if (changes != null) {
            item.number(CHANGES, changes.toEpochMilli());
        }
        gone(span).ifPresent(item::ttl);
        return item.build();
    }

    /** When the last thing happened that is counted, or when marks left the window, whichever was later. */
    private static Instant reached(Wanted wanted, Tally tally, Instant now) {
        return wanted.span()
                .movedAt(now)
                .filter(moved -> moved.isAfter(tally.latest()))
                .orElse(tally.latest());
    }

    /** A page of a ranking. Half a read unit for each 4 KB, some twenty restaurants, of each shard. */
    Page<Rank> page(Span span, PageRequest page) {
        var lists = IntStream.range(0, shards)
                .mapToObj(shard -> ranking(span, shard))
                .toList();
        return db.query(lists, page, item -> Optional.of(rank(item)));
    }

    /** What the ranking says of a restaurant, in those of the windows of which it can be right. Half a read unit each. */
    Map<FavoriteWindow, Long> counts(RestaurantId restaurant, List<Span> spans, Instant now) {
        var items =
                db.getBatch(spans.stream().map(span -> key(restaurant, span)).toList());
        var counts = new EnumMap<FavoriteWindow, Long>(FavoriteWindow.class);
        for (var i = 0; i < spans.size(); i++) {
            var found = items.get(i).map(Written::of);
            if (found.isEmpty() || found.get().changes().isAfter(now)) {
                var ranked =
                        items.get(i).filter(item -> item.findString("gsi1sk").isPresent());
                counts.put(
                        spans.get(i).window(),
                        ranked.map(item -> rank(item).count()).orElse(0L));
            }
        }
        return counts;
    }

    /** Writes counts as {@link #write} does, also where what is there seems to follow from the same tally. */
    void rewrite(RestaurantId restaurant, Collection<Span> spans, Tally tally, Instant now) {
        spans.forEach(span -> written.invalidate(key(restaurant, span)));
        write(restaurant, spans, tally, now);
    }

    /** How many restaurants have the same count as that one and come before it. As dear as reading them. */
    long before(Span span, Rank rank) {
        return IntStream.range(0, shards)
                        .mapToLong(shard -> db.size(
                                ranking(span, shard).between(inverted(rank.count()), place(rank)), Long.MAX_VALUE))
                        .sum()
                - 1;
    }

    /** How many restaurants are ranked. As dear as reading them. */
    long size(Span span) {
        return IntStream.range(0, shards)
                .mapToLong(shard -> db.size(ranking(span, shard), Long.MAX_VALUE))
                .sum();
    }

    /** Restaurants whose count in that window has changed by itself since it was written. Reads the whole ranking. */
    Stream<RestaurantId> outdated(Span span, Instant now) {
        return IntStream.range(0, shards)
                .boxed()
                .flatMap(shard -> db.all(ranking(span, shard).attributes(CHANGES)))
                .filter(item -> item.findNumber(CHANGES)
                        .filter(changes -> changes.longValue() <= now.toEpochMilli())
                        .isPresent())
                .map(item -> restaurant(item.key()));
    }

    private static Query ranking(Span span, int shard) {
        return Query.index("favorite ranking", "gsi1", partition(span, shard));
    }

    private static String partition(Span span, int shard) {
        return "FAVRANK#" + span.key() + "#" + shard;
    }

    private static String place(Rank rank) {
        return inverted(rank.count()) + "#" + Key.sortable(rank.reached()) + "#" + rank.restaurant();
    }

    private static String inverted(long count) {
        return String.format(Locale.ROOT, "%0" + MOST_DIGITS + "d", MOST - count);
    }

    static Key key(RestaurantId restaurant, Span span) {
        return new Key("RESTAURANT#" + restaurant, "FAVCOUNT#" + span.key());
    }

    private static RestaurantId restaurant(Key key) {
        return new RestaurantId(key.partition().substring("RESTAURANT#".length()));
    }

    private static Rank rank(Item item) {
        var reached = item.findString("gsi1sk")
                .map(place -> Instant.parse(place.substring(MOST_DIGITS + 1, place.indexOf('#', MOST_DIGITS + 1))))
                .orElse(Instant.EPOCH);
        return new Rank(restaurant(item.key()), item.integer(COUNT), reached);
    }

    private static Optional<Instant> gone(Span span) {
        var end = span.to();
        var kept =
                switch (span.window()) {
                    case DAY -> Duration.ofDays(36);
                    case WEEK -> Duration.ofDays(70);
                    case MONTH -> Duration.ofDays(400);
                    case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS -> Duration.ZERO;
                };
        return kept.isZero()
                ? Optional.empty()
                : Optional.of(Objects.requireNonNull(end).plus(kept));
    }
}
