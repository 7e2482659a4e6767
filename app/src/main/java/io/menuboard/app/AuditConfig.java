package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Retention of the audit trail, under {@code menuboard.audit.*}.
 *
 * @param shards partitions that share the records of one UTC day, default 4: 4,000 small records a second. Never fewer
 *     than it once was while records of that time are to be found
 * @param retention how long a record is kept, default 730 days
 */
@ConfigurationProperties("menuboard.audit")
record AuditConfig(
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "730d") Duration retention) {}
