package io.menuboard.webadmin.operations;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;

/** SQS where the network is down. */
@Factory
@Requires(env = UnreachableQueues.ENVIRONMENT)
final class UnreachableQueues {
    static final String ENVIRONMENT = "unreachable-queues";

    @Singleton
    @Replaces(SqsClient.class)
    SqsClient unreachable() {
        return (SqsClient) Proxy.newProxyInstance(
                SqsClient.class.getClassLoader(), new Class<?>[] {SqsClient.class}, (_, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(this, arguments);
                    }
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    throw SdkClientException.create("connect timed out");
                });
    }
}
