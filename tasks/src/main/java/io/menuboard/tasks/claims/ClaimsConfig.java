package io.menuboard.tasks.claims;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.tasks.*} of claims and leases.
 *
 * @param lease how long a claim lasts when the worker does not say, default 60 seconds
 * @param maxLease longest that a worker may ask for, default 1 hour
 * @param pollInterval how soon a waiting claim sees a task that came in through another instance, default 250 ms
 * @param operationPollInterval the same for tasks that instances do themselves, default 5 seconds
 * @param maxWait longest that a claim may wait, default 20 seconds
 * @param maxWaiting most claims of clients that wait in this instance at once, default 1,000; more are answered at once
 * @param maxClaim most tasks of one claim, default 100
 * @param acceptFencingTokens whether clients may show the fencing token alone for a lease, default false: for the time of an upgrade,
 *     while workers run that know no lease tokens
 */
@ConfigurationProperties("menuboard.tasks")
record ClaimsConfig(
        @Bindable(defaultValue = "60s") Duration lease,
        @Bindable(defaultValue = "1h") Duration maxLease,
        @Bindable(defaultValue = "250ms") Duration pollInterval,
        @Bindable(defaultValue = "5s") Duration operationPollInterval,
        @Bindable(defaultValue = "20s") Duration maxWait,
        @Bindable(defaultValue = "1000") int maxWaiting,
        @Bindable(defaultValue = "100") int maxClaim,
        @Bindable(defaultValue = "false") boolean acceptFencingTokens) {

    ClaimsConfig {
        require(lease.isPositive() && lease.compareTo(maxLease) <= 0, "lease must be positive and at most max-lease");
        require(pollInterval.isPositive(), "poll-interval must be positive");
        require(operationPollInterval.isPositive(), "operation-poll-interval must be positive");
        require(!maxWait.isNegative(), "max-wait must not be negative");
        require(maxWaiting >= 0, "max-waiting must not be negative");
        require(maxClaim > 0, "max-claim must be at least 1");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("menuboard.tasks." + rule);
        }
    }
}
