package io.menuboard.app.queues;

import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.ChangeMessages;
import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.messaging.SqsConsumers;
import io.menuboard.messaging.SqsLimits;
import io.menuboard.pricing.changes.DueBatches;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The queues of this instance: one for each URL under {@code menuboard.queues.*}, and its consumer, once there is somebody
 * to handle its messages.
 *
 * <ul>
 *   <li>{@code changes-url}: records of the table's stream that are handled one by one
 *   <li>{@code due-url}: batches of prices whose time has come
 *   <li>{@code favorites-url}: records of the table's stream that are counted, many at a time
 * </ul>
 */
@Factory
final class SqsFactory {
    private static final String CHANGES = "changes";
    private static final String CHANGES_URL = "menuboard.queues.changes-url";
    private static final String DUE = "due";
    private static final String DUE_URL = "menuboard.queues.due-url";
    private static final String FAVORITES = "favorites";
    private static final String FAVORITES_URL = "menuboard.queues.favorites-url";

    /** With the SDK's retries: whatever is sent twice may be handled twice. */
    @Singleton
    @Bean(preDestroy = "close")
    SqsClient sqsClient(SqsLimits limits) {
        return SqsClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(limits.connections())
                        .socketTimeout(limits.responseTime()))
                .build();
    }

    @Singleton
    @Named(CHANGES)
    @Requires(property = CHANGES_URL)
    ConsumedQueue changes(@Property(name = CHANGES_URL) String url) {
        return new ConsumedQueue(CHANGES, url);
    }

    @Singleton
    @Named(DUE)
    @Requires(property = DUE_URL)
    ConsumedQueue due(@Property(name = DUE_URL) String url) {
        return new ConsumedQueue(DUE, url);
    }

    @Singleton
    @Named(FAVORITES)
    @Requires(property = FAVORITES_URL)
    ConsumedQueue favorites(@Property(name = FAVORITES_URL) String url) {
        return new ConsumedQueue(FAVORITES, url);
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = CHANGES_URL)
    @Requires(beans = ChangeHandler.class)
    QueueConsumer changes(SqsConsumers consumers, @Named(CHANGES) ConsumedQueue queue, List<ChangeHandler> handlers) {
        return consumers.oneByOne(queue, new ChangeMessages(handlers));
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = DUE_URL)
    @Requires(beans = DueBatches.class)
    QueueConsumer due(SqsConsumers consumers, @Named(DUE) ConsumedQueue queue, DueBatches batches) {
        return consumers.oneByOne(queue, new DueMessages(batches));
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = FAVORITES_URL)
    @Requires(beans = ChangeBatchHandler.class)
    QueueConsumer favorites(SqsConsumers consumers, @Named(FAVORITES) ConsumedQueue queue, ChangeBatchHandler handler) {
        return consumers.inBatches(queue, handler);
    }
}
