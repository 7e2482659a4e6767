package io.menuboard.favorites;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.favorites.RankingEnds.End;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which restaurants are marked most, and how often each one is. What was marked or taken back is counted within a second,
 * as long as all goes well, and ranked where somebody looks: among the first thousand places of a ranking. Places after these
 * may be ten minutes older, and a ranking at which nobody has looked for a day is brought up to date for who looks first, which
 * may take longer than the answer (ADR 19). Every answer says the time for which it is true. Thread-safe.
 */
public final class Rankings {
    /** Of so many restaurants it is known how they were ranked before. */
    public static final int COMPARED = 500;

    private static final int BEFORES_REMEMBERED = 64;
    private static final Duration BEFORE_HOLDS = Duration.ofMinutes(1);

    private final DynamoRanks ranks;
    private final DynamoTallies tallies;
    private final CountingWatermark watermark;
    private final FavoriteSweeps sweeps;
    private final LiveRankings live;
    private final RankNotes notes;
    private final WatchedRankings watched;
    private final RankingEnds ends;
    private final DynamoRankSnapshots snapshots;
    private final Clock clock;

    /** Earlier rankings, by what they are of: they change little, or never. */
    private final Cache<String, Before> befores =
            Caffeine.newBuilder().maximumSize(BEFORES_REMEMBERED).build();

    /** The last day of which this instance has seen to it that there is a snapshot, by window. */
    private final Map<FavoriteWindow, LocalDate> snapshotOf = new ConcurrentHashMap<>();

    Rankings(
            DynamoRanks ranks,
            DynamoTallies tallies,
            CountingWatermark watermark,
            FavoriteSweeps sweeps,
            LiveRankings live,
            RankNotes notes,
            WatchedRankings watched,
            RankingEnds ends,
            DynamoRankSnapshots snapshots,
            Clock clock) {
        this.ranks = ranks;
        this.tallies = tallies;
        this.snapshots = snapshots;
        this.watermark = watermark;
        this.sweeps = sweeps;
        this.live = live;
        this.notes = notes;
        this.watched = watched;
        this.ends = ends;
        this.clock = clock;
    }

    /**
     * Restaurants by how often they were marked, the first first: by count, the largest first, then by who reached it
     * first, then by id. Those with no mark in the window are in no ranking. Half a read unit for each 4 KB, some twenty
     * restaurants, of each shard. A page asked for backwards also reads those that share the rank of its first one, or, where
     * these may be many, how many they were a minute ago; positions of the last ones go by how many there were then.
     *
     * @param on a day of UTC, for the day, week or month that has it; null for the one that is under way. What is long
     *     ago is not kept: days for five weeks, weeks for ten, months for 400 days
     * @throws InvalidInput {@code INVALID_DAY} on {@code on} where the window is no part of the calendar
     */
    public Ranking top(FavoriteWindow window, @Nullable LocalDate on, PageRequest request) {
        var now = Span.at(window, clock.instant());
        var span = on == null ? now : Span.on(window, on);
        // Before it is read: what is ranked meanwhile may be in it, and what is asked for is not missing.
        var asOf = span.equals(now) ? asOf(window) : asOf(span);
        return new Ranking(span, asOf, page(span, request));
    }

    private Page<RankedRestaurant> page(Span span, PageRequest request) {
        var from = RankCursors.of(request);
        var page = ranks.page(
                span, new PageRequest(request.direction(), request.size(), from == null ? null : from.cursor()));
        var numbers = numbers(span, page, request, from).iterator();
        return page.map(rank -> ranked(rank, numbers), RankCursors::write);
    }

    private static RankedRestaurant ranked(Rank rank, Iterator<Place> numbers) {
        var place = numbers.next();
        return new RankedRestaurant(place.rank(), place.position(), rank.restaurant(), rank.count(), rank.reached());
    }

    private record Place(long position, long rank) {}

    /** Positions and ranks of a page's restaurants, in their order. */
    private List<Place> numbers(Span span, Page<Rank> page, PageRequest request, @Nullable RankCursors from) {
        var nodes = page.nodes();
        if (nodes.isEmpty()) {
            return List.of();
        }
        var forward = request.direction() == Direction.FORWARD;
        var first = nodes.getFirst();
        var end = forward ? Optional.<End>empty() : from == null ? Optional.of(ends.of(span)) : ends.known(span);
        long position;
        if (forward) {
            position = from == null ? 1 : from.position() + 1;
        } else {
            // What changed meanwhile may have moved some to the front of a page that was near it.
            var after = from == null ? end.orElseThrow().size() + 1 : from.position();
            position = Math.max(1, after - nodes.size());
        }
        long rank;
        if (from != null && first.count() == from.count()) {
            rank = from.rank();
        } else if (forward) {
            rank = position;
        } else {
            var known = end.flatMap(one -> one.rank(first.count()));
            rank = known.isPresent()
                    ? Math.min(known.get(), position)
                    : Math.max(1, position - ranks.before(span, first));
        }
        var places = new ArrayList<Place>(nodes.size());
        var count = first.count();
        for (var node : nodes) {
            if (node.count() != count) {
                rank = position;
                count = node.count();
            }
            places.add(new Place(position, rank));
            position++;
        }
        return places;
    }

    /**
     * How restaurants were ranked before: what movement is measured by.
     *
     * @param at when that was: of a day, week or month its end; for the other windows the begin of this day of UTC, or
     *     when somebody first saw to it. Null where nothing is known of that time
     * @param ranks of the first {@value #COMPARED}
     */
    public record Before(@Nullable Instant at, Map<RestaurantId, Long> ranks, Instant readAt) {

        public Before {
            ranks = Map.copyOf(ranks);
        }

        /** How many places it went up, less than zero for down; null for one that was not among the first then. */
        public @Nullable Long movement(RankedRestaurant now) {
            var before = ranks.get(now.restaurant());
            return before == null ? null : before - now.rank();
        }
    }

    /** What to compare a ranking with. Read once a minute; as a page of {@value #COMPARED}, or half a unit for each 4 KB. */
    public Before before(Span span) {
        var known = befores.getIfPresent(span.key());
        var now = clock.instant();
        if (known != null && now.isBefore(known.readAt().plus(BEFORE_HOLDS))) {
            return known;
        }
        var read = span.previous()
                .filter(previous ->
                        !isBehind(previous, notes.rankedUpTo(span.window()).plus(sweeps.mostBehind())))
                .map(previous -> before(previous, now))
                .orElseGet(() -> snapshot(span.window(), now));
        befores.put(span.key(), read);
        return read;
    }

    private Before before(Span previous, Instant now) {
        var byRestaurant = new HashMap<RestaurantId, Long>();
        page(previous, PageRequest.forward(COMPARED, null))
                .nodes()
                .forEach(one -> byRestaurant.put(one.restaurant(), one.rank()));
        return new Before(byRestaurant.isEmpty() ? null : previous.to(), byRestaurant, now);
    }

    private Before snapshot(FavoriteWindow window, Instant now) {
        var today = Tally.day(now);
        return snapshots
                .find(window, today)
                .map(known -> new Before(known.at(), known.ranks(), now))
                .orElseGet(() -> new Before(null, Map.of(), now));
    }

    /**
     * Keeps what the rankings are that have no earlier one and at which somebody looks, for those who ask {@link #before}
     * today; not the empty ones.
     */
    void snapshot() {
        var now = clock.instant();
        var today = Tally.day(now);
        watched.kept().stream()
                .filter(window -> !window.isCalendar() && !today.equals(snapshotOf.get(window)))
                .filter(window -> snapshot(window, today, now))
                .forEach(window -> snapshotOf.put(window, today));
    }

    private boolean snapshot(FavoriteWindow window, LocalDate today, Instant now) {
        if (snapshots.find(window, today).isPresent()) {
            return true;
        }
        if (!sweeps.catchUp(window)) {
            return false;
        }
        var first =
                page(Span.at(window, now), PageRequest.forward(COMPARED, null)).nodes();
        if (!first.isEmpty()) {
            snapshots.save(window, today, first, now);
        }
        return true;
    }

    /**
     * How often a restaurant is marked, in every window that is under way.
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

    /** How many marks there are of that time. */
    public record Count(Span span, long count) {}

    /** One read unit for each 4 KB of its tallies, some four of them, and half a unit. */
    public Counts counts(RestaurantId restaurant) {
        var asOf = countedUpTo();
        var now = clock.instant();
        var tally = Tally.sum(tallies.all(restaurant).values());
        var windows = Arrays.stream(FavoriteWindow.values())
                .map(window -> Span.at(window, now))
                .map(span -> new Count(span, tally.count(span)))
                .toList();
        return new Counts(
                restaurant,
                asOf,
                windows,
                tally.hours().tailMap(from(FavoriteWindow.LAST_24_HOURS, now)),
                tally.days().tailMap(Span.at(FavoriteWindow.LAST_30_DAYS, now).first()),
                tally.months());
    }

    private static Instant from(FavoriteWindow window, Instant now) {
        var from = Span.at(window, now).from();
        return from == null ? Instant.MIN : from;
    }

    /**
     * The time for which the first places of a window's ranking are true: until when everything is counted and ranked, or
     * until when what left a window that moves on is taken out of it, if that is earlier.
     */
    private Instant asOf(FavoriteWindow window) {
        var ranked = live.look(window).orElseGet(() -> earlier(countedUpTo(), notes.rankedUpTo(window)));
        return window.isRolling() ? earlier(ranked, sweeps.sweptUpTo(window)) : ranked;
    }

    /** Of one that is over: what came late is ranked at once, and what was noted until its end for the first who looks. */
    private Instant asOf(Span over) {
        var counted = countedUpTo();
        var ranked = notes.rankedUpTo(over.window());
        return isBehind(over, ranked)
                ? live.lookBack(over.window()).orElseGet(() -> earlier(counted, ranked))
                : counted;
    }

    private static boolean isBehind(Span over, Instant rankedUpTo) {
        return over.to() != null && rankedUpTo.isBefore(over.to());
    }

    /** How far counting is behind, three seconds at the least; empty before anything was counted. Half a read unit. */
    public Optional<Duration> lag() {
        return watermark.countedUpTo().map(upTo -> Duration.between(upTo, clock.instant()));
    }

    private Instant countedUpTo() {
        return watermark.countedUpTo().orElse(Instant.EPOCH);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
