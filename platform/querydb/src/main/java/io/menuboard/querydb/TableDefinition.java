package io.menuboard.querydb;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/**
 * A table described once, as data: what {@link QueryDb} works on, and tests compare the deployment template with.
 *
 * @param name table name, at least three characters
 * @param indexes global secondary indexes
 * @param ttl attribute that holds the second at which an item expires; null for a table whose items stay
 * @param stream what the stream's records hold; null for no stream
 */
public record TableDefinition(
        String name,
        KeyAttribute hash,
        @Nullable KeyAttribute range,
        List<Index> indexes,
        @Nullable String ttl,
        @Nullable StreamViewType stream) {

    /** Throws {@link IllegalArgumentException} when keys and indexes contradict each other. */
    public TableDefinition {
        indexes = List.copyOf(indexes);
        var names = new HashSet<String>();
        for (var index : indexes) {
            if (!names.add(index.name())) {
                throw new IllegalArgumentException("table " + name + " has two indexes " + index.name());
            }
        }
        requireDistinct("table " + name, hash, range);
        attributes(name, hash, range, indexes);
    }

    /** The table of architecture section 2. */
    public static TableDefinition menuboard(String name) {
        return new TableDefinition(
                name,
                KeyAttribute.string(Item.PARTITION),
                KeyAttribute.string(Item.SORT),
                List.of(
                        new Index(
                                "gsi1",
                                KeyAttribute.string(Item.INDEX_PARTITION),
                                KeyAttribute.string(Item.INDEX_SORT),
                                new Projection.All()),
                        new Index(
                                "gsi2",
                                KeyAttribute.string(Item.SECOND_INDEX_PARTITION),
                                KeyAttribute.string(Item.SECOND_INDEX_SORT),
                                new Projection.All())),
                Item.TTL,
                StreamViewType.NEW_AND_OLD_IMAGES);
    }

    /** Throws {@link IllegalArgumentException} naming it when the table has no such index. */
    Index index(String indexName) {
        return indexes.stream()
                .filter(index -> index.name().equals(indexName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("table " + name + " has no index " + indexName));
    }

    /** Every key attribute of table and indexes once, in order of first use. */
    public List<KeyAttribute> attributes() {
        return attributes(name, hash, range, indexes);
    }

    private static List<KeyAttribute> attributes(
            String table, KeyAttribute hash, @Nullable KeyAttribute range, List<Index> indexes) {
        var byName = new LinkedHashMap<String, KeyAttribute>();
        Stream.concat(keys(hash, range), indexes.stream().flatMap(index -> keys(index.hash(), index.range())))
                .forEach(attribute -> {
                    var before = byName.putIfAbsent(attribute.name(), attribute);
                    if (before != null && !before.equals(attribute)) {
                        throw new IllegalArgumentException("attribute " + attribute.name() + " of table " + table
                                + " is both " + before.type() + " and " + attribute.type());
                    }
                });
        return List.copyOf(byName.values());
    }

    private static Stream<KeyAttribute> keys(KeyAttribute hash, @Nullable KeyAttribute range) {
        return range == null ? Stream.of(hash) : Stream.of(hash, range);
    }

    private static void requireDistinct(String what, KeyAttribute hash, @Nullable KeyAttribute range) {
        if (range != null && range.name().equals(hash.name())) {
            throw new IllegalArgumentException(what + " has the hash key " + hash.name() + " as range key too");
        }
    }

    /** An attribute that is a key of the table or of an index. */
    public record KeyAttribute(String name, ScalarAttributeType type) {

        public static KeyAttribute string(String name) {
            return new KeyAttribute(name, ScalarAttributeType.S);
        }
    }

    /** A global secondary index. */
    public record Index(
            String name, KeyAttribute hash, @Nullable KeyAttribute range, Projection projection) {
        public Index {
            requireDistinct("index " + name, hash, range);
        }
    }

    /** Attributes that an index copies; keys of table and index always. */
    public sealed interface Projection {

        /** Every attribute. */
        record All() implements Projection {}

        /** No others. */
        record KeysOnly() implements Projection {}

        /** These others, at least one. */
        record Include(List<String> attributes) implements Projection {
            public Include {
                attributes = List.copyOf(attributes);
                if (attributes.isEmpty()) {
                    throw new IllegalArgumentException("INCLUDE needs an attribute; use KEYS_ONLY");
                }
            }
        }

        /** True if that attribute, which is no key, is copied. */
        default boolean includes(String attribute) {
            return switch (this) {
                case All() -> true;
                case KeysOnly() -> false;
                case Include(var attributes) -> attributes.contains(attribute);
            };
        }
    }
}
