package io.menuboard.favorites;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mark that was made, or taken back.
 *
 * @param mark which one: of all marks that were ever made, this one
 * @param created when it was made, which says in which windows it counts
 * @param at when this happened
 */
record MarkEvent(RestaurantId restaurant, Kind kind, long mark, Instant created, Instant at) {
    /** A {@link #place} has a millisecond in so many bits more. */
    static final int PARTS_BITS = 10;

    enum Kind {
        MADE,
        TAKEN_BACK
    }

    /** What a change of a favorite's item means: nothing, one event, or two where another mark took the place of one. */
    static List<MarkEvent> of(ChangeRecord change) {
        var before = change.before();
        var after = change.after();
        if (before != null && after != null && DynamoFavorites.mark(before) == DynamoFavorites.mark(after)) {
            return List.of();
        }
        var events = new ArrayList<MarkEvent>(2);
        add(events, before, Kind.TAKEN_BACK, change.at());
        add(events, after, Kind.MADE, change.at());
        return List.copyOf(events);
    }

    private static void add(List<MarkEvent> events, @Nullable Item item, Kind kind, Instant at) {
        if (item != null) {
            var favorite = DynamoFavorites.favorite(item);
            events.add(new MarkEvent(
                    favorite.restaurant(),
                    kind,
                    DynamoFavorites.mark(item),
                    favorite.created(),
                    kind == Kind.MADE ? favorite.created() : at));
        }
    }

    long change() {
        return kind == Kind.MADE ? 1 : -1;
    }

    /** By what it is remembered that this was counted: marks are even numbers, and taking one back is the next odd one. */
    long number() {
        return kind == Kind.MADE ? mark : takenBack(mark);
    }

    /** The number of the event that this mark was taken back. */
    static long takenBack(long mark) {
        return mark | 1;
    }

    /** Whether it is the number of a mark that was taken back. */
    static boolean isTakenBack(long number) {
        return (number & 1) != 0;
    }

    /**
     * Where in time it is remembered, in 1024ths of a millisecond since 1970: what arrives together is near to each other,
     * and however often it arrives it has the same place. When a mark was taken back is known to the second.
     */
    long place() {
        return at.toEpochMilli() << PARTS_BITS | mark >>> (Long.SIZE - PARTS_BITS);
    }
}
