package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Connections of this process to the table, under {@code menuboard.dynamodb.*}. Background work has connections of its
 * own, and more patience.
 *
 * @param maxConnections most connections for what somebody waits for, and so most requests at once, default 128; what comes
 *     on top waits
 * @param acquisitionTimeout how long it waits before it fails as unavailable, default 1 s
 * @param connectTimeout how long a connection may take to come about, default 1 s
 * @param responseTimeout how long a connection may be silent while an answer is due, default 1.5 s, so that two attempts
 *     show within 2 s that the table is back; QueryDb then tries again where that is harmless
 * @param maxIdle how long a connection may have been idle when it is used again, default 5 s: those that died in silence
 *     meanwhile would each cost a response timeout. A new one costs a handshake, which instances with much to do never see
 * @param batchConcurrency most requests of batches at once, default 16
 * @param backgroundConnections most connections for background work, default 64
 * @param backgroundAcquisitionTimeout how long a request waits for one of them, default 30 s
 * @param backgroundResponseTimeout how long those may be silent, default 5 s
 * @param backgroundBatchConcurrency most requests of batches at once for background work, default 16
 */
@ConfigurationProperties("menuboard.dynamodb")
record DynamoDbConfig(
        @Bindable(defaultValue = "128") int maxConnections,
        @Bindable(defaultValue = "1s") Duration acquisitionTimeout,
        @Bindable(defaultValue = "1s") Duration connectTimeout,
        @Bindable(defaultValue = "1500ms") Duration responseTimeout,
        @Bindable(defaultValue = "5s") Duration maxIdle,
        @Bindable(defaultValue = "16") int batchConcurrency,
        @Bindable(defaultValue = "64") int backgroundConnections,
        @Bindable(defaultValue = "30s") Duration backgroundAcquisitionTimeout,
        @Bindable(defaultValue = "5s") Duration backgroundResponseTimeout,
        @Bindable(defaultValue = "16") int backgroundBatchConcurrency) {}
