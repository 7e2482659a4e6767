package io.menuboard.app.pages;

import io.menuboard.app.local.LocalQueues;
import io.menuboard.querydb.LocalDynamoDb;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The application's way to a table in this process, and, where one is asked for, a clock that stands still. */
@Factory
@Requires(env = PagesServer.ENVIRONMENT)
final class PagesFactory {
    static final String BUG_TEXT = "password=hunter2";

    @Singleton
    @Bean(typed = DynamoDbClient.class)
    @Replaces(DynamoDbClient.class)
    DynamoDbClient client() {
        return LocalDynamoDb.shared().client();
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = PagesServer.STANDING_CLOCK)
    Clock clock() {
        return Clock.fixed(Sample.NOW, ZoneOffset.UTC);
    }

    /** Of the queues in this process, where a server is told of some. */
    @Singleton
    @Replaces(SqsClient.class)
    SqsClient queues() {
        return LocalQueues.shared().client();
    }

    /** A page that has a bug. */
    @Controller("/broken")
    @Requires(env = PagesServer.ENVIRONMENT)
    static final class Broken {
        @Get
        String page() {
            return Optional.<String>empty().orElseThrow(() -> new IllegalStateException(BUG_TEXT));
        }
    }
}
