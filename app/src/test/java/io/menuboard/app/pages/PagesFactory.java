package io.menuboard.app.pages;

import io.menuboard.querydb.DeadLetters;
import io.menuboard.querydb.LocalDynamoDb;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

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

    /** Two queues, one with what a pipe would have sent. Redriven, it is empty. */
    @Singleton
    @Requires(env = ChangeSample.DEAD_LETTERS)
    DeadLetters deadLetters() {
        return new DeadLetters() {
            private final Map<String, List<DeadLetter>> letters = new ConcurrentHashMap<>(Map.of(
                    "changes",
                    List.of(new DeadLetter(
                            "b1946ac9",
                            "{\"note\": \"" + Sample.ATTACK + "\"}",
                            6,
                            Instant.parse("2026-03-06T12:00:00Z"))),
                    "due",
                    List.of()));

            @Override
            public List<Queue> queues() {
                return letters.keySet().stream()
                        .sorted()
                        .map(name -> new Queue(name, peek(name, 1).size()))
                        .toList();
            }

            @Override
            public List<DeadLetter> peek(String queue, int most) {
                return letters.getOrDefault(queue, List.of());
            }

            @Override
            public void redrive(String queue) {
                letters.put(queue, List.of());
            }
        };
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
