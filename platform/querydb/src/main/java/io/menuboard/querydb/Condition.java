package io.menuboard.querydb;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Something that must hold of an item for a write to happen. Immutable. A comparison holds for no item that lacks the
 * attribute or has it with another type; numbers compare by value, strings by their UTF-8 bytes.
 */
@CheckReturnValue
public final class Condition {

    /** The operator that joins its parts; empty for one that needs no parentheses. */
    private final String operator;

    private final boolean allowsAbsence;
    private final Function<Placeholders, String> text;

    private Condition(String operator, boolean allowsAbsence, Function<Placeholders, String> text) {
        this.operator = operator;
        this.allowsAbsence = allowsAbsence;
        this.text = text;
    }

    /** Something is at the key. */
    public static Condition exists() {
        return exists(Item.PARTITION);
    }

    /** The item has the attribute. */
    public static Condition exists(String attribute) {
        return new Condition("", false, bound -> "attribute_exists(" + bound.name(attribute) + ")");
    }

    /** Nothing is at the key. */
    public static Condition absent() {
        return absent(Item.PARTITION);
    }

    /** There is no item, or one without the attribute. */
    public static Condition absent(String attribute) {
        return new Condition("", true, bound -> "attribute_not_exists(" + bound.name(attribute) + ")");
    }

    public static Condition equal(String attribute, String value) {
        return compare(attribute, "=", value(value));
    }

    public static Condition equal(String attribute, long value) {
        return compare(attribute, "=", value(value));
    }

    public static Condition equal(String attribute, BigDecimal value) {
        return compare(attribute, "=", value(value));
    }

    /** The list has these elements in this order. */
    public static Condition equal(String attribute, List<String> value) {
        return compare(attribute, "=", value(value));
    }

    /** The map has these entries and no others. */
    public static Condition equal(String attribute, Map<String, String> value) {
        return compare(attribute, "=", value(value));
    }

    /** A value of any type. */
    public static Condition equal(String attribute, AttributeValue value) {
        return compare(attribute, "=", value);
    }

    public static Condition less(String attribute, long bound) {
        return compare(attribute, "<", value(bound));
    }

    public static Condition less(String attribute, BigDecimal bound) {
        return compare(attribute, "<", value(bound));
    }

    public static Condition less(String attribute, String bound) {
        return compare(attribute, "<", value(bound));
    }

    public static Condition atMost(String attribute, long bound) {
        return compare(attribute, "<=", value(bound));
    }

    public static Condition atMost(String attribute, BigDecimal bound) {
        return compare(attribute, "<=", value(bound));
    }

    public static Condition atMost(String attribute, String bound) {
        return compare(attribute, "<=", value(bound));
    }

    public static Condition greater(String attribute, long bound) {
        return compare(attribute, ">", value(bound));
    }

    public static Condition greater(String attribute, String bound) {
        return compare(attribute, ">", value(bound));
    }

    public static Condition atLeast(String attribute, long bound) {
        return compare(attribute, ">=", value(bound));
    }

    /** The attribute is a string that begins so. */
    public static Condition beginsWith(String attribute, String prefix) {
        return function("begins_with", attribute, value(prefix));
    }

    /** The attribute is a list or a set with that element, or a string with that in it. */
    public static Condition contains(String attribute, String element) {
        return function("contains", attribute, value(element));
    }

    private static Condition compare(String attribute, String operator, AttributeValue value) {
        return new Condition("", false, bound -> bound.name(attribute) + " " + operator + " " + bound.value(value));
    }

    private static Condition function(String name, String attribute, AttributeValue value) {
        return new Condition("", false, bound -> name + "(" + bound.name(attribute) + ", " + bound.value(value) + ")");
    }

    /** Both must hold. */
    public Condition and(Condition other) {
        return joined("AND", other, allowsAbsence && other.allowsAbsence);
    }

    /** One must hold. */
    public Condition or(Condition other) {
        return joined("OR", other, allowsAbsence || other.allowsAbsence);
    }

    /** This must not hold; so it holds where a comparison fails because the attribute is absent. */
    public Condition not() {
        return new Condition("", !allowsAbsence, bound -> "NOT (" + text(bound) + ")");
    }

    private Condition joined(String by, Condition other, boolean absence) {
        return new Condition(by, absence, bound -> part(by, bound) + " " + by + " " + other.part(by, bound));
    }

    private String part(String by, Placeholders bound) {
        return operator.isEmpty() || operator.equals(by) ? text(bound) : "(" + text(bound) + ")";
    }

    /** True if it holds where there is no item at all. */
    boolean allowsAbsence() {
        return allowsAbsence;
    }

    /** The condition in DynamoDB's language. */
    String text(Placeholders bound) {
        return text.apply(bound);
    }

    static AttributeValue value(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue value(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static AttributeValue value(BigDecimal value) {
        return AttributeValue.fromN(value.toPlainString());
    }

    static AttributeValue value(List<String> value) {
        return AttributeValue.fromL(value.stream().map(AttributeValue::fromS).toList());
    }

    static AttributeValue value(Map<String, String> value) {
        return AttributeValue.fromM(Item.attributes(value));
    }

    @Override
    public String toString() {
        var bound = new Placeholders();
        return text(bound) + " " + bound.values();
    }
}
