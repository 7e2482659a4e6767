package io.menuboard.pricing.changes;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of price changes under {@code menuboard.pricing.changes.*}.
 *
 * @param maxLines most lines of one change set, default 1,000,000
 * @param inline most lines that are previewed or applied while the caller waits, default 1,000
 * @param suspiciousPercent percentage from which on a change is pointed out, default 50
 * @param shards partitions that share the lines of one set, default 4; never lowered
 * @param chunksAtOnce most transactions of one set that are in flight together, default 8
 */
@ConfigurationProperties("menuboard.pricing.changes")
record ChangesConfig(
        @Bindable(defaultValue = "1000000") int maxLines,
        @Bindable(defaultValue = "1000") int inline,
        @Bindable(defaultValue = "50") int suspiciousPercent,
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "8") int chunksAtOnce) {

    ChangesConfig {
        if (shards < 1 || chunksAtOnce < 1 || inline < 0 || maxLines < 1) {
            throw new IllegalArgumentException("menuboard.pricing.changes must be positive");
        }
    }
}
