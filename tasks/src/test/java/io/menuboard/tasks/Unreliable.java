package io.menuboard.tasks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A client whose requests and replies get lost at random, and which dies while it moves events out of a task. */
public final class Unreliable {
    private Unreliable() {}

    /** Loses every update of an item of that partition. */
    public static DynamoDbClient withoutUpdatesOf(String partition, DynamoDbClient client) {
        return without(
                request -> request instanceof UpdateItemRequest update
                        && update.key().containsValue(AttributeValue.fromS(partition)),
                client);
    }

    /** Loses every such request. */
    static DynamoDbClient without(Predicate<Object> lost, DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                Unreliable.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments != null && lost.test(arguments[0])) {
                        throw SdkClientException.create("the request was lost");
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /**
     * @param lost how many of a hundred requests are lost, and as many replies
     * @param dies how many of a hundred removals of moved events never happen
     */
    static DynamoDbClient client(DynamoDbClient client, RandomGenerator random, int lost, int dies) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                Unreliable.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof UpdateItemRequest update
                            && update.updateExpression().contains("#events[0]")
                            && random.nextInt(100) < dies) {
                        throw DynamoDbException.builder()
                                .message("died before events were removed")
                                .awsErrorDetails(AwsErrorDetails.builder()
                                        .errorCode("AccessDeniedException")
                                        .build())
                                .build();
                    }
                    var fate = random.nextInt(100);
                    if (fate < lost) {
                        throw SdkClientException.create("the request was lost");
                    }
                    Object response;
                    try {
                        response = method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (fate >= 100 - lost) {
                        throw SdkClientException.create("the reply was lost");
                    }
                    return response;
                });
    }
}
