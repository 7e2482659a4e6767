package io.menuboard.kernel;

import java.util.stream.Stream;

/**
 * Number of things, counted up to a bound.
 *
 * @param count how many were counted
 */
public record Count(int count, Precision precision) {

    /** Whether all were counted. */
    public enum Precision {
        /** There are as many. */
        EXACT,
        /** There are as many or more. */
        AT_LEAST
    }

    /** All that there are. */
    public static Count exactly(long count) {
        return new Count(Math.toIntExact(count), Precision.EXACT);
    }

    /** As many as a stream has, of which no more than {@code bound + 1} are taken. */
    public static Count upTo(int bound, Stream<?> things) {
        var count = things.limit(bound + 1L).count();
        return count > bound ? atLeast(bound) : exactly(count);
    }

    /** As many or more. */
    public static Count atLeast(long count) {
        return new Count(Math.toIntExact(count), Precision.AT_LEAST);
    }
}
