package io.menuboard.favorites;

import io.menuboard.querydb.TransactionCharges;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Adds up the write units that each partition key of the table and of its index takes. Thread-safe. */
final class KeyLoad {
    private final DynamoDbClient client;
    private final SortedMap<String, Double> units = new TreeMap<>();

    KeyLoad(DynamoDbClient client) {
        this.client = client;
    }

    DynamoDbClient proxy() {
        return (DynamoDbClient) Proxy.newProxyInstance(
                KeyLoad.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest transaction) {
                        transaction.transactItems().stream()
                                .filter(write -> write.put() != null)
                                .forEach(write -> add(write.put().item(), 2));
                    } else if (arguments != null && arguments[0] instanceof PutItemRequest put) {
                        add(put.item(), 1);
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** An item that moves in its index is removed there and put anew. */
    private synchronized void add(Map<String, AttributeValue> item, int times) {
        var ofItem = TransactionCharges.writeUnits(item);
        units.merge(text(item, "pk"), times * ofItem, Double::sum);
        if (item.containsKey("gsi1pk")) {
            units.merge(text(item, "gsi1pk"), 2 * ofItem, Double::sum);
        }
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        var value = item.get(name);
        return value == null ? "" : value.s();
    }

    synchronized void forget() {
        units.clear();
    }

    /** By key. */
    synchronized SortedMap<String, Double> units() {
        return new TreeMap<>(units);
    }
}
