package io.menuboard.pricing.batches;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of batches under {@code menuboard.pricing.changes.*}, some of which change sets share ({@link ChangeConcurrency}).
 *
 * @param shards partitions that share the batches of one UTC date, and the lines of one change set, default 4; never lowered
 * @param chunksAtOnce most batches that one instance reconciles at a time, and most transactions of one change set, default 8
 * @param reconcileEvery period in which one instance looks for batches that are overdue, or have no schedule though they
 *     are due within three such periods; default 5 minutes
 */
@ConfigurationProperties("menuboard.pricing.changes")
record BatchesConfig(
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "8") int chunksAtOnce,
        @Bindable(defaultValue = "5m") Duration reconcileEvery) {

    BatchesConfig {
        if (shards < 1 || chunksAtOnce < 1) {
            throw new IllegalArgumentException("menuboard.pricing.changes must be positive");
        }
    }
}
