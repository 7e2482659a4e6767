package io.menuboard.app.graphql;

import io.menuboard.pricing.PriceEvents;
import io.menuboard.querydb.LocalDynamoDb;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The application's way to a table in this process. */
@Factory
@Requires(env = GraphQlServer.ENVIRONMENT)
final class GraphQlServerFactory {

    @Singleton
    @Bean(typed = DynamoDbClient.class)
    @Replaces(DynamoDbClient.class)
    DynamoDbClient client() {
        return LocalDynamoDb.shared().client();
    }

    /** A bus that nobody listens to. */
    @Singleton
    PriceEvents events() {
        return _ -> {};
    }
}
