package io.menuboard.pricing.changes;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of price changes under {@code menuboard.pricing.changes.*}.
 *
 * @param maxLines most lines of one change set, default 1,000,000
 * @param inline most lines that are previewed or applied while the caller waits, default 1,000
 * @param suspiciousPercent percentage from which on a change is pointed out, default 50
 */
@ConfigurationProperties("menuboard.pricing.changes")
record ChangesConfig(
        @Bindable(defaultValue = "1000000") int maxLines,
        @Bindable(defaultValue = "1000") int inline,
        @Bindable(defaultValue = "50") int suspiciousPercent) {

    ChangesConfig {
        if (inline < 0 || maxLines < 1) {
            throw new IllegalArgumentException("menuboard.pricing.changes must be positive");
        }
    }
}
