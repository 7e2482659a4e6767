package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** A client before one of whose requests something else happens: what a slow process meets. */
public final class InterruptedClient {
    private InterruptedClient() {}

    /**
     * The same client, that does something else before the first requests of that kind.
     *
     * @param times how many of them
     * @param meanwhile done by the thread that sends the request
     */
    public static DynamoDbClient before(
            Predicate<DynamoDbRequest> request, int times, DynamoDbClient client, Runnable meanwhile) {
        var done = new AtomicInteger();
        return (DynamoDbClient) Proxy.newProxyInstance(
                InterruptedClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null
                            && arguments.length > 0
                            && arguments[0] instanceof DynamoDbRequest asked
                            && request.test(asked)
                            && done.getAndIncrement() < times) {
                        meanwhile.run();
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
