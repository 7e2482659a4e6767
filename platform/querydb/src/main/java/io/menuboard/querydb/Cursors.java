package io.menuboard.querydb;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the cursors of one list: a query, or several of one index that are merged. A cursor is base64url of a
 * version byte, the position (sort key; for an index the range key and the table's key), and a tag that only a holder of
 * the key can make, for this list only.
 */
final class Cursors {

    private static final String ALGORITHM = "HmacSHA256";
    private static final Base64.Encoder WITHOUT_PADDING = Base64.getUrlEncoder().withoutPadding();
    private static final byte VERSION = 1;
    // 96 bits: 2^95 guesses on average, each of them a request. RFC 2104 section 5 allows no less than 80 of 256.
    private static final int TAG_BYTES = 12;
    private static final int LENGTH_BYTES = 2;
    private static final int MAX_BYTES =
            1 + 2 * LENGTH_BYTES + 2 * Key.MAX_SORT_BYTES + Key.MAX_PARTITION_BYTES + TAG_BYTES;
    private static final int MAX_CHARS = (MAX_BYTES + 2) / 3 * 4;

    private final Query query;
    private final Mac mac;

    Cursors(SecretKey key, String table, Query query) {
        this(key, table, List.of(query));
    }

    Cursors(SecretKey key, String table, List<Query> queries) {
        this(key, queries.getFirst(), binding(table, queries));
    }

    /**
     * Cursors of a merged list that stays the same, though some of its queries come and go.
     *
     * @param list says what is in it
     * @param any one of its queries
     */
    Cursors(SecretKey key, String table, List<String> list, Query any) {
        this(key, any, binding(table, list, any));
    }

    /** The list's own key is derived once, so a cursor costs one short HMAC. */
    private Cursors(SecretKey key, Query query, byte[] binding) {
        this.query = query;
        this.mac = mac(new SecretKeySpec(mac(key).doFinal(binding), ALGORITHM));
    }

    /**
     * Position of an item in its list.
     *
     * @param range range key in the index; the sort key itself for a list of the table
     */
    record Position(Key key, String range) {}

    String write(Position position) {
        var range = utf8(position.range());
        return query.index() == null
                ? signed(1 + range.length, bytes -> bytes.put(range))
                : write(
                        range,
                        utf8(position.key().partition()),
                        utf8(position.key().sort()));
    }

    private String write(byte[] range, byte[] partition, byte[] sort) {
        return signed(
                1 + LENGTH_BYTES + range.length + LENGTH_BYTES + partition.length + sort.length,
                bytes -> bytes.putShort((short) range.length)
                        .put(range)
                        .putShort((short) partition.length)
                        .put(partition)
                        .put(sort));
    }

    private String signed(int length, Consumer<ByteBuffer> position) {
        var bytes = ByteBuffer.allocate(length + TAG_BYTES).put(VERSION);
        position.accept(bytes);
        bytes.put(tag(bytes.array(), length), 0, TAG_BYTES);
        return WITHOUT_PADDING.encodeToString(bytes.array());
    }

    /** Empty unless this very list wrote it, with the same key. */
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
            var canonical = WITHOUT_PADDING.encodeToString(bytes);
            return canonical.equals(cursor) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean genuine(byte[] bytes) {
        var end = bytes.length - TAG_BYTES;
        return end > 1
                && bytes[0] == VERSION
                && MessageDigest.isEqual(
                        Arrays.copyOfRange(bytes, end, bytes.length), Arrays.copyOf(tag(bytes, end), TAG_BYTES));
    }

    // The tag has shown that write() made these bytes, so their lengths are right.
    private Position position(byte[] bytes) {
        var position = ByteBuffer.wrap(bytes, 1, bytes.length - TAG_BYTES - 1);
        if (query.index() == null) {
            var sort = text(position, position.remaining());
            return new Position(new Key(query.partition(), sort), sort);
        }
        var range = text(position, position.getShort());
        var partition = text(position, position.getShort());
        return new Position(new Key(partition, text(position, position.remaining())), range);
    }

    // A Mac holds the state of one computation.
    private byte[] tag(byte[] bytes, int length) {
        synchronized (mac) {
            mac.update(bytes, 0, length);
            return mac.doFinal();
        }
    }

    /** Everything that decides which items are in the list and how they are grouped, unambiguously. */
    private static byte[] binding(String table, List<Query> queries) {
        var bytes = new ByteArrayOutputStream();
        append(bytes, table);
        queries.forEach(query -> append(bytes, query));
        return bytes.toByteArray();
    }

    /** The same of a list that has a name; no queries have as few parts. */
    private static byte[] binding(String table, List<String> list, Query query) {
        var name = new ByteArrayOutputStream();
        list.forEach(part -> append(name, part));
        var bytes = new ByteArrayOutputStream();
        append(bytes, table);
        append(bytes, query.accessPattern());
        append(bytes, query.index() == null ? "" : query.index());
        append(bytes, name.toByteArray());
        return bytes.toByteArray();
    }

    private static void append(ByteArrayOutputStream bytes, Query query) {
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
    }

    private static void append(ByteArrayOutputStream bytes, String text) {
        append(bytes, utf8(text));
    }

    private static void append(ByteArrayOutputStream bytes, byte[] encoded) {
        bytes.write(encoded.length >>> Byte.SIZE);
        bytes.write(encoded.length);
        bytes.writeBytes(encoded);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer bytes, int length) {
        var text = new byte[length];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
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
