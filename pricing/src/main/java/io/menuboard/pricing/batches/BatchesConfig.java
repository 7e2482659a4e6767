package io.menuboard.pricing.batches;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of batches, which they share with change sets, under {@code menuboard.pricing.changes.*}.
 *
 * @param shards partitions that share the batches of one UTC date, default 4; never lowered
 * @param chunksAtOnce most batches that one instance reconciles at a time, default 8
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
