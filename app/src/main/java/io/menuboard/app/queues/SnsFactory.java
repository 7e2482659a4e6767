package io.menuboard.app.queues;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sns.SnsClientBuilder;

/** Wires the topic of changes. Publishing to it is the pipe's; an instance only subscribes, and looks who else does. */
@Factory
final class SnsFactory {
    /** One for the feed, and one for the job that removes what instances left behind. */
    private static final int CONNECTIONS = 2;

    private static final Duration RESPONSE_TIME = Duration.ofSeconds(5);

    /** Gives Micronaut's client connections of its own. It keeps the SDK's retries: all may be done twice. */
    @Singleton
    BeanCreatedEventListener<SnsClientBuilder> connectionsToTopic() {
        return created -> created.getBean()
                .httpClient(null)
                .httpClientBuilder(
                        ApacheHttpClient.builder().maxConnections(CONNECTIONS).socketTimeout(RESPONSE_TIME));
    }
}
