package io.menuboard.tasks;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.tasks.*} of tasks themselves.
 *
 * @param shards partitions that share the tasks of one status and type, default 4; may be raised at any time, and never
 *     lowered while there are tasks
 * @param maxTypes most types of tasks that clients have, default 100: a list of tasks of all types asks each shard of each
 *     of them. A few more where several instances take in the first task of another one at the same time. A type that has not
 *     been used for a month longer than {@code retention} makes room for another one; those that there are stay where it is lowered
 * @param maxSubmit most tasks of one submission, default 1,000
 * @param maxPayloadBytes longest payload or result in UTF-8, default 64 KB
 * @param backoff pause after the first failure, doubled after each further one and then cut by up to a half at random,
 *     default 1 second
 * @param maxBackoff longest pause, default 10 minutes
 * @param reservation how long a reassigned task is kept for its worker, default 60 seconds
 * @param keyRetention how long an idempotency key is kept, default and at least 24 hours
 * @param retention how long a finished task is kept, default 7 days; not shorter than {@code keyRetention}
 * @param countAtMost most tasks of one type and shard that statistics count, default 10,000
 */
@ConfigurationProperties("menuboard.tasks")
record TasksConfig(
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "100") int maxTypes,
        @Bindable(defaultValue = "1000") int maxSubmit,
        @Bindable(defaultValue = "65536") int maxPayloadBytes,
        @Bindable(defaultValue = "1s") Duration backoff,
        @Bindable(defaultValue = "10m") Duration maxBackoff,
        @Bindable(defaultValue = "60s") Duration reservation,
        @Bindable(defaultValue = "24h") Duration keyRetention,
        @Bindable(defaultValue = "7d") Duration retention,
        @Bindable(defaultValue = "10000") int countAtMost) {

    private static final Duration LEAST_KEY_RETENTION = Duration.ofHours(24);

    TasksConfig {
        require(shards >= 1, "shards must be at least 1");
        require(keyRetention.compareTo(LEAST_KEY_RETENTION) >= 0, "key-retention must be at least 24h");
        require(retention.compareTo(keyRetention) >= 0, "retention must be at least key-retention");
        require(maxPayloadBytes <= 300_000, "max-payload-bytes must be at most 300000, which fits an item");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("menuboard.tasks." + rule);
        }
    }

    TaskLimits limits() {
        return new TaskLimits(maxTypes, maxPayloadBytes, countAtMost, retention);
    }
}
