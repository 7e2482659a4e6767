package io.menuboard.querydb;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list: the items of one partition of the table or of an index, in the order of their range key. Build it with
 * {@link #table} or {@link #index} and the methods below.
 *
 * @param accessPattern name under which its cost is metered; cursors are bound to it
 * @param index null for the table
 * @param partition partition key of the table or of the index
 * @param range which range keys; null for all
 * @param attributes names to read, empty for all; keys and TTL always come with them
 * @param groupParts how many {@code #}-separated parts of the range key make a group; 0 when each item stands alone
 * @param descending whether the list starts with the greatest range key
 * @param consistency of its pages; an index has none but {@link Consistency#EVENTUAL}
 */
public record Query(
        String accessPattern,
        @Nullable String index,
        String partition,
        @Nullable Range range,
        Set<String> attributes,
        int groupParts,
        boolean descending,
        Consistency consistency) {

    public Query {
        Key.requireBytes("partition key", partition, Key.MAX_PARTITION_BYTES);
        attributes = Set.copyOf(attributes);
        if (groupParts < 0) {
            throw new IllegalArgumentException("groupParts is negative: " + groupParts);
        }
        if (index != null && consistency != Consistency.EVENTUAL) {
            throw new IllegalArgumentException("pages of an index are eventually consistent");
        }
    }

    /** All items of a partition of the table. */
    public static Query table(String accessPattern, String partition) {
        return new Query(accessPattern, null, partition, null, Set.of(), 0, false, Consistency.EVENTUAL);
    }

    /** All items of a partition of an index. */
    public static Query index(String accessPattern, String index, String partition) {
        return new Query(accessPattern, index, partition, null, Set.of(), 0, false, Consistency.EVENTUAL);
    }

    /** Only range keys that start with the prefix; all of them if it is empty. */
    public Query beginsWith(String prefix) {
        return prefix.isEmpty() ? within(null) : within(new Range.BeginsWith(prefix));
    }

    /** Only range keys from {@code low} to {@code high}, both included, in the order of their UTF-8 bytes. */
    public Query between(String low, String high) {
        return within(new Range.Between(low, high));
    }

    /**
     * Reads only these attributes, the items' keys and what the list is ordered by, which saves the caller's time, not
     * capacity units. A partition key that the query names is not read again.
     */
    public Query attributes(String... names) {
        return new Query(accessPattern, index, partition, range, Set.of(names), groupParts, descending, consistency);
    }

    /** Consecutive items whose range keys agree in their first {@code keyParts} parts form one group. */
    public Query groupedBy(int keyParts) {
        return new Query(accessPattern, index, partition, range, attributes, keyParts, descending, consistency);
    }

    /** The same list with pages of that consistency; strong ones cost twice as much. Cursors are the same. */
    public Query consistency(Consistency other) {
        return new Query(accessPattern, index, partition, range, attributes, groupParts, descending, other);
    }

    /** The same list from its end. */
    public Query reversed() {
        return new Query(accessPattern, index, partition, range, attributes, groupParts, !descending, consistency);
    }

    private Query within(@Nullable Range newRange) {
        return new Query(accessPattern, index, partition, newRange, attributes, groupParts, descending, consistency);
    }

    /** Condition on the range key. */
    public sealed interface Range {

        /** Range keys that start with the prefix, which is not empty. */
        record BeginsWith(String prefix) implements Range {
            public BeginsWith {
                Key.requireBytes("prefix of the range key", prefix, Key.MAX_SORT_BYTES);
            }
        }

        /** Range keys between two, both included. */
        record Between(String low, String high) implements Range {
            public Between {
                Key.requireBytes("lower bound of the range key", low, Key.MAX_SORT_BYTES);
                Key.requireBytes("upper bound of the range key", high, Key.MAX_SORT_BYTES);
                if (Key.compareUtf8(low, high) > 0) {
                    throw new IllegalArgumentException("lower bound " + low + " is above upper bound " + high);
                }
            }
        }
    }
}
