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

/** The ways to the table: a client with a connection pool for what somebody waits for, and one for the rest. */
@Factory
final class DynamoDbFactory {
    private static final Logger log = LoggerFactory.getLogger(DynamoDbFactory.class);
    private static final String INTERACTIVE = "interactive";
    private static final String BACKGROUND = "background";
    private static final String CURSOR_ALGORITHM = "HmacSHA256";
    private static final int CURSOR_KEY_BYTES = 32;

    /** What instances agree on where each one's own clock would not do; fed by the answers of {@link #client}. */
    @Singleton
    TableClock tableClock(Clock clock) {
        return new TableClock(clock);
    }

    /** For what somebody waits for. Blocks its caller; without retries, those are QueryDb's. */
    @Singleton
    @Named(INTERACTIVE)
    @Bean(preDestroy = "close")
    DynamoDbClient interactiveClient(DynamoDbConfig config, TableClock clock) {
        return client(config, config.maxConnections(), config.acquisitionTimeout(), config.responseTimeout(), clock);
    }

    /** For what nobody waits for, which cannot take the connections of the other. */
    @Singleton
    @Named(BACKGROUND)
    @Bean(preDestroy = "close")
    DynamoDbClient backgroundClient(DynamoDbConfig config, TableClock clock) {
        return client(
                config,
                config.backgroundConnections(),
                config.backgroundAcquisitionTimeout(),
                config.backgroundResponseTimeout(),
                clock);
    }

    private static DynamoDbClient client(
            DynamoDbConfig config, int connections, Duration acquisition, Duration response, TableClock clock) {
        return DynamoDbClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(connections)
                        .connectionAcquisitionTimeout(acquisition)
                        .connectionTimeout(config.connectTimeout())
                        .socketTimeout(response)
                        .connectionMaxIdleTime(config.maxIdle())
                        .tcpKeepAlive(true))
                .overrideConfiguration(
                        QueryDb.clientOverrides().addExecutionInterceptor(clock).build())
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
            List<ConsumedQueue> queues) {
        var requests = new Requests(
                new Bulkhead(interactive, RetryPolicy.standard(), dynamoDb.batchConcurrency()),
                new Bulkhead(background, RetryPolicy.patient(), dynamoDb.backgroundBatchConcurrency()),
                meter);
        return new QueryDb(TableDefinition.menuboard(config.tableName()), clock, requests, cursorKey(config, queues));
    }

    /** An instance that consumes queues is one of several, or will be: they must read each other's cursors. */
    private static SecretKey cursorKey(MenuboardConfig config, List<ConsumedQueue> queues) {
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
