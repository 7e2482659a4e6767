package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * Reports what DynamoDB charges for transactions, by the items as they are before and after: two write units per KB begun
 * of the larger of both, and what the indexes cost without a transaction. DynamoDB Local charges several writes as if they
 * were one item of their summed size, and the indexes double.
 *
 * <p>Sizes: Amazon DynamoDB Developer Guide, "DynamoDB item sizes and formats"; transactions: "Amazon DynamoDB
 * Transactions: How it works"; the index: "Using Global Secondary Indexes", and that a transaction does not double it,
 * which the guide does not say, <a href="https://github.com/nubo-db/dynoxide/pull/188">as measured by others</a>.
 */
public final class TransactionCharges {
    private static final double KB = 1024;

    private final DynamoDbClient client;
    private final List<Integer> sent = new ArrayList<>();

    public TransactionCharges(DynamoDbClient client) {
        this.client = client;
    }

    /** How many items each transaction had since this was last asked. */
    public synchronized List<Integer> takeSent() {
        var taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** The client, whose transactions report what DynamoDB charges; one at a time. */
    public DynamoDbClient proxy() {
        return (DynamoDbClient) Proxy.newProxyInstance(
                TransactionCharges.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest request) {
                        return write(request);
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private synchronized TransactWriteItemsResponse write(TransactWriteItemsRequest request) {
        var table = request.transactItems().stream()
                .flatMap(TransactionCharges::tables)
                .findFirst()
                .orElseThrow();
        var keys = request.transactItems().stream().map(TransactionCharges::key).toList();
        var before = keys.stream().map(key -> item(table, key)).toList();
        var response = client.transactWriteItems(request);
        sent.add(keys.size());
        var units = 0.0;
        for (var i = 0; i < keys.size(); i++) {
            units += units(before.get(i), item(table, keys.get(i)));
        }
        return charged(response, units);
    }

    private static TransactWriteItemsResponse charged(TransactWriteItemsResponse response, double units) {
        var reported = response.consumedCapacity().getFirst();
        return response.toBuilder()
                .consumedCapacity(reported.toBuilder().capacityUnits(units).build())
                .build();
    }

    private static Stream<String> tables(TransactWriteItem write) {
        return Stream.of(
                        write.put() == null ? null : write.put().tableName(),
                        write.update() == null ? null : write.update().tableName(),
                        write.delete() == null ? null : write.delete().tableName(),
                        write.conditionCheck() == null
                                ? null
                                : write.conditionCheck().tableName())
                .filter(Objects::nonNull);
    }

    private static Map<String, AttributeValue> key(TransactWriteItem write) {
        if (write.put() != null) {
            var item = write.put().item();
            return Map.of(
                    Item.PARTITION,
                    Objects.requireNonNull(item.get(Item.PARTITION)),
                    Item.SORT,
                    Objects.requireNonNull(item.get(Item.SORT)));
        }
        if (write.conditionCheck() != null) {
            return write.conditionCheck().key();
        }
        return write.update() != null ? write.update().key() : write.delete().key();
    }

    private Map<String, AttributeValue> item(String table, Map<String, AttributeValue> key) {
        return client.getItem(request -> request.tableName(table).key(key).consistentRead(true))
                .item();
    }

    private static double units(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        return 2 * kilobytes(Math.max(1, Math.max(size(before), size(after))))
                + indexUnits(before, after, Item.INDEX_PARTITION, Item.INDEX_SORT)
                + indexUnits(before, after, Item.SECOND_INDEX_PARTITION, Item.SECOND_INDEX_SORT);
    }

    private static double indexUnits(
            Map<String, AttributeValue> before, Map<String, AttributeValue> after, String partition, String sort) {
        if (before.equals(after)) {
            return 0;
        }
        var old = before.containsKey(partition) ? size(before) : 0;
        var now = after.containsKey(partition) ? size(after) : 0;
        var same = Objects.equals(before.get(partition), after.get(partition))
                && Objects.equals(before.get(sort), after.get(sort));
        return same ? kilobytes(Math.max(old, now)) : kilobytes(old) + kilobytes(now);
    }

    /** What writing the item costs outside a transaction, without indexes. */
    public static double writeUnits(Map<String, AttributeValue> item) {
        return kilobytes(size(item));
    }

    private static double kilobytes(int bytes) {
        return Math.ceil(bytes / KB);
    }

    private static int size(Map<String, AttributeValue> item) {
        return item.entrySet().stream()
                .mapToInt(attribute -> bytes(attribute.getKey()) + size(attribute.getValue()))
                .sum();
    }

    private static int size(AttributeValue value) {
        return switch (value.type()) {
            case S -> bytes(value.s());
            case B -> value.b().asByteArrayUnsafe().length;
            case N -> 1 + (value.n().length() + 1) / 2;
            case BOOL -> 1;
            case L ->
                3 + value.l().stream().mapToInt(element -> 1 + size(element)).sum();
            case M ->
                3
                        + value.m().entrySet().stream()
                                .mapToInt(entry -> 1 + bytes(entry.getKey()) + size(entry.getValue()))
                                .sum();
            default -> throw new IllegalArgumentException("not counted: " + value.type());
        };
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
