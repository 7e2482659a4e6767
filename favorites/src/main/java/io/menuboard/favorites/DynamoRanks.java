package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts as items {@code RESTAURANT#{restaurant}}/{@code FAVCOUNT#{window}}, ranked in {@code gsi1} under
 * {@code FAVRANK#{window}#{shard}} by {@code {9999999999 - count}#{when it was reached}#{restaurant}}: the order of the
 * ranking. A count of none is not ranked. They follow from rollups; {@code basis} says from which, and {@code from} where a
 * window that moves on began, so that what follows from older rollups, or from an earlier window, never takes the place of
 * what follows from newer ones.
 */
final class DynamoRanks {
    private static final String TYPE = "favoriteCount";
    private static final String BASIS = "basis";
    private static final String COUNT = "count";
    private static final String CHANGES = "changes";
    private static final long MOST = 9_999_999_999L;
    private static final int MOST_DIGITS = 10;
    private static final String FROM = "from";
    private static final int RANKS_REMEMBERED = 100_000;

    /** No writer still ranks older rollups so long after the newest event that is counted. */
    private static final Duration SETTLED = Duration.ofHours(1);

    private static final Duration PLACES_REMEMBERED = Duration.ofSeconds(5);

    /** No place is after it. */
    private static final String LAST = "\uDBFF\uDFFF";

    private final QueryDb db;
    private final int shards;
    private final int firstPlaces;
    private final Cache<Key, Written> written =
            Caffeine.newBuilder().maximumSize(RANKS_REMEMBERED).build();

    /** The last of the first places, by ranking; {@link #LAST} where all are among them. */
    private final AsyncCache<Span, String> lastOfFirst;

    /**
     * @param shards partitions that share a ranking, at least 1; may be raised while no ranking is kept, or by a recount
     * @param firstPlaces number of places that {@link #writeFirstPlaces} writes
     */
    DynamoRanks(QueryDb db, int shards, int firstPlaces, Executor threads) {
        this.db = db;
        this.shards = shards;
        this.firstPlaces = firstPlaces;
        this.lastOfFirst = Caffeine.newBuilder()
                .expireAfterWrite(PLACES_REMEMBERED)
                .executor(threads)
                .buildAsync();
    }

    /**
     * A restaurant's count in a window.
     *
     * @param reached when it became that
     */
    record Rank(RestaurantId restaurant, long count, Instant reached) {}

    /** Count that a restaurant is to have in a window, by a sum of rollups. */
    private record Wanted(
            Key key, Span span, long count, @Nullable Instant changes) {}

    /**
     * Rank that is stored, or was: basis and begin never go back.
     *
     * @param from begin of a window that moves on; {@link Instant#MIN} for others, and where an older instance wrote it
     */
    private record Written(Rank rank, long basis, Instant changes, Instant from) {
        static Written of(Item item) {
            return new Written(
                    DynamoRanks.rank(item),
                    item.findNumber(BASIS).map(BigDecimal::longValue).orElse(0L),
                    item.findNumber(CHANGES)
                            .map(changes -> Instant.ofEpochMilli(changes.longValue()))
                            .orElse(Instant.MAX),
                    item.findNumber(FROM)
                            .map(from -> Instant.ofEpochMilli(from.longValue()))
                            .orElse(Instant.MIN));
        }

        /** True if nothing could have changed since. */
        boolean follows(Rollup rollup, Instant now) {
            return basis >= rollup.version() && changes.isAfter(now);
        }
    }

    /**
     * Writes the counts that follow from a sum of rollups, unless these or newer ones are there. Three write units for each
     * that is written, and half a read unit for each not known. How long they are kept: a day's five weeks, a week's ten, a month's 400 days.
     *
     * @return false where newer rollups than these were ranked in a window that has moved on since: read them and try again
     */
    boolean write(RestaurantId restaurant, Collection<Span> spans, Rollup rollup, Instant now) {
        var wanted = wanted(restaurant, spans, rollup, now);
        load(wanted, this::isUnknown);
        return write(restaurant, wanted, rollup, now, false);
    }

    private boolean write(RestaurantId restaurant, List<Wanted> all, Rollup rollup, Instant now, boolean again) {
        return all.stream()
                .map(one -> write(restaurant, one, rollup, now, again))
                .reduce(true, Boolean::logicalAnd);
    }

    /**
     * As {@link #write}, in those rankings only that are over, or in which the restaurant is among the first places, or
     * was, whoever ranked it there. Every 5 seconds, and for each of them, half a read unit for each 4 KB of these; and half
     * a read unit for each ranking in which it is not among them, and was not by what is known here.
     */
    boolean writeFirstPlaces(RestaurantId restaurant, Collection<Span> spans, Rollup rollup, Instant now) {
        var wanted = wanted(restaurant, spans, rollup, now);
        var last = wanted.stream()
                .filter(one -> !one.span().isOver(now))
                .collect(Collectors.toMap(Wanted::span, one -> lastOfFirst(one.span()), (one, _) -> one));
        Predicate<Wanted> isFirst = one -> {
            var end = last.get(one.span());
            return end == null || isAmongFirst(restaurant, one, rollup, end);
        };
        // Another instance may have ranked it among the first since this one knew where it was.
        load(wanted, isFirst.negate().or(this::isUnknown));
        return write(restaurant, wanted.stream().filter(isFirst).toList(), rollup, now, false);
    }

    private boolean isAmongFirst(RestaurantId restaurant, Wanted wanted, Rollup rollup, String last) {
        var before = written.getIfPresent(wanted.key());
        return place(new Rank(restaurant, wanted.count(), rollup.latest())).compareTo(last) <= 0
                || (before != null && place(before.rank()).compareTo(last) <= 0);
    }

    private String lastOfFirst(Span span) {
        return lastOfFirst
                .get(span, (_, threads) -> CompletableFuture.supplyAsync(() -> readLastOfFirst(span), threads))
                .join();
    }

    private String readLastOfFirst(Span span) {
        var first = page(span, PageRequest.forward(firstPlaces, null)).nodes();
        return first.size() < firstPlaces ? LAST : place(first.getLast());
    }

    private List<Wanted> wanted(RestaurantId restaurant, Collection<Span> spans, Rollup rollup, Instant now) {
        return spans.stream()
                .filter(span -> canBeMade(span, now))
                .map(span -> wanted(restaurant, span, rollup))
                .toList();
    }

    /** True if rollups know it, and it is not so old that it is not kept any more. */
    static boolean canBeMade(Span span, Instant now) {
        return Rollup.knows(span, now)
                && span.keptUntil().filter(gone -> !gone.isAfter(now)).isEmpty();
    }

    private static Wanted wanted(RestaurantId restaurant, Span span, Rollup rollup) {
        return new Wanted(
                key(restaurant, span),
                span,
                rollup.count(span),
                rollup.changes(span).orElse(null));
    }

    private boolean isUnknown(Wanted wanted) {
        return written.getIfPresent(wanted.key()) == null;
    }

    private void load(List<Wanted> wanted, Predicate<Wanted> some) {
        var keys = wanted.stream().filter(some).map(Wanted::key).toList();
        db.getBatch(keys).forEach(item -> item.ifPresent(found -> written.put(found.key(), Written.of(found))));
    }

    private boolean write(RestaurantId restaurant, Wanted wanted, Rollup rollup, Instant now, boolean again) {
        var before = written.getIfPresent(wanted.key());
        if (before != null && before.follows(rollup, now) && !again) {
            return true;
        }
        if (before == null && wanted.count() == 0 && rollup.latest().isBefore(now.minus(SETTLED))) {
            return true;
        }
        var same = before != null && before.rank().count() == wanted.count() ? before : null;
        var reached = same == null ? reached(wanted, rollup, now) : same.rank().reached();
        var item =
                item(new Rank(restaurant, wanted.count(), reached), wanted.span(), rollup.version(), wanted.changes());
        try {
            db.save(item, isNewer(item, same, again));
            written.put(wanted.key(), Written.of(item));
            return true;
        } catch (ConditionFailed newer) {
            var current = Written.of(newer.current().orElseThrow());
            written.put(wanted.key(), current);
            if (current.basis() > rollup.version()) {
                return !current.from().isBefore(Written.of(item).from());
            }
            if (!current.equals(before)) {
                // It was ranked elsewhere since that was known here: once more, by what is there.
                return write(restaurant, wanted, rollup, now, again);
            }
            if (current.basis() == rollup.version() || !wanted.span().window().isRolling()) {
                return true;
            }
            // It follows from older rollups than these, but the window has moved on: so it does for these too.
            var moved = new Span(wanted.span().window(), current.from(), null);
            return write(restaurant, wanted(restaurant, moved, rollup), rollup, later(now, moved), again);
        }
    }

    /**
     * Holds where the item follows from newer rollups, or a later window, and its count was reached when it says.
     *
     * @param same rank with the same count, from which it has when that was reached; null where another count is known
     * @param again whether it also takes the place of one that seems to say the same
     */
    private static Condition isNewer(Item item, @Nullable Written same, boolean again) {
        var basis = item.integer(BASIS);
        var found = item.findNumber(FROM);
        var newer = again || found.isPresent() ? Condition.atMost(BASIS, basis) : Condition.less(BASIS, basis);
        var later = found.map(from -> newer.and(noLater(from, basis, again))).orElse(newer);
        return Condition.absent(BASIS)
                .or(later.and(
                        same == null
                                ? Condition.equal(COUNT, item.integer(COUNT)).not()
                                : isStill(same)));
    }

    private static Condition isStill(Written known) {
        var from = known.from();
        return Condition.equal(BASIS, known.basis())
                .and(from.equals(Instant.MIN) ? Condition.absent(FROM) : Condition.equal(FROM, from.toEpochMilli()));
    }

    private static Condition noLater(BigDecimal from, long basis, boolean again) {
        var earlier = again
                ? Condition.atMost(FROM, from)
                : Condition.less(FROM, from).or(Condition.equal(FROM, from).and(Condition.less(BASIS, basis)));
        return Condition.absent(FROM).or(earlier);
    }

    /** No earlier than when that window began to be under way. */
    private static Instant later(Instant now, Span rolling) {
        var window = rolling.window();
        var began = Objects.requireNonNull(rolling.from()).plus(window.length()).minus(1, window.step());
        return began.isAfter(now) ? began : now;
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
        if (span.window().isRolling()) {
            item.number(FROM, Objects.requireNonNull(span.from()).toEpochMilli());
        }
        span.keptUntil().ifPresent(item::ttl);
        return item.build();
    }

    /**
     * Time of the last event of the restaurant, or at which marks left the window, whichever was later; no later than the window. A
     * restaurant that is marked again after a window has ended is taken to have reached its count there at its end.
     */
    private static Instant reached(Wanted wanted, Rollup rollup, Instant now) {
        var reached = wanted.span()
                .movedAt(now)
                .filter(moved -> moved.isAfter(rollup.latest()))
                .orElse(rollup.latest());
        var to = wanted.span().to();
        return to == null || reached.isBefore(to) ? reached : to.minusMillis(1);
    }

    /** A page of a ranking. Half a read unit for each 4 KB, some twenty restaurants, of each shard. */
    Page<Rank> page(Span span, PageRequest page) {
        var lists = IntStream.range(0, shards)
                .mapToObj(shard -> ranking(span, shard))
                .toList();
        return db.query(lists, DynamoRanks::rank, page);
    }

    /** Ranked counts of a restaurant, in those of the windows of which they can be right. Half a read unit each. */
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

    /** Writes counts as {@link #write} does, also where what is there seems to follow from the same rollup. */
    void rewrite(RestaurantId restaurant, Collection<Span> spans, Rollup rollup, Instant now) {
        var wanted = wanted(restaurant, spans, rollup, now);
        wanted.forEach(one -> written.invalidate(one.key()));
        load(wanted, this::isUnknown);
        write(restaurant, wanted, rollup, now, true);
    }

    /** Number of restaurants that have the same count as that one and come before it. As dear as reading them. */
    long before(Span span, Rank rank) {
        return IntStream.range(0, shards)
                        .mapToLong(shard -> db.size(
                                        ranking(span, shard).between(inverted(rank.count()), place(rank)),
                                        Integer.MAX_VALUE)
                                .count())
                        .sum()
                - 1;
    }

    /** The count of every restaurant that is ranked. As dear as reading them. */
    Stream<Long> counts(Span span) {
        return IntStream.range(0, shards)
                .boxed()
                .flatMap(shard -> db.all(ranking(span, shard).attributes(COUNT)))
                .map(item -> item.integer(COUNT));
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
}
