package io.menuboard.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rankings of restaurants by marks, and the counts of each one. What was marked or taken back is counted within a second,
 * as long as all goes well, and ranked where somebody views it: among the first thousand places of a ranking. Places after these
 * may be ten minutes older, and a ranking that nobody has viewed for a day is brought up to date for the first viewer, which
 * may take longer than the answer (ADR 19). Every answer says the time for which it is true. To read
 * them takes {@link Permission#RANKINGS_READ}, for whatever part. Thread-safe.
 */
public final class Rankings {
    /** Of so many restaurants it is known how they were ranked before. */
    public static final int COMPARED = 500;

    private static final int COUNTS_AT_ONCE = 16;

    private final RankingPages pages;
    private final EarlierRankings earlier;
    private final DynamoRollups rollups;
    private final DynamoWatermarks watermarks;
    private final LiveRankings live;
    private final Clock clock;

    Rankings(
            RankingPages pages,
            EarlierRankings earlier,
            DynamoRollups rollups,
            DynamoWatermarks watermarks,
            LiveRankings live,
            Clock clock) {
        this.pages = pages;
        this.earlier = earlier;
        this.rollups = rollups;
        this.watermarks = watermarks;
        this.live = live;
        this.clock = clock;
    }

    /**
     * A page of a ranking.
     *
     * @param span time of the marks that count
     * @param asOf the time for which the first thousand places are true: marks made or taken back until then are counted,
     *     later ones perhaps
     * @param readAt when these places were read; for a page of a snapshot, when that was taken, up to five seconds early
     */
    public record Ranking(Span span, Instant asOf, Instant readAt, Page<RankedRestaurant> page) {

        /** True if it stays as it was at that time: a week of which marks may have been taken back that are not looked for any more. */
        public boolean isFinal() {
            return Rollup.knownUntil(span)
                    .filter(until -> !asOf.isBefore(until))
                    .isPresent();
        }
    }

    /**
     * Restaurants by how often they were marked, the first first: by count, the largest first, then by who reached it
     * first, then by id. Those with no mark in the window are in no ranking. Half a read unit for each 4 KB, some twenty
     * restaurants, of each shard. A page asked for backwards also reads those that share the rank of its first one, or, where
     * these may be many, how many they were a minute ago; positions of the last ones go by how many there were then.
     *
     * @param on a day of UTC, for the day, week or month that has it; null for that of the cursor, or, without one, the one that
     *     is under way. What is long ago is not kept: days for five weeks, weeks for ten, months for 400 days
     * @throws InvalidInput {@code INVALID_DAY} on {@code on} where the window is no part of the calendar
     */
    public Ranking top(Access access, FavoriteWindow window, @Nullable LocalDate on, PageRequest request) {
        access.require(Permission.RANKINGS_READ);
        var now = clock.instant();
        var span = on == null ? RankingPages.span(window, request, now) : Span.on(window, on);
        // Before it is read: what is ranked meanwhile may be in it, and what is asked for is not missing.
        var asOf = asOf(span, now);
        return new Ranking(span, asOf, now, pages.page(span, request));
    }

    /**
     * As {@link #top}, for whoever pages on: a page from the beginning is of a snapshot of the first thousand places, up to five
     * seconds old, and its cursors lead to pages of the same snapshot, for an hour, in which every restaurant has one place.
     * Places after the thousandth, and pages from the end, are those of the ranking as it is: what moves meanwhile may be
     * missed there, or come twice. A snapshot takes a write unit for each 25 restaurants; an instance that does not know it yet
     * reads it for a unit for each hundred.
     *
     * @throws InvalidInput also {@code INVALID_CURSOR} where the snapshot is not kept any more
     */
    public Ranking walk(Access access, FavoriteWindow window, @Nullable LocalDate on, PageRequest request) {
        access.require(Permission.RANKINGS_READ);
        var next = pages.next(window, on, request);
        if (next.isPresent()) {
            return next.get();
        }
        if (request.cursor() != null || request.direction() == Direction.BACKWARD) {
            return top(access, window, on, request);
        }
        var now = clock.instant();
        var span = on == null ? Span.at(window, now) : Span.on(window, on);
        return pages.begin(span, now, () -> asOf(span, now), request);
    }

    private Instant asOf(Span span, Instant now) {
        return span.equals(Span.at(span.window(), now)) ? live.asOf(span.window()) : live.asOf(span);
    }

    /**
     * Earlier ranks of restaurants, by which movement is measured.
     *
     * @param at time of that ranking: of a day, week or month its end; for the other windows the begin of this day of UTC, or
     *     when somebody first saw to it. Null where nothing is known of that time
     * @param ranks of the first {@value #COMPARED}
     */
    public record Before(@Nullable Instant at, Map<RestaurantId, Long> ranks, Instant readAt) {

        public Before {
            ranks = Map.copyOf(ranks);
        }

        /** Number of places it went up, less than zero for down; null for one that was not among the first then. */
        public @Nullable Long movement(RankedRestaurant now) {
            var before = ranks.get(now.restaurant());
            return before == null ? null : before - now.rank();
        }
    }

    /** The ranking to compare another one with. Read once a minute; as a page of {@value #COMPARED}, or half a unit for each 4 KB. */
    public Before before(Access access, Span span) {
        access.require(Permission.RANKINGS_READ);
        return earlier.before(span);
    }

    /**
     * Marks of a restaurant in every window that is under way.
     *
     * @param asOf the time for which that is true
     * @param hours of each hour of UTC with any, the last 24
     * @param days of each day of UTC with any, the last 30
     * @param months of each month of UTC with any
     */
    public record Counts(
            RestaurantId restaurant,
            Instant asOf,
            List<Count> windows,
            SortedMap<Instant, Long> hours,
            SortedMap<LocalDate, Long> days,
            SortedMap<YearMonth, Long> months) {

        public Counts {
            windows = List.copyOf(windows);
        }

        /** Of one window. */
        public long of(FavoriteWindow window) {
            return windows.stream()
                    .filter(count -> count.span().window() == window)
                    .mapToLong(Count::count)
                    .sum();
        }
    }

    /** Number of marks of that time. */
    public record Count(Span span, long count) {}

    /** One read unit for each 4 KB of its rollups, some four of them, and half a unit. */
    public Counts counts(Access access, RestaurantId restaurant) {
        access.require(Permission.RANKINGS_READ);
        return counts(restaurant, watermarks.countedUpTo());
    }

    /** Counts of many restaurants, in their order, some read at once. As {@link #counts(Access, RestaurantId)} each, and half a unit. */
    public List<Counts> counts(Access access, List<RestaurantId> restaurants) {
        access.require(Permission.RANKINGS_READ);
        var asOf = watermarks.countedUpTo();
        return Concurrently.map(COUNTS_AT_ONCE, restaurants, restaurant -> counts(restaurant, asOf));
    }

    private Counts counts(RestaurantId restaurant, Instant asOf) {
        var now = clock.instant();
        var rollup = Rollup.sum(rollups.all(restaurant).values());
        var windows = Arrays.stream(FavoriteWindow.values())
                .map(window -> Span.at(window, now))
                .map(span -> new Count(span, rollup.count(span)))
                .toList();
        return new Counts(
                restaurant,
                asOf,
                windows,
                withMarks(rollup.hours().tailMap(from(FavoriteWindow.LAST_24_HOURS, now))),
                withMarks(rollup.days()
                        .tailMap(Span.at(FavoriteWindow.LAST_30_DAYS, now).first())),
                withMarks(rollup.months()));
    }

    /** Without those of which none is left, or fewer for a while: where taking a mark back was counted before making it. */
    private static <K> SortedMap<K, Long> withMarks(SortedMap<K, Long> counts) {
        var some = new TreeMap<>(counts);
        some.values().removeIf(count -> count <= 0);
        return some;
    }

    private static Instant from(FavoriteWindow window, Instant now) {
        var from = Span.at(window, now).from();
        return from == null ? Instant.MIN : from;
    }

    /** As {@link #lag()}, for who may read rankings. */
    public Optional<Duration> lag(Access access) {
        access.require(Permission.RANKINGS_READ);
        return lag();
    }

    /** Time by which counting is behind, three seconds at the least; empty before anything was counted. Half a read unit. */
    public Optional<Duration> lag() {
        return watermarks.findCountedUpTo().map(upTo -> Duration.between(upTo, clock.instant()));
    }
}
