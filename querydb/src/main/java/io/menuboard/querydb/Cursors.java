package io.menuboard.querydb;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the cursors of one query. A cursor is base64url of a version byte, the position (sort key; for an
 * index the range key and the table's key), and a tag that only a holder of the key can make, for this query only.
 */
final class Cursors {

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte VERSION = 1;
    // 96 bits: 2^95 guesses on average, each of them a request. RFC 2104 section 5 allows no less than 80 of 256.
    private static final int TAG_BYTES = 12;
    private static final int LENGTH_BYTES = 2;
    private static final int MAX_BYTES =
            1 + 2 * LENGTH_BYTES + 2 * Key.MAX_SORT_BYTES + Key.MAX_PARTITION_BYTES + TAG_BYTES;
    private static final int MAX_CHARS = (MAX_BYTES + 2) / 3 * 4;

    private final Query query;
    private final Mac mac;

    /** The query's own key is derived once, so a cursor costs one short HMAC. */
    Cursors(SecretKey key, String table, Query query) {
        this.query = query;
        this.mac = mac(new SecretKeySpec(mac(key).doFinal(binding(table, query)), ALGORITHM));
    }

    /**
     * Where an item stands in its list.
     *
     * @param range range key in the index; the sort key itself for a list of the table
     */
    record Position(Key key, String range) {}

    String write(Position position) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(VERSION);
        if (query.index() == null) {
            bytes.writeBytes(utf8(position.range()));
        } else {
            append(bytes, position.range());
            append(bytes, position.key().partition());
            bytes.writeBytes(utf8(position.key().sort()));
        }
        bytes.writeBytes(tag(bytes.toByteArray()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /** Empty unless this very query wrote it, with the same key. */
    Optional<Position> read(String cursor) {
        return decode(cursor).filter(this::genuine).map(this::position);
    }

    private static Optional<byte[]> decode(String cursor) {
        if (cursor.length() > MAX_CHARS) {
            return Optional.empty();
        }
        try {
            var bytes = Base64.getUrlDecoder().decode(cursor);
            // The decoder ignores padding and stray bits; one position has one cursor.
            var canonical = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            return canonical.equals(cursor) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean genuine(byte[] bytes) {
        var end = bytes.length - TAG_BYTES;
        return end > 1
                && bytes[0] == VERSION
                && MessageDigest.isEqual(Arrays.copyOfRange(bytes, end, bytes.length), tag(Arrays.copyOf(bytes, end)));
    }

    // The tag has shown that write() made these bytes, so their lengths are right.
    private Position position(byte[] bytes) {
        var end = bytes.length - TAG_BYTES;
        if (query.index() == null) {
            var sort = text(bytes, 1, end);
            return new Position(new Key(query.partition(), sort), sort);
        }
        var rangeStart = 1 + LENGTH_BYTES;
        var rangeEnd = rangeStart + length(bytes, 1);
        var partitionStart = rangeEnd + LENGTH_BYTES;
        var partitionEnd = partitionStart + length(bytes, rangeEnd);
        return new Position(
                new Key(text(bytes, partitionStart, partitionEnd), text(bytes, partitionEnd, end)),
                text(bytes, rangeStart, rangeEnd));
    }

    // A Mac holds the state of one computation.
    private byte[] tag(byte[] position) {
        synchronized (mac) {
            return Arrays.copyOf(mac.doFinal(position), TAG_BYTES);
        }
    }

    /** Everything that decides which items are in the list and how they are grouped, unambiguously. */
    private static byte[] binding(String table, Query query) {
        var bytes = new ByteArrayOutputStream();
        append(bytes, table);
        append(bytes, query.accessPattern());
        append(bytes, query.index() == null ? "" : query.index());
        append(bytes, query.partition());
        switch (query.range()) {
            case null -> append(bytes, "all");
            case Query.Range.BeginsWith(var prefix) -> {
                append(bytes, "begins with");
                append(bytes, prefix);
            }
            case Query.Range.Between(var low, var high) -> {
                append(bytes, "between");
                append(bytes, low);
                append(bytes, high);
            }
        }
        append(bytes, Integer.toString(query.groupParts()));
        return bytes.toByteArray();
    }

    private static void append(ByteArrayOutputStream bytes, String text) {
        var encoded = utf8(text);
        bytes.write(encoded.length >>> Byte.SIZE);
        bytes.write(encoded.length);
        bytes.writeBytes(encoded);
    }

    private static int length(byte[] bytes, int at) {
        return Byte.toUnsignedInt(bytes[at]) * 256 + Byte.toUnsignedInt(bytes[at + 1]);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static Mac mac(SecretKey key) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
