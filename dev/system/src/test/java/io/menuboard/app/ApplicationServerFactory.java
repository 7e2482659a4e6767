package io.menuboard.app;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.events.PriceEvents;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The application's way to a table in this process. */
@Factory
@Requires(env = ApplicationServer.ENVIRONMENT)
final class ApplicationServerFactory {

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

    /** A bus without subscribers. */
    @Singleton
    PriceEvents events() {
        return _ -> {};
    }
}
