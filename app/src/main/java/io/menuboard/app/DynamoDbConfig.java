package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How this process talks to the table, under {@code menuboard.dynamodb.*}.
 *
 * @param maxConnections most connections, and so most requests at once, default 128; what comes on top waits
 * @param acquisitionTimeout how long it waits before it fails as unavailable, default 2 s
 * @param connectTimeout how long a connection may take to come about, default 1 s
 * @param responseTimeout how long a connection may be silent while an answer is due, default 3 s; QueryDb then tries
 *     again where that is harmless
 * @param batchConcurrency most requests of batches at once, default 16
 */
@ConfigurationProperties("menuboard.dynamodb")
record DynamoDbConfig(
        @Bindable(defaultValue = "128") int maxConnections,
        @Bindable(defaultValue = "2s") Duration acquisitionTimeout,
        @Bindable(defaultValue = "1s") Duration connectTimeout,
        @Bindable(defaultValue = "3s") Duration responseTimeout,
        @Bindable(defaultValue = "16") int batchConcurrency) {}
