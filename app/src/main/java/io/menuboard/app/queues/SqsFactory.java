package io.menuboard.app.queues;

import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.ChangeMessages;
import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.messaging.SqsConsumers;
import io.menuboard.messaging.SqsLimits;
import io.menuboard.pricing.batches.DueBatches;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** Wires the queues of this instance: each has a consumer, once there is somebody to handle its messages. */
@Factory
final class SqsFactory {
    private static final String CHANGES = "changes";
    private static final String CHANGES_URL = "menuboard.queues.changes-url";
    private static final String DUE = "due";
    private static final String DUE_URL = "menuboard.queues.due-url";
    private static final String FAVORITES = "favorites";
    private static final String FAVORITES_URL = "menuboard.queues.favorites-url";

    /** Gives Micronaut's client connections for every consumer. It keeps the SDK's retries: all may be handled twice. */
    @Singleton
    BeanCreatedEventListener<SqsClientBuilder> connections(SqsLimits limits) {
        return created -> created.getBean()
                .httpClient(null)
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(limits.connections())
                        .socketTimeout(limits.responseTime()));
    }

    @Singleton
    @Named(CHANGES)
    @Requires(property = CHANGES_URL)
    ConsumedQueue changes(QueueUrlsConfig urls) {
        return queue(CHANGES, urls.changesUrl());
    }

    @Singleton
    @Named(DUE)
    @Requires(property = DUE_URL)
    ConsumedQueue due(QueueUrlsConfig urls) {
        return queue(DUE, urls.dueUrl());
    }

    @Singleton
    @Named(FAVORITES)
    @Requires(property = FAVORITES_URL)
    ConsumedQueue favorites(QueueUrlsConfig urls) {
        return queue(FAVORITES, urls.favoritesUrl());
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

    private static ConsumedQueue queue(String name, @Nullable String url) {
        return new ConsumedQueue(name, Objects.requireNonNull(url));
    }
}
