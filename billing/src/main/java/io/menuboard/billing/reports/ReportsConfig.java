package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.billing.*} for reports.
 *
 * @param interval how much time a run covers until staff set something else: 15 minutes to 24 hours
 * @param lag how long after its end a quarter hour is closed: longer than clocks differ and writes take
 * @param lookBack how far behind a run looks for transactions that arrived late; at least an hour
 * @param maxRunLines most transactions of a run's range, unless its first quarter hour has more: S3 takes 5 GB in one request, which
 *     is one agency's file of so many lines in JSON, of a kilobyte each at most and 400 bytes mostly
 * @param checkEvery how often one of the instances checks whether a run is due
 */
@ConfigurationProperties("menuboard.billing")
record ReportsConfig(
        @Bindable(defaultValue = "1h") Duration interval,
        @Bindable(defaultValue = "15m") Duration lag,
        @Bindable(defaultValue = "24h") Duration lookBack,
        @Bindable(defaultValue = "5000000") long maxRunLines,
        @Bindable(defaultValue = "30s") Duration checkEvery) {

    static final Duration SHORTEST = Quarter.LENGTH;
    static final Duration LONGEST = Duration.ofHours(24);

    private static final Duration LEAST_LOOK_BACK = Duration.ofHours(1);

    /** The look-back, in quarter hours. */
    long quartersBack() {
        return lookBack.dividedBy(Quarter.LENGTH);
    }

    ReportsConfig {
        require(isInterval(interval), "interval must be 15 minutes to 24 hours, in quarter hours");
        require(!lag.isNegative(), "lag must not be negative");
        require(lookBack.compareTo(LEAST_LOOK_BACK) >= 0, "look-back must be at least 1h");
        require(maxRunLines >= 1, "max-run-lines must be at least 1");
        require(checkEvery.isPositive(), "check-every must be positive");
    }

    static boolean isInterval(Duration interval) {
        return interval.compareTo(SHORTEST) >= 0
                && interval.compareTo(LONGEST) <= 0
                && interval.equals(Quarter.LENGTH.multipliedBy(interval.dividedBy(Quarter.LENGTH)));
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("menuboard.billing: " + rule);
        }
    }
}
