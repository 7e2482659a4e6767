package io.menuboard.favorites;

import io.menuboard.context.ContextServer;
import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.messaging.SqsConsumers;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Gives favorites what the application gives them, where a server is told of it: the queue of what the stream tells. */
@Factory
@Requires(env = ContextServer.ENVIRONMENT, property = FavoritesServerFactory.QUEUE)
final class FavoritesServerFactory {
    static final String QUEUE = "menuboard.queues.favorites-url";

    @Singleton
    @Named("favorites")
    ConsumedQueue queue(@Property(name = QUEUE) String url) {
        return new ConsumedQueue("favorites", url);
    }

    @Singleton
    @Bean(preDestroy = "close")
    QueueConsumer consumer(
            SqsConsumers consumers, @Named("favorites") ConsumedQueue queue, ChangeBatchHandler handler) {
        return consumers.inBatches(queue, handler);
    }
}
