package io.menuboard.querydb;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Attributes of one item of the table, as stored. The getters named after a type throw
 * {@link IllegalStateException} naming key and attribute when it is absent or of another type: such an item is
 * corrupt. Items are equal when their attributes are, number by written form ({@code 1.50} is not {@code 1.5}, which
 * is how DynamoDB gives it back).
 */
public final class Item {

    static final String PARTITION = "pk";
    static final String SORT = "sk";
    static final String TTL = "ttl";
    static final String TYPE = "type";
    static final String INDEX_PARTITION = "gsi1pk";
    static final String INDEX_SORT = "gsi1sk";
    static final String SECOND_INDEX_PARTITION = "gsi2pk";
    static final String SECOND_INDEX_SORT = "gsi2sk";

    private final @Nullable String partition;
    private final Map<String, AttributeValue> attributes;

    /** Made when it is first asked for. */
    private @Nullable Key key;

    /** Copies the map. */
    public Item(Map<String, AttributeValue> attributes) {
        this(null, Map.copyOf(attributes));
    }

    private Item(@Nullable String partition, Map<String, AttributeValue> attributes) {
        this.partition = partition;
        this.attributes = attributes;
    }

    /** Attributes as the SDK answered them, immutable: copying them would cost a page a twentieth of its time. */
    static Item fromResponse(Map<String, AttributeValue> attributes) {
        return new Item(null, attributes);
    }

    /** As {@link #fromResponse(Map)}, of an item whose partition key is known and need not be among the attributes. */
    static Item fromResponse(String partition, Map<String, AttributeValue> attributes) {
        return new Item(partition, attributes);
    }

    /** Starts an item at that key. */
    public static Builder at(Key key) {
        return new Builder(key);
    }

    /** By name, immutable. */
    public Map<String, AttributeValue> attributes() {
        return attributes;
    }

    public Key key() {
        var known = key;
        if (known == null) {
            known = new Key(partition == null ? string(PARTITION) : partition, string(SORT));
            key = known;
        }
        return known;
    }

    /** Type of the item, attribute {@code type}. */
    public String type() {
        return string(TYPE);
    }

    public String string(String name) {
        return require(name, "string", value(name).map(AttributeValue::s));
    }

    /** Empty when the attribute is absent or not a string. */
    public Optional<String> findString(String name) {
        return value(name).map(AttributeValue::s);
    }

    public BigDecimal number(String name) {
        return require(name, "number", findNumber(name));
    }

    /** Empty when the attribute is absent or not a number. */
    public Optional<BigDecimal> findNumber(String name) {
        return value(name).map(AttributeValue::n).map(BigDecimal::new);
    }

    /** A whole number; throws {@link ArithmeticException} for one with a fraction or outside {@code long}. */
    public long integer(String name) {
        return number(name).longValueExact();
    }

    public boolean flag(String name) {
        return require(name, "boolean", value(name).map(AttributeValue::bool));
    }

    /** A list of strings, in stored order. */
    public List<String> strings(String name) {
        var values =
                require(name, "list", value(name).filter(AttributeValue::hasL).map(AttributeValue::l));
        return values.stream()
                .map(value -> require(name, "list of strings", Optional.ofNullable(value.s())))
                .toList();
    }

    /** A map from string to string, in the order of its keys. */
    public Map<String, String> stringMap(String name) {
        var values =
                require(name, "map", value(name).filter(AttributeValue::hasM).map(AttributeValue::m));
        var strings = new TreeMap<String, String>();
        values.forEach(
                (key, value) -> strings.put(key, require(name, "map of strings", Optional.ofNullable(value.s()))));
        return Collections.unmodifiableMap(strings);
    }

    /** Empty when the attribute is absent or not binary. */
    public Optional<byte[]> findBytes(String name) {
        return value(name).map(AttributeValue::b).map(SdkBytes::asByteArray);
    }

    /** Second from which the item counts as gone; empty for an item that stays. */
    public Optional<Instant> ttl() {
        return findNumber(TTL).map(seconds -> Instant.ofEpochSecond(seconds.longValue()));
    }

    boolean expiredAt(Instant now) {
        var ttl = attributes.get(TTL);
        return ttl != null
                && ttl.n() != null
                && new BigDecimal(ttl.n()).compareTo(BigDecimal.valueOf(now.getEpochSecond())) <= 0;
    }

    /** Holds as long as each attribute is there with this value; others may have come on top. */
    Condition isUnchanged() {
        return attributes.entrySet().stream()
                .map(attribute -> Condition.equal(attribute.getKey(), attribute.getValue()))
                .reduce(Condition::and)
                .orElseThrow();
    }

    /** True if DynamoDB would store both alike: numbers compare by value, sets without order. */
    boolean storedAs(Item other) {
        return sameMap(attributes, other.attributes);
    }

    private static boolean sameMap(Map<String, AttributeValue> one, Map<String, AttributeValue> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(entry -> same(entry.getValue(), other.get(entry.getKey())));
    }

    private static boolean same(AttributeValue one, @Nullable AttributeValue other) {
        if (other == null || one.type() != other.type()) {
            return false;
        }
        return switch (one.type()) {
            case N -> new BigDecimal(one.n()).compareTo(new BigDecimal(other.n())) == 0;
            case NS -> numbers(one).equals(numbers(other));
            case SS -> Set.copyOf(one.ss()).equals(Set.copyOf(other.ss()));
            case BS -> new HashSet<>(one.bs()).equals(new HashSet<>(other.bs()));
            case M -> sameMap(one.m(), other.m());
            case L -> sameList(one.l(), other.l());
            case S, B, BOOL, NUL, UNKNOWN_TO_SDK_VERSION -> one.equals(other);
        };
    }

    private static boolean sameList(List<AttributeValue> one, List<AttributeValue> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (var i = 0; i < one.size(); i++) {
            if (!same(one.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    // A sorted set compares with compareTo, for which 1.0 is 1.
    private static Set<BigDecimal> numbers(AttributeValue value) {
        var numbers = new TreeSet<BigDecimal>();
        value.ns().forEach(number -> numbers.add(new BigDecimal(number)));
        return numbers;
    }

    private Optional<AttributeValue> value(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    private <T> T require(String name, String type, Optional<T> value) {
        return value.orElseThrow(
                () -> new IllegalStateException("the item at " + where() + " has no " + type + " " + name));
    }

    private String where() {
        return findString(PARTITION).orElse(partition == null ? "?" : partition) + " / "
                + findString(SORT).orElse("?");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Item item && attributes.equals(item.attributes);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    @Override
    public String toString() {
        return "Item" + attributes;
    }

    static Map<String, AttributeValue> attributes(Map<String, String> strings) {
        var attributes = new HashMap<String, AttributeValue>();
        strings.forEach((name, value) -> attributes.put(name, AttributeValue.fromS(value)));
        return attributes;
    }

    /** Collects the attributes of one item. A later call for the same name wins. Not thread-safe. */
    public static final class Builder {

        private final Map<String, AttributeValue> attributes = new HashMap<>();

        private Builder(Key key) {
            string(PARTITION, key.partition());
            string(SORT, key.sort());
        }

        /** Type of the item, attribute {@code type}. */
        public Builder type(String type) {
            return string(TYPE, type);
        }

        /** Lists the item in the index {@code gsi1} under that partition, at that place. */
        public Builder index(String partition, String sort) {
            var key = new Key(partition, sort);
            return string(INDEX_PARTITION, key.partition()).string(INDEX_SORT, key.sort());
        }

        /** Lists the item in the index {@code gsi2}, for what is listed in two orders: a write more for each change. */
        public Builder secondIndex(String partition, String sort) {
            var key = new Key(partition, sort);
            return string(SECOND_INDEX_PARTITION, key.partition()).string(SECOND_INDEX_SORT, key.sort());
        }

        public Builder string(String name, String value) {
            return value(name, AttributeValue.fromS(value));
        }

        public Builder number(String name, BigDecimal value) {
            return value(name, AttributeValue.fromN(value.toPlainString()));
        }

        public Builder number(String name, long value) {
            return value(name, AttributeValue.fromN(Long.toString(value)));
        }

        public Builder bytes(String name, byte[] value) {
            return value(name, AttributeValue.fromB(SdkBytes.fromByteArray(value)));
        }

        public Builder flag(String name, boolean value) {
            return value(name, AttributeValue.fromBool(value));
        }

        /** A list of strings; keeps order and duplicates. */
        public Builder strings(String name, List<String> values) {
            return value(
                    name,
                    AttributeValue.fromL(
                            values.stream().map(AttributeValue::fromS).toList()));
        }

        public Builder stringMap(String name, Map<String, String> values) {
            return value(name, AttributeValue.fromM(attributes(values)));
        }

        /** From that second on the item is invisible to every read; cut to whole seconds. */
        public Builder ttl(Instant gone) {
            return number(TTL, gone.getEpochSecond());
        }

        /** Any other type of value. */
        public Builder value(String name, AttributeValue value) {
            attributes.put(name, value);
            return this;
        }

        public Item build() {
            return new Item(attributes);
        }
    }
}
