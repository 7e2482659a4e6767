package io.menuboard.querydb;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Names and values that the expressions of one request refer to. Not thread-safe. */
final class Placeholders {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_]+");

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /** The placeholder of an attribute, of which any may be a word that DynamoDB reserves. */
    String name(String attribute) {
        var placeholder = "#"
                + (PLAIN.matcher(attribute).matches()
                        ? attribute
                        : "_" + Integer.toUnsignedString(attribute.hashCode(), Character.MAX_RADIX));
        return bind(names, placeholder, attribute);
    }

    String value(AttributeValue value) {
        return bind(values, ":_" + values.size(), value);
    }

    /** A condition in DynamoDB's language; null for none. */
    @Nullable
    String text(@Nullable Condition condition) {
        return condition == null ? null : condition.text(this);
    }

    private static <V> String bind(Map<String, V> known, String placeholder, V meaning) {
        var before = known.putIfAbsent(placeholder, meaning);
        if (before != null && !before.equals(meaning)) {
            throw new IllegalArgumentException(
                    "placeholder " + placeholder + " means both " + before + " and " + meaning);
        }
        return placeholder;
    }

    /** Null for none, because DynamoDB refuses an empty map. */
    @Nullable
    Map<String, String> names() {
        return names.isEmpty() ? null : names;
    }

    /** Null for none, because DynamoDB refuses an empty map. */
    @Nullable
    Map<String, AttributeValue> values() {
        return values.isEmpty() ? null : values;
    }
}
