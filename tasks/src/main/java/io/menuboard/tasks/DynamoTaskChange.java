package io.menuboard.tasks;

import io.menuboard.querydb.Expression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One conditional update of a task's item, put together attribute by attribute. Not thread-safe. */
final class DynamoTaskChange {
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    DynamoTaskChange set(String attribute, String value) {
        return set(attribute, AttributeValue.fromS(value));
    }

    DynamoTaskChange set(String attribute, long value) {
        return set(attribute, AttributeValue.fromN(Long.toString(value)));
    }

    DynamoTaskChange set(String attribute, boolean value) {
        return set(attribute, AttributeValue.fromBool(value));
    }

    /** Removes the attribute where there is no value. */
    DynamoTaskChange setOrRemove(String attribute, @Nullable String value) {
        return value == null ? remove(attribute) : set(attribute, value);
    }

    /** Appends to a list, on condition that the list does not have that element. */
    DynamoTaskChange appendOnce(String attribute, String value) {
        var name = name(attribute);
        var element = AttributeValue.fromS(value);
        sets.add(name + " = list_append(" + name + ", " + value(AttributeValue.fromL(List.of(element))) + ")");
        conditions.add("NOT contains(" + name + ", " + value(element) + ")");
        return this;
    }

    DynamoTaskChange remove(String attribute) {
        removes.add(name(attribute));
        return this;
    }

    /** Removes the first elements of a list. */
    DynamoTaskChange removeFirst(String attribute, int count) {
        for (var i = 0; i < count; i++) {
            removes.add(name(attribute) + "[" + i + "]");
        }
        return this;
    }

    DynamoTaskChange where(String attribute, String operator, String value) {
        return where(attribute, operator, AttributeValue.fromS(value));
    }

    DynamoTaskChange where(String attribute, String operator, long value) {
        return where(attribute, operator, AttributeValue.fromN(Long.toString(value)));
    }

    DynamoTaskChange whereNotBeginning(String attribute, String prefix) {
        conditions.add("NOT begins_with(" + name(attribute) + ", " + value(AttributeValue.fromS(prefix)) + ")");
        return this;
    }

    Expression update() {
        var text = "SET " + String.join(", ", sets);
        if (!removes.isEmpty()) {
            text += " REMOVE " + String.join(", ", removes);
        }
        return new Expression(text, used(text, names), used(text, values));
    }

    Expression condition() {
        var text = String.join(" AND ", conditions);
        return new Expression(text, used(text, names), used(text, values));
    }

    private DynamoTaskChange set(String attribute, AttributeValue value) {
        sets.add(name(attribute) + " = " + value(value));
        return this;
    }

    private DynamoTaskChange where(String attribute, String operator, AttributeValue value) {
        conditions.add(name(attribute) + " " + operator + " " + value(value));
        return this;
    }

    /** Any of them may be a reserved word. */
    private String name(String attribute) {
        names.put("#" + attribute, attribute);
        return "#" + attribute;
    }

    private String value(AttributeValue value) {
        var placeholder = ":v" + values.size() + "_";
        values.put(placeholder, value);
        return placeholder;
    }

    /** DynamoDB refuses placeholders that are bound and not used. */
    private static <V> Map<String, V> used(String text, Map<String, V> all) {
        var used = new HashMap<>(all);
        used.keySet().removeIf(placeholder -> !text.contains(placeholder));
        return used;
    }
}
