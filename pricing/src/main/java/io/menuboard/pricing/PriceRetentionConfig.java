package io.menuboard.pricing;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of what is kept of past prices, under {@code menuboard.pricing.changes.*}.
 *
 * @param supersededKept how long a price that is no longer in effect stays where lists find it, default 35 days: longer
 *     than the 30 days that a lowest price looks back
 * @param historyKept how long history and the change sets that make it are kept, from when they take effect, default 3 years
 */
@ConfigurationProperties("menuboard.pricing.changes")
record PriceRetentionConfig(
        @Bindable(defaultValue = "35d") Duration supersededKept,
        @Bindable(defaultValue = "1095d") Duration historyKept) {

    PriceRetentionConfig {
        if (supersededKept.compareTo(Duration.ofDays(31)) < 0) {
            throw new IllegalArgumentException("menuboard.pricing.changes.superseded-kept must be at least 31d");
        }
    }
}
