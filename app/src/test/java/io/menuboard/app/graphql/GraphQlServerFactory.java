package io.menuboard.app.graphql;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.imports.PriceSample;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The application's way to a table in this process. */
@Factory
@Requires(env = GraphQlServer.ENVIRONMENT)
final class GraphQlServerFactory {

    @Singleton
    @Named("interactive")
    @Bean(typed = DynamoDbClient.class)
    @Replaces(value = DynamoDbClient.class, named = "interactive")
    DynamoDbClient client() {
        return LocalDynamoDb.shared().client();
    }

    @Singleton
    @Named("background")
    @Bean(typed = DynamoDbClient.class)
    @Replaces(value = DynamoDbClient.class, named = "background")
    DynamoDbClient backgroundClient() {
        return LocalDynamoDb.shared().client();
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = GraphQlServer.STANDING_CLOCK)
    Clock standingClock() {
        return Clock.fixed(PriceSample.NOW, ZoneOffset.UTC);
    }

    /** A bus that nobody listens to. */
    @Singleton
    PriceEvents events() {
        return _ -> {};
    }
}
