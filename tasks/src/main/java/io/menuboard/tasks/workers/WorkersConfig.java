package io.menuboard.tasks.workers;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.tasks.*} of what each instance does by itself.
 *
 * @param sweepInterval pause between two sweeps for leases that have ended and tasks whose time has come, default 1 second
 */
@ConfigurationProperties("menuboard.tasks")
record WorkersConfig(@Bindable(defaultValue = "1s") Duration sweepInterval) {

    WorkersConfig {
        if (!sweepInterval.isPositive()) {
            throw new IllegalArgumentException("menuboard.tasks.sweep-interval must be positive");
        }
    }
}
