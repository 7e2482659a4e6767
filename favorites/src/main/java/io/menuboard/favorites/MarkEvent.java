package io.menuboard.favorites;

import java.time.Instant;

/**
 * A mark that was made, or taken back.
 *
 * @param mark number of the mark, of all that were ever made
 * @param created time when it was made, which decides in which windows it counts
 * @param at time of this event
 */
record MarkEvent(RestaurantId restaurant, Kind kind, long mark, Instant created, Instant at) {
    /** A {@link #place} has a millisecond in so many bits more. */
    static final int PARTS_BITS = 10;

    enum Kind {
        MADE,
        TAKEN_BACK
    }

    long change() {
        return kind == Kind.MADE ? 1 : -1;
    }

    /** Number in the ledger of counted events: marks are even numbers, and taking one back is the next odd one. */
    long number() {
        return kind == Kind.MADE ? mark : takenBack(mark);
    }

    /** The number of the event that this mark was taken back. */
    static long takenBack(long mark) {
        return mark | 1;
    }

    /** True if it is the number of a mark that was taken back. */
    static boolean isTakenBack(long number) {
        return (number & 1) != 0;
    }

    /**
     * Place in the ledger by time, in 1024ths of a millisecond since 1970: what arrives together is near to each other,
     * and however often it arrives it has the same place. When a mark was taken back is known to the second.
     */
    long place() {
        return at.toEpochMilli() << PARTS_BITS | mark >>> (Long.SIZE - PARTS_BITS);
    }
}
