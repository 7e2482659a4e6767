package io.menuboard.querydb;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.querydb.Cursors.Position;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** A query in one direction, as requests for it and places in it go. */
final class PartitionQuery {

    private final TableDefinition table;
    private final Query query;
    private final boolean ascending;
    private final String hash;
    private final String range;
    private final Comparator<Item> byPosition;

    PartitionQuery(TableDefinition table, Query query, Direction towards) {
        this.table = table;
        this.query = query;
        this.ascending = (towards == Direction.FORWARD) != query.descending();
        var index = query.index() == null ? null : table.index(query.index());
        this.hash = (index == null ? table.hash() : index.hash()).name();
        this.range = rangeName(index);
        this.byPosition = Comparator.comparing(this::range, Key::compareUtf8)
                .thenComparing(item -> item.key().partition(), Key::compareUtf8)
                .thenComparing(item -> item.key().sort(), Key::compareUtf8);
    }

    Query query() {
        return query;
    }

    /** The order of the keys, which is that of the list or its opposite. */
    Comparator<Item> byPosition() {
        return byPosition;
    }

    Comparator<Item> inListOrder() {
        return ascending ? byPosition : byPosition.reversed();
    }

    Position position(Item item) {
        return new Position(item.key(), range(item));
    }

    /** True if the list lies on the other side of that position, which may be another list's, so that nothing follows it. */
    boolean endsBefore(Position position) {
        var side = side(position.range());
        return ascending ? side > 0 : side < 0;
    }

    /** True if the position lies among the range keys of this list. */
    boolean contains(Position position) {
        return side(position.range()) == 0;
    }

    /** 0 within the range of this list, -1 below it, 1 above it. */
    private int side(String rangeKey) {
        return switch (query.range()) {
            case null -> 0;
            case Query.Range.BeginsWith(var prefix) ->
                rangeKey.startsWith(prefix) ? 0 : Integer.signum(Key.compareUtf8(rangeKey, prefix));
            case Query.Range.Between(var low, var high) -> {
                if (Key.compareUtf8(rangeKey, low) < 0) {
                    yield -1;
                }
                yield Key.compareUtf8(rangeKey, high) > 0 ? 1 : 0;
            }
        };
    }

    private String rangeName(TableDefinition.@Nullable Index index) {
        var key = index == null ? table.range() : index.range();
        return key == null ? Item.SORT : key.name();
    }

    String range(Item item) {
        return query.index() == null ? item.key().sort() : item.string(range);
    }

    QueryRequest.Builder request(Consistency consistency) {
        var names = new Names();
        return request(names, new HashMap<>())
                .projectionExpression(projection(names))
                .expressionAttributeNames(names.byPlaceholder)
                .consistentRead(consistency == Consistency.STRONG);
    }

    /** Counts the items that have not expired, instead of reading them. */
    QueryRequest.Builder countRequest(Instant now) {
        var names = new Names();
        var values = new HashMap<String, AttributeValue>();
        var request = request(names, values).select(Select.COUNT);
        if (table.ttl() != null) {
            var ttl = names.of(table.ttl());
            values.put(":now", AttributeValue.fromN(Long.toString(now.getEpochSecond())));
            request.filterExpression("attribute_not_exists(%s) OR %s > :now".formatted(ttl, ttl));
        }
        return request.expressionAttributeNames(names.byPlaceholder).expressionAttributeValues(values);
    }

    private QueryRequest.Builder request(Names names, Map<String, AttributeValue> values) {
        values.put(":h", AttributeValue.fromS(query.partition()));
        var condition = names.of(hash) + " = :h";
        switch (query.range()) {
            case null -> {}
            case Query.Range.BeginsWith(var prefix) -> {
                values.put(":prefix", AttributeValue.fromS(prefix));
                condition += " AND begins_with(" + names.of(range) + ", :prefix)";
            }
            case Query.Range.Between(var low, var high) -> {
                values.put(":low", AttributeValue.fromS(low));
                values.put(":high", AttributeValue.fromS(high));
                condition += " AND " + names.of(range) + " BETWEEN :low AND :high";
            }
        }
        return QueryRequest.builder()
                .tableName(table.name())
                .indexName(query.index())
                .keyConditionExpression(condition)
                .expressionAttributeValues(values)
                .scanIndexForward(ascending)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
    }

    private @Nullable String projection(Names names) {
        if (query.attributes().isEmpty()) {
            return null;
        }
        var wanted = new LinkedHashSet<>(List.of(Item.SORT, range));
        if (query.index() != null) {
            wanted.add(Item.PARTITION);
        }
        if (table.ttl() != null) {
            wanted.add(table.ttl());
        }
        wanted.addAll(query.attributes());
        return wanted.stream().map(names::of).collect(joining(", "));
    }

    /** Start key of a request that continues after that position. */
    Map<String, AttributeValue> startKey(Position from) {
        var key = new HashMap<String, AttributeValue>();
        key.put(Item.PARTITION, AttributeValue.fromS(from.key().partition()));
        key.put(Item.SORT, AttributeValue.fromS(from.key().sort()));
        // Last, since in the table they are the same attributes, and the position may be another list's.
        key.put(hash, AttributeValue.fromS(query.partition()));
        key.put(range, AttributeValue.fromS(from.range()));
        return key;
    }

    /** Position of an item of a list of the table. */
    Position positionAt(String sort) {
        return new Position(new Key(query.partition(), sort), sort);
    }

    /** True for range keys of items that are grouped together, or of the same item. */
    boolean isOneGroup(String rangeKey, String other) {
        return rangeKey.equals(other)
                || (query.groupParts() > 0 && group(rangeKey).equals(group(other)));
    }

    /** The first parts of a range key, by which items are grouped. */
    String group(String rangeKey) {
        var end = -1;
        for (var part = 0; part < query.groupParts(); part++) {
            end = rangeKey.indexOf('#', end + 1);
            if (end < 0) {
                return rangeKey;
            }
        }
        return rangeKey.substring(0, end);
    }

    /** Placeholders for names of attributes, any of which may be a reserved word; one each, since DynamoDB parses them. */
    private static final class Names {
        private final Map<String, String> byPlaceholder = new HashMap<>();
        private final Map<String, String> placeholders = new HashMap<>();

        String of(String attribute) {
            return placeholders.computeIfAbsent(attribute, _ -> {
                var placeholder = "#" + byPlaceholder.size();
                byPlaceholder.put(placeholder, attribute);
                return placeholder;
            });
        }
    }
}
