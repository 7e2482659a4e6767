package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRankSnapshots.First;
import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.favorites.RankingEnds.End;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.kernel.Edge;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.QueryDbException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pages of rankings, with the position and the rank of each restaurant. Thread-safe. */
final class RankingPages {
    private static final Logger log = LoggerFactory.getLogger(RankingPages.class);

    /** Time in which all who begin to page through a ranking share a snapshot. An hour is a multiple of it: no window ends within. */
    static final Duration SHARED = Duration.ofSeconds(5);

    private final DynamoRanks ranks;
    private final RankingEnds ends;
    private final DynamoRankSnapshots snapshots;
    private final int places;

    /** @param places first places that snapshots have */
    RankingPages(DynamoRanks ranks, RankingEnds ends, DynamoRankSnapshots snapshots, int places) {
        this.ranks = ranks;
        this.ends = ends;
        this.snapshots = snapshots;
        this.places = places;
    }

    /**
     * The first page of a snapshot, which is taken where there is none of these seconds; of the ranking itself where that has no
     * second page, or where the snapshot cannot be kept.
     *
     * @param asOf as of the ranking, if it were read now
     */
    Ranking begin(Span span, Instant now, Supplier<Instant> asOf, PageRequest request) {
        var seconds = now.getEpochSecond();
        var when = Instant.ofEpochSecond(seconds - seconds % SHARED.toSeconds());
        var known = snapshots.findFirst(span, when);
        if (known.isPresent()) {
            return ofSnapshot(span, new SnapshotCursor(span.key(), when, 0), known.get(), request);
        }
        var at = asOf.get();
        var first = page(span, PageRequest.forward(places, null));
        var goesOn = first.hasNextPage();
        if (!goesOn && first.nodes().size() <= request.size()) {
            return new Ranking(span, at, now, first);
        }
        First taken;
        try {
            taken = snapshots.save(span, when, new First(at, first.nodes(), goesOn ? first.endCursor() : null));
        } catch (QueryDbException e) {
            QueryDbException.warn(log, e, "snapshot of a ranking not kept: ranking={}", span.key());
            return new Ranking(span, at, now, page(span, request));
        }
        return ofSnapshot(span, new SnapshotCursor(span.key(), when, 0), taken, request);
    }

    /** The page of a snapshot that the cursor of another one asks for; empty where the request has none of these. */
    Optional<Ranking> next(FavoriteWindow window, @Nullable LocalDate on, PageRequest request) {
        return SnapshotCursor.of(request).map(cursor -> {
            var span = on == null ? Span.at(window, cursor.when()) : Span.on(window, on);
            var snapshot = Optional.of(span)
                    .filter(asked -> asked.key().equals(cursor.ranking()))
                    .flatMap(asked -> snapshots.findFirst(asked, cursor.when()))
                    .filter(found -> cursor.position() <= found.places().size())
                    .orElseThrow(
                            () -> foreign(request, "must be a cursor that this same list gave out within an hour"));
            return ofSnapshot(span, cursor, snapshot, request);
        });
    }

    /** What the page has beyond the snapshot is of the ranking as it is. */
    private Ranking ofSnapshot(Span span, SnapshotCursor cursor, First first, PageRequest request) {
        var all = first.places();
        var forward = request.direction() == Direction.FORWARD;
        var from = forward ? cursor.position() : Math.max(0, cursor.position() - 1 - request.size());
        var to = forward ? Math.min(all.size(), cursor.position() + request.size()) : cursor.position() - 1;
        var edges = new ArrayList<Edge<RankedRestaurant>>();
        for (var place : all.subList(from, to)) {
            edges.add(new Edge<>(place, () -> cursor.at(place.position())));
        }
        BooleanSupplier next =
                () -> to < all.size() || !rest(span, first, 1).nodes().isEmpty();
        if (forward && edges.size() < request.size()) {
            var rest = rest(span, first, request.size() - edges.size());
            edges.addAll(rest.edges());
            next = rest::hasNextPage;
        }
        return new Ranking(span, first.asOf(), cursor.when(), new Page<>(edges, next, () -> from > 0, () -> page(
                        span, PageRequest.forward(1, null))
                .totalCount()));
    }

    private Page<RankedRestaurant> rest(Span span, First first, int size) {
        return first.next() == null ? Page.empty() : page(span, PageRequest.forward(size, first.next()));
    }

    private static InvalidInput foreign(PageRequest request, String rule) {
        return new InvalidInput("INVALID_CURSOR", request.direction() == Direction.FORWARD ? "after" : "before", rule);
    }

    /**
     * Place in a snapshot.
     *
     * @param position from 1
     */
    private record SnapshotCursor(String ranking, Instant when, int position) {
        private static final Pattern FORM = Pattern.compile("([a-zA-Z0-9:-]+)@([0-9]{1,11})\\.([0-9]{1,5})");

        /** Empty where the request has none, or one of the ranking as it is. */
        static Optional<SnapshotCursor> of(PageRequest request) {
            return Optional.ofNullable(request.cursor())
                    .map(FORM::matcher)
                    .filter(Matcher::matches)
                    .map(form -> new SnapshotCursor(
                            form.group(1),
                            Instant.ofEpochSecond(Long.parseLong(form.group(2))),
                            Integer.parseInt(form.group(3))))
                    .filter(cursor -> cursor.position() > 0);
        }

        String at(long place) {
            return ranking + "@" + when.getEpochSecond() + "." + place;
        }
    }

    /**
     * The ranking that a request without a day asks for: that of the page whose cursor it has, which may be over by now, or the
     * one under way.
     */
    static Span span(FavoriteWindow window, PageRequest request, Instant now) {
        return Optional.ofNullable(Cursor.of(request))
                .map(Cursor::day)
                .filter(_ -> window.isCalendar())
                .map(day -> Span.on(window, LocalDate.ofEpochDay(day)))
                .orElseGet(() -> Span.at(window, now));
    }

    /** As {@link Rankings#top}. */
    Page<RankedRestaurant> page(Span span, PageRequest request) {
        var from = Cursor.of(request);
        var page = ranks.page(
                span, new PageRequest(request.direction(), request.size(), from == null ? null : from.cursor()));
        var numbers = numbers(span, page, request, from).iterator();
        return page.map(rank -> ranked(rank, numbers), (ranked, cursor) -> new Cursor(span, ranked, cursor).write());
    }

    private static RankedRestaurant ranked(Rank rank, Iterator<Place> numbers) {
        var place = numbers.next();
        return new RankedRestaurant(place.rank(), place.position(), rank.restaurant(), rank.count(), rank.reached());
    }

    private record Place(long position, long rank) {}

    /** Positions and ranks of a page's restaurants, in their order. */
    private List<Place> numbers(Span span, Page<Rank> page, PageRequest request, @Nullable Cursor from) {
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
     * Start of a page of a ranking: a cursor of the list, and before it the position, rank and count of the restaurant
     * that it stands for, so that those of the next page are known without counting what comes before.
     *
     * @param day since 1970, with which a day, week or month begins; null for other windows, and where an older instance wrote it
     * @param cursor of the list itself
     */
    private record Cursor(@Nullable Long day, long position, long rank, long count, String cursor) {
        private static final Pattern FORM =
                Pattern.compile("(?:([0-9]{1,6})/)?([0-9]{1,9})\\.([0-9]{1,9})\\.([0-9]{1,9})\\.(.+)");

        Cursor(Span span, RankedRestaurant ranked, String cursor) {
            this(
                    span.window().isCalendar() ? span.first().toEpochDay() : null,
                    ranked.position(),
                    ranked.rank(),
                    ranked.count(),
                    cursor);
        }

        /** Null where the request has no cursor. */
        static @Nullable Cursor of(PageRequest request) {
            if (request.cursor() == null) {
                return null;
            }
            var form = FORM.matcher(request.cursor());
            if (!form.matches()) {
                throw foreign(request, "must be a cursor that this same list gave out");
            }
            return new Cursor(
                    form.group(1) == null ? null : Long.valueOf(form.group(1)),
                    Long.parseLong(form.group(2)),
                    Long.parseLong(form.group(3)),
                    Long.parseLong(form.group(4)),
                    form.group(5));
        }

        String write() {
            return (day == null ? "" : day + "/") + position + "." + rank + "." + count + "." + cursor;
        }
    }
}
