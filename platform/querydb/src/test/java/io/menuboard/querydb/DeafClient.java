package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A client that does not hear the answer to one of its requests, which was carried out. */
public final class DeafClient {
    private DeafClient() {}

    /**
     * Makes one.
     *
     * @param requests how many answers it hears before that one
     */
    public static DynamoDbClient of(DynamoDbClient client, int requests) {
        var sent = new AtomicInteger();
        return (DynamoDbClient) Proxy.newProxyInstance(
                DeafClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    try {
                        var answer = method.invoke(client, arguments);
                        if (sent.getAndIncrement() == requests) {
                            throw SdkClientException.create("the answer was lost");
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
