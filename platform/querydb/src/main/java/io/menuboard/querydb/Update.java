package io.menuboard.querydb;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes of attributes of one item, put together attribute by attribute:
 *
 * <pre>{@code
 * Update.of(key)
 *         .set("status", "RUNNING")
 *         .remove("problem")
 *         .add("attempts", 1)
 *         .when(Condition.equal("status", "WAITING"))
 * }</pre>
 *
 * <p>Without a condition, or where that allows it, an absent item is created. Each method returns another update. All
 * values that an update refers to are those before it; DynamoDB refuses one that changes an attribute twice.
 */
@CheckReturnValue
public final class Update implements Write {

    /** Clauses of DynamoDB's update expressions. */
    private enum Clause {
        SET,
        REMOVE,
        ADD,
        DELETE
    }

    private record Change(Clause clause, Function<Placeholders, String> text) {}

    private final Key key;
    private final List<Change> changes;
    private final @Nullable Condition condition;

    private Update(Key key, List<Change> changes, @Nullable Condition condition) {
        this.key = key;
        this.changes = changes;
        this.condition = condition;
    }

    /** Begins an update of the item at that key. */
    public static Update of(Key key) {
        return new Update(key, List.of(), null);
    }

    public Update set(String attribute, String value) {
        return set(attribute, Condition.value(value));
    }

    public Update set(String attribute, long value) {
        return set(attribute, Condition.value(value));
    }

    public Update set(String attribute, BigDecimal value) {
        return set(attribute, Condition.value(value));
    }

    public Update set(String attribute, boolean value) {
        return set(attribute, AttributeValue.fromBool(value));
    }

    /** Sets a list; keeps order and duplicates. */
    public Update set(String attribute, List<String> value) {
        return set(attribute, Condition.value(value));
    }

    /** Sets a map from string to string. */
    public Update set(String attribute, Map<String, String> value) {
        return set(attribute, Condition.value(value));
    }

    /** Sets a value of any other type. */
    public Update set(String attribute, AttributeValue value) {
        return with(Clause.SET, bound -> bound.name(attribute) + " = " + bound.value(value));
    }

    /** Sets the attribute, and removes it where there is no value. */
    public Update setOrRemove(String attribute, @Nullable String value) {
        return value == null ? remove(attribute) : set(attribute, value);
    }

    /** Sets the attribute, and removes it where there is no value. */
    public Update setOrRemove(String attribute, @Nullable Long value) {
        return value == null ? remove(attribute) : set(attribute, value);
    }

    /** Sets the attribute where the item lacks it. */
    public Update setIfAbsent(String attribute, String value) {
        return setIfAbsent(attribute, Condition.value(value));
    }

    /** Sets the attribute where the item lacks it. */
    public Update setIfAbsent(String attribute, long value) {
        return setIfAbsent(attribute, Condition.value(value));
    }

    /** Sets the list where the item lacks it. */
    public Update setIfAbsent(String attribute, List<String> value) {
        return setIfAbsent(attribute, Condition.value(value));
    }

    private Update setIfAbsent(String attribute, AttributeValue value) {
        return with(
                Clause.SET,
                bound -> bound.name(attribute) + " = if_not_exists(" + bound.name(attribute) + ", " + bound.value(value)
                        + ")");
    }

    /** Sets the kind of the item, attribute {@code type}. */
    public Update type(String type) {
        return set(Item.TYPE, type);
    }

    /** Lists the item in the index {@code gsi1} under that partition, at that place. */
    public Update index(String partition, String sort) {
        var place = new Key(partition, sort);
        return set(Item.INDEX_PARTITION, place.partition()).set(Item.INDEX_SORT, place.sort());
    }

    /** Sets the second from which the item is invisible to every read. */
    public Update ttl(Instant gone) {
        return set(Item.TTL, gone.getEpochSecond());
    }

    /** Removes attributes, where the item has them. */
    public Update remove(String... attributes) {
        return with(Arrays.stream(attributes)
                .map(attribute -> new Change(Clause.REMOVE, bound -> bound.name(attribute)))
                .toList());
    }

    /** Removes the first elements of a list. */
    public Update removeFirst(String list, int count) {
        return with(IntStream.range(0, count)
                .mapToObj(i -> new Change(Clause.REMOVE, bound -> bound.name(list) + "[" + i + "]"))
                .toList());
    }

    /** Appends to a list, which the item must have. */
    public Update append(String list, String element) {
        return with(
                Clause.SET,
                bound -> bound.name(list) + " = list_append(" + bound.name(list) + ", "
                        + bound.value(Condition.value(List.of(element))) + ")");
    }

    /** Adds to a number; one that the item lacks counts as zero. */
    public Update add(String attribute, long number) {
        return add(attribute, Condition.value(number));
    }

    /** Adds to a number; one that the item lacks counts as zero. */
    public Update add(String attribute, BigDecimal number) {
        return add(attribute, Condition.value(number));
    }

    /** Adds elements to a set of strings, which is there from then on; at least one. */
    public Update addElements(String set, Collection<String> elements) {
        return add(set, AttributeValue.fromSs(List.copyOf(elements)));
    }

    private Update add(String attribute, AttributeValue value) {
        return with(Clause.ADD, bound -> bound.name(attribute) + " " + bound.value(value));
    }

    /** Takes elements out of a set of strings, and with the last one the attribute; at least one. */
    public Update deleteElements(String set, Collection<String> elements) {
        var value = AttributeValue.fromSs(List.copyOf(elements));
        return with(Clause.DELETE, bound -> bound.name(set) + " " + bound.value(value));
    }

    /** Adds a condition; all of them must hold of the item as it is before the update. */
    public Update when(Condition further) {
        return new Update(key, changes, condition == null ? further : condition.and(further));
    }

    private Update with(Clause clause, Function<Placeholders, String> text) {
        return with(List.of(new Change(clause, text)));
    }

    private Update with(List<Change> more) {
        return new Update(key, Stream.concat(changes.stream(), more.stream()).toList(), condition);
    }

    @Override
    public Key key() {
        return key;
    }

    @Nullable
    Condition condition() {
        return condition;
    }

    /** The changes in DynamoDB's language; throws {@link IllegalStateException} when there is none. */
    String text(Placeholders bound) {
        if (changes.isEmpty()) {
            throw new IllegalStateException("an update of " + key + " without a change");
        }
        var clauses = new EnumMap<Clause, StringJoiner>(Clause.class);
        for (var change : changes) {
            clauses.computeIfAbsent(change.clause(), clause -> new StringJoiner(", ", clause + " ", ""))
                    .add(change.text().apply(bound));
        }
        return String.join(
                " ", clauses.values().stream().map(StringJoiner::toString).toList());
    }

    @Override
    public String toString() {
        var bound = new Placeholders();
        return key + ": " + text(bound) + (condition == null ? "" : " WHEN " + condition.text(bound)) + " "
                + bound.values();
    }
}
