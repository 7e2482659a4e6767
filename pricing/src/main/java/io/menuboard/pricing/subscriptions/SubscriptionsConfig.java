package io.menuboard.pricing.subscriptions;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of subscriptions to changes of prices, under {@code menuboard.pricing.subscriptions.*}.
 *
 * @param enabled whether there are any; default true. Must be false while instances run that do not log changes
 * @param max how many an instance has at the most; default 2,000
 * @param queue number of events that wait for a subscriber at the most; default 1,000
 * @param poll how long an instance that hears of nothing waits until it looks; default 15 s
 * @param accessChecked how often the rights of a subscriber are looked at again; default 1 minute
 */
@ConfigurationProperties("menuboard.pricing.subscriptions")
record SubscriptionsConfig(
        @Bindable(defaultValue = "true") boolean enabled,
        @Bindable(defaultValue = "2000") int max,
        @Bindable(defaultValue = "1000") int queue,
        @Bindable(defaultValue = "15s") Duration poll,
        @Bindable(defaultValue = "1m") Duration accessChecked) {

    SubscriptionsConfig {
        if (max < 1 || queue < 1) {
            throw new IllegalArgumentException(
                    "menuboard.pricing.subscriptions.max and menuboard.pricing.subscriptions.queue must be at least 1");
        }
        if (!poll.isPositive() || !accessChecked.isPositive()) {
            throw new IllegalArgumentException("menuboard.pricing.subscriptions.poll and"
                    + " menuboard.pricing.subscriptions.access-checked must be positive");
        }
    }

    /** The same, but that there are none. */
    SubscriptionsConfig off() {
        return new SubscriptionsConfig(false, max, queue, poll, accessChecked);
    }
}
