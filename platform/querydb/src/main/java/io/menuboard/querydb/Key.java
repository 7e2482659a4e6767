package io.menuboard.querydb;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/**
 * Full primary key of an item.
 *
 * @param partition partition key {@code pk}, 1 to 2,048 bytes of UTF-8
 * @param sort sort key {@code sk}, 1 to 1,024 bytes of UTF-8
 */
public record Key(String partition, String sort) {

    // Service quotas of Amazon DynamoDB, "Partition keys and sort keys".
    static final int MAX_PARTITION_BYTES = 2048;
    static final int MAX_SORT_BYTES = 1024;

    private static final DateTimeFormatter SORTABLE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** Throws {@link IllegalArgumentException} for a part that is empty or too long for DynamoDB. */
    public Key {
        requireBytes("partition key", partition, MAX_PARTITION_BYTES);
        requireBytes("sort key", sort, MAX_SORT_BYTES);
    }

    /**
     * ISO-8601 in UTC with exactly six decimals, so that strings sort as the instants do (which
     * {@link Instant#toString()} does not guarantee). Finer parts are cut off; years 0000 to 9999.
     */
    public static String sortable(Instant instant) {
        return SORTABLE.format(instant);
    }

    static void requireBytes(String what, String value, int max) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the " + what + " is empty");
        }
        // A char never takes more than three bytes, so short strings need no encoding.
        if (value.length() * 3 > max && value.getBytes(StandardCharsets.UTF_8).length > max) {
            throw new IllegalArgumentException("the " + what + " has more than " + max + " bytes: " + value);
        }
    }

    /** The order in which DynamoDB sorts string keys; differs from {@code compareTo} beyond the basic plane. */
    public static int compareUtf8(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return partition + " / " + sort;
    }
}
