package io.menuboard.pricing.current;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of prices that are kept in memory, under {@code menuboard.pricing.snapshots.*}.
 *
 * @param enabled whether there are any; default true. Must be false while instances run that do not raise revisions
 * @param maxAge how old prices may be that a request gets which does not ask for less; default 2 s, at most a minute
 * @param settleAfter how long an instance knows a revision before prices that it reads of it are kept without being read again;
 *     default 10 s, at most a minute. Longer than the table may take to show all that one transaction has written (ADR 34)
 * @param maxBytes how much memory they may take, by an estimate that is too high rather than too low; default a quarter of the
 *     heap
 */
@ConfigurationProperties("menuboard.pricing.snapshots")
record SnapshotsConfig(
        @Bindable(defaultValue = "true") boolean enabled,
        @Bindable(defaultValue = "2s") Duration maxAge,
        @Bindable(defaultValue = "10s") Duration settleAfter,
        @Nullable @ReadableBytes Long maxBytes) {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    SnapshotsConfig {
        if (maxAge.isNegative() || maxAge.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("menuboard.pricing.snapshots.max-age must be from 0s to 60s");
        }
        if (settleAfter.isNegative() || settleAfter.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("menuboard.pricing.snapshots.settle-after must be from 0s to 60s");
        }
        if (maxBytes != null && maxBytes < 0) {
            throw new IllegalArgumentException("menuboard.pricing.snapshots.max-bytes must not be negative");
        }
    }

    long bytes() {
        return maxBytes == null ? Runtime.getRuntime().maxMemory() / 4 : maxBytes;
    }
}
