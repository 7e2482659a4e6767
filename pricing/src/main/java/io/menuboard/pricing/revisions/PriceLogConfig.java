package io.menuboard.pricing.revisions;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of the log of changes at once, under {@code menuboard.pricing.log.*}.
 *
 * @param keptFor how long a client may be away and still be told what it missed; default 7 days, at least an hour, at most 30
 *     days, because versions of prices are kept for 31 at least
 */
@ConfigurationProperties("menuboard.pricing.log")
record PriceLogConfig(@Bindable(defaultValue = "7d") Duration keptFor) {
    PriceLogConfig {
        if (keptFor.compareTo(Duration.ofHours(1)) < 0 || keptFor.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException("menuboard.pricing.log.kept-for must be between 1h and 30d");
        }
    }
}
