package io.menuboard.querydb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The client of a process that dies at one of its requests: from then on it says and hears nothing any more. */
public final class DyingClient {
    private final DynamoDbClient client;
    private final int requests;
    private final boolean afterIt;
    private final Predicate<Method> isCounted;
    private final AtomicInteger sent = new AtomicInteger();

    /**
     * @param requests how many it makes before the one at which it dies
     * @param afterIt whether that one still takes effect
     */
    public DyingClient(DynamoDbClient client, int requests, boolean afterIt) {
        this(client, requests, afterIt, _ -> true);
    }

    /**
     * @param requests how many that are counted it makes before the one at which it dies
     * @param isCounted tells whether it may die at such a request
     */
    public DyingClient(DynamoDbClient client, int requests, boolean afterIt, Predicate<Method> isCounted) {
        this.client = client;
        this.requests = requests;
        this.afterIt = afterIt;
        this.isCounted = isCounted;
    }

    public boolean isDead() {
        return sent.get() > requests;
    }

    public DynamoDbClient proxy() {
        return proxy(DynamoDbClient.class, client);
    }

    /** What else that process talks to; calls of it count as requests. */
    public <T> T proxy(Class<T> type, T server) {
        return type.cast(Proxy.newProxyInstance(
                DyingClient.class.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    var number = number(method);
                    if (number < requests || (number == requests && afterIt)) {
                        try {
                            var response = method.invoke(server, arguments);
                            if (number < requests) {
                                return response;
                            }
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                    throw new UncheckedIOException(new IOException("the process is dead"));
                }));
    }

    /** Among those that are counted; before that at which it dies where this is not one of them, and after it if it is dead. */
    private int number(Method method) {
        if (isCounted.test(method)) {
            return sent.getAndIncrement();
        }
        return isDead() ? requests + 1 : requests - 1;
    }
}
