package io.menuboard.querydb;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An update or condition expression with its placeholders, for what has no {@link Update} or {@link Condition} yet.
 * Placeholders that start with {@code :_} are reserved for {@link QueryDb}, which calls an attribute {@code x} also
 * {@code #x}.
 *
 * @param text in DynamoDB's expression language
 * @param names attribute names by placeholder ({@code #status})
 * @param values values by placeholder ({@code :now})
 */
public record Expression(String text, Map<String, String> names, Map<String, AttributeValue> values) {

    public Expression {
        names = Map.copyOf(names);
        values = Map.copyOf(values);
    }

    /** The text alone; add what it refers to with the methods below. */
    public static Expression of(String text) {
        return new Expression(text, Map.of(), Map.of());
    }

    /** Binds a placeholder like {@code #status}, needed for names that DynamoDB reserves. */
    public Expression name(String placeholder, String attribute) {
        return new Expression(text, merged(names, Map.of(placeholder, attribute)), values);
    }

    public Expression string(String placeholder, String value) {
        return value(placeholder, AttributeValue.fromS(value));
    }

    public Expression number(String placeholder, BigDecimal value) {
        return value(placeholder, AttributeValue.fromN(value.toPlainString()));
    }

    public Expression number(String placeholder, long value) {
        return value(placeholder, AttributeValue.fromN(Long.toString(value)));
    }

    public Expression strings(String placeholder, List<String> value) {
        return value(
                placeholder,
                AttributeValue.fromL(value.stream().map(AttributeValue::fromS).toList()));
    }

    public Expression stringMap(String placeholder, Map<String, String> value) {
        return value(placeholder, AttributeValue.fromM(Item.attributes(value)));
    }

    /** Binds a placeholder like {@code :v}. */
    public Expression value(String placeholder, AttributeValue value) {
        return new Expression(text, names, merged(values, Map.of(placeholder, value)));
    }

    /** Both must hold. */
    public Expression and(Expression other) {
        return joined("AND", other);
    }

    /** One must hold. */
    public Expression or(Expression other) {
        return joined("OR", other);
    }

    private static <V> Map<String, V> merged(Map<String, V> one, Map<String, V> other) {
        var merged = new HashMap<>(one);
        other.forEach((placeholder, meaning) -> {
            var before = merged.putIfAbsent(placeholder, meaning);
            if (before != null && !before.equals(meaning)) {
                throw new IllegalArgumentException(
                        "placeholder " + placeholder + " means both " + before + " and " + meaning);
            }
        });
        return merged;
    }

    private Expression joined(String operator, Expression other) {
        return new Expression(
                "(" + text + ") " + operator + " (" + other.text + ")",
                merged(names, other.names),
                merged(values, other.values));
    }
}
