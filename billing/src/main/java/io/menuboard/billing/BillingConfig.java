package io.menuboard.billing;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.billing.*}.
 *
 * @param shards partitions that share the transactions of a quarter hour; may be raised, on all instances together, and
 *     never lowered. Each takes 200 transactions a second
 * @param slots counters of each shard, so that transactions of different instances seldom meet at one; the same on all
 *     instances
 * @param maxRecord most transactions of one call
 * @param interval how much time a run covers until staff set something else: 15 minutes to 24 hours
 * @param lag how long after its end a quarter hour is closed: longer than clocks differ and writes take
 * @param lookBack how far behind a run looks for transactions that arrived late; at least an hour
 * @param checkEvery how often one of the instances looks whether a run is due
 * @param fileMaxRows most rows of an uploaded file of transactions
 * @param fileMaxBytes longest such file
 */
@ConfigurationProperties("menuboard.billing")
record BillingConfig(
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "8") int slots,
        @Bindable(defaultValue = "1000") int maxRecord,
        @Bindable(defaultValue = "1h") Duration interval,
        @Bindable(defaultValue = "15m") Duration lag,
        @Bindable(defaultValue = "24h") Duration lookBack,
        @Bindable(defaultValue = "30s") Duration checkEvery,
        @Bindable(defaultValue = "100000") int fileMaxRows,
        @Bindable(defaultValue = "50000000") int fileMaxBytes) {

    static final Duration SHORTEST = Quarter.LENGTH;
    static final Duration LONGEST = Duration.ofHours(24);

    private static final Duration LEAST_LOOK_BACK = Duration.ofHours(1);

    /** The look-back, in quarter hours. */
    long quartersBack() {
        return lookBack.dividedBy(Quarter.LENGTH);
    }

    BillingConfig {
        require(shards >= 1 && slots >= 1, "shards and slots must be at least 1");
        require(maxRecord >= 1 && fileMaxRows >= 1 && fileMaxBytes >= 1, "limits must be at least 1");
        require(isInterval(interval), "interval must be 15 minutes to 24 hours, in quarter hours");
        require(!lag.isNegative(), "lag must not be negative");
        require(lookBack.compareTo(LEAST_LOOK_BACK) >= 0, "look-back must be at least 1h");
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
