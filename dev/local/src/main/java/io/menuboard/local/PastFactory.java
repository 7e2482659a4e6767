package io.menuboard.local;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.QueryDb;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Gives {@link Past} a clock that is set, and clients that do not correct it by the time that the table's server tells. */
@Factory
@Requires(property = PastFactory.BEGIN)
final class PastFactory {
    static final String BEGIN = "menuboard.local.past";

    private final URI endpoint;

    PastFactory(@Value("${aws.services.dynamodb.endpoint-override}") URI endpoint) {
        this.endpoint = endpoint;
    }

    @Singleton
    @Replaces(Clock.class)
    Clock clock(@Value("${" + BEGIN + "}") String begin) {
        return new SettableClock(Instant.parse(begin));
    }

    @Singleton
    @Named("interactive")
    @Bean(typed = DynamoDbClient.class, preDestroy = "close")
    @Replaces(value = DynamoDbClient.class, named = "interactive")
    DynamoDbClient interactive() {
        return client();
    }

    @Singleton
    @Named("background")
    @Bean(typed = DynamoDbClient.class, preDestroy = "close")
    @Replaces(value = DynamoDbClient.class, named = "background")
    DynamoDbClient background() {
        return client();
    }

    private DynamoDbClient client() {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .overrideConfiguration(QueryDb.clientOverrides().build())
                .build();
    }
}
