package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Reports updates that write a certain attribute as if they cost nothing, and counts them, for tests of what everything else
 * costs: how often a task says how far it is depends on how long it takes. Thread-safe.
 */
public final class FreeUpdates {
    private final DynamoDbClient client;
    private final String attribute;
    private final AtomicInteger sent = new AtomicInteger();

    public FreeUpdates(DynamoDbClient client, String attribute) {
        this.client = client;
        this.attribute = attribute;
    }

    /** How many there were since this was last asked. */
    public int takeSent() {
        return sent.getAndSet(0);
    }

    public DynamoDbClient proxy() {
        return (DynamoDbClient) Proxy.newProxyInstance(
                FreeUpdates.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return arguments != null && arguments[0] instanceof UpdateItemRequest update && isFree(update)
                            ? free((UpdateItemResponse) answer)
                            : answer;
                });
    }

    private boolean isFree(UpdateItemRequest update) {
        return update.updateExpression().contains(attribute)
                || update.expressionAttributeNames().containsValue(attribute);
    }

    private UpdateItemResponse free(UpdateItemResponse response) {
        sent.incrementAndGet();
        return response.toBuilder()
                .consumedCapacity(response.consumedCapacity().toBuilder()
                        .capacityUnits(0.0)
                        .build())
                .build();
    }
}
