package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** The ways to the table: a client with a connection pool for what somebody waits for, and one for the rest. */
@Factory
final class DynamoDbFactory {
    private static final Logger log = LoggerFactory.getLogger(DynamoDbFactory.class);

    /** Name of the key that signs cursors. */
    static final String CURSORS = "cursors";

    private static final String INTERACTIVE = "interactive";
    private static final String BACKGROUND = "background";
    private static final String CURSOR_ALGORITHM = "HmacSHA256";
    private static final int CURSOR_KEY_BYTES = 32;

    /** Server time, on which instances agree where their own clocks would not do; fed by the answers of {@link #client}. */
    @Singleton
    TableClock tableClock(Clock clock) {
        return new TableClock(clock);
    }

    /** Has Micronaut's builder leave retries to QueryDb, and connections to each client. */
    @Singleton
    BeanCreatedEventListener<DynamoDbClientBuilder> builderForQueryDb(TableClock clock) {
        return created -> created.getBean()
                .httpClient(null)
                .overrideConfiguration(
                        QueryDb.clientOverrides().addExecutionInterceptor(clock).build());
    }

    /** For what somebody waits for. Blocks its caller. */
    @Singleton
    @Named(INTERACTIVE)
    @Bean(preDestroy = "close")
    DynamoDbClient interactiveClient(DynamoDbClientBuilder builder, DynamoDbConfig config) {
        return client(builder, config, config.maxConnections(), config.acquisitionTimeout(), config.responseTimeout());
    }

    /** Client of background work, which cannot take the connections of interactive work. */
    @Singleton
    @Named(BACKGROUND)
    @Bean(preDestroy = "close")
    DynamoDbClient backgroundClient(DynamoDbClientBuilder builder, DynamoDbConfig config) {
        return client(
                builder,
                config,
                config.backgroundConnections(),
                config.backgroundAcquisitionTimeout(),
                config.backgroundResponseTimeout());
    }

    /** Both are made by one builder, which is not safe for two threads. */
    private static synchronized DynamoDbClient client(
            DynamoDbClientBuilder builder,
            DynamoDbConfig config,
            int connections,
            Duration acquisition,
            Duration response) {
        return builder.httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(connections)
                        .connectionAcquisitionTimeout(acquisition)
                        .connectionTimeout(config.connectTimeout())
                        .socketTimeout(response)
                        .connectionMaxIdleTime(config.maxIdle())
                        .tcpKeepAlive(true))
                .build();
    }

    @Singleton
    Meter meter(MeterRegistry registry) {
        return new MicrometerMeter(registry);
    }

    @Singleton
    QueryDb queryDb(
            @Named(INTERACTIVE) DynamoDbClient interactive,
            @Named(BACKGROUND) DynamoDbClient background,
            MenuboardConfig config,
            DynamoDbConfig dynamoDb,
            TableClock clock,
            Meter meter,
            @Named(CURSORS) SecretKey cursorKey) {
        var requests = new Requests(
                new Bulkhead(interactive, RetryPolicy.standard(), dynamoDb.batchConcurrency()),
                new Bulkhead(background, RetryPolicy.patient(), dynamoDb.backgroundBatchConcurrency()),
                meter);
        return new QueryDb(TableDefinition.menuboard(config.tableName()), clock, requests, cursorKey);
    }

    /** An instance that consumes queues is one of several, or will be: they must read each other's cursors. */
    @Singleton
    @Named(CURSORS)
    SecretKey cursorKey(MenuboardConfig config, List<ConsumedQueue> queues) {
        var secret = config.cursorSecret();
        if (secret != null) {
            return new SecretKeySpec(secret.getBytes(UTF_8), CURSOR_ALGORITHM);
        }
        if (!queues.isEmpty()) {
            throw new IllegalStateException(
                    "menuboard.cursor-secret (MENUBOARD_CURSOR_SECRET) must be set where queues are, to at least "
                            + MenuboardConfig.MIN_SECRET
                            + " characters and to the same ones on all instances: otherwise each signs cursors that the"
                            + " others refuse");
        }
        log.warn("menuboard.cursor-secret is not set: cursors are valid in this process only");
        var random = new byte[CURSOR_KEY_BYTES];
        new SecureRandom().nextBytes(random);
        return new SecretKeySpec(random, CURSOR_ALGORITHM);
    }
}
