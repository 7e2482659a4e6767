package io.menuboard.favorites;

import io.menuboard.favorites.DynamoRanks.Rank;
import io.menuboard.favorites.RankingEnds.End;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pages of rankings, with the position and the rank of each restaurant. Thread-safe. */
final class RankingPages {
    private final DynamoRanks ranks;
    private final RankingEnds ends;

    RankingPages(DynamoRanks ranks, RankingEnds ends) {
        this.ranks = ranks;
        this.ends = ends;
    }

    /** As {@link Rankings#top}. */
    Page<RankedRestaurant> page(Span span, PageRequest request) {
        var from = Cursor.of(request);
        var page = ranks.page(
                span, new PageRequest(request.direction(), request.size(), from == null ? null : from.cursor()));
        var numbers = numbers(span, page, request, from).iterator();
        return page.map(rank -> ranked(rank, numbers), Cursor::write);
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
     * @param cursor of the list itself
     */
    private record Cursor(long position, long rank, long count, String cursor) {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,12})\\.([0-9]{1,12})\\.([0-9]{1,12})\\.(.+)");

        /** Null where the request has no cursor. */
        static @Nullable Cursor of(PageRequest request) {
            if (request.cursor() == null) {
                return null;
            }
            var form = FORM.matcher(request.cursor());
            if (!form.matches()) {
                var field = request.direction() == Direction.FORWARD ? "after" : "before";
                throw new InvalidInput("INVALID_CURSOR", field, "must be a cursor that this same list gave out");
            }
            return new Cursor(
                    Long.parseLong(form.group(1)),
                    Long.parseLong(form.group(2)),
                    Long.parseLong(form.group(3)),
                    form.group(4));
        }

        static String write(RankedRestaurant ranked, String cursor) {
            return ranked.position() + "." + ranked.rank() + "." + ranked.count() + "." + cursor;
        }
    }
}
