package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.querydb.Meter;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RetryPolicy;
import io.menuboard.querydb.TableClock;
import io.menuboard.querydb.TableDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The way to the table: one client and one connection pool for the whole process. */
@Factory
final class DynamoDbFactory {
    private static final Logger log = LoggerFactory.getLogger(DynamoDbFactory.class);

    private static final String CURSOR_ALGORITHM = "HmacSHA256";
    private static final int CURSOR_KEY_BYTES = 32;

    /** What instances agree on where each one's own clock would not do; fed by the answers of {@link #client}. */
    @Singleton
    TableClock tableClock(Clock clock) {
        return new TableClock(clock);
    }

    /** Blocks its caller; without retries, those are QueryDb's. */
    @Singleton
    @Bean(preDestroy = "close")
    DynamoDbClient client(DynamoDbConfig config, TableClock clock) {
        return DynamoDbClient.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(config.maxConnections())
                        .connectionAcquisitionTimeout(config.acquisitionTimeout())
                        .connectionTimeout(config.connectTimeout())
                        .socketTimeout(config.responseTimeout())
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
    QueryDb queryDb(DynamoDbClient client, MenuboardConfig config, DynamoDbConfig dynamoDb, Clock clock, Meter meter) {
        return new QueryDb(
                client,
                TableDefinition.menuboard(config.tableName()),
                clock,
                RetryPolicy.standard(),
                meter,
                cursorKey(config),
                dynamoDb.batchConcurrency());
    }

    private static SecretKey cursorKey(MenuboardConfig config) {
        var secret = config.cursorSecret();
        if (secret != null) {
            return new SecretKeySpec(secret.getBytes(UTF_8), CURSOR_ALGORITHM);
        }
        log.warn("menuboard.cursor-secret is not set: cursors are valid in this process only");
        var random = new byte[CURSOR_KEY_BYTES];
        new SecureRandom().nextBytes(random);
        return new SecretKeySpec(random, CURSOR_ALGORITHM);
    }
}
