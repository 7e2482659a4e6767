package io.menuboard.app.limits;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/**
 * Requests of each client within a rate: a token bucket for each, of those that asked for something lately. Never blocks.
 * Thread-safe.
 */
final class RequestRates<K> {
    /** About 300 bytes each. */
    private static final int CLIENTS = 20_000;

    private static final long AT_LEAST_NANOS = Duration.ofSeconds(1).toNanos();

    private final LoadingCache<K, Bucket> buckets;

    /**
     * @param rate requests a second
     * @param burst requests at once
     */
    RequestRates(int rate, int burst, TimeMeter time) {
        buckets = Caffeine.newBuilder()
                .maximumSize(CLIENTS)
                // Full again by then, as a new one is.
                .expireAfterAccess(Duration.ofSeconds((long) burst / rate + 1))
                .build(_ -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(burst).refillGreedy(rate, Duration.ofSeconds(1)))
                        .withCustomTimePrecision(time)
                        .build());
    }

    /**
     * Counts a request.
     *
     * @throws TooManyRequests if it is above the rate; then it does not count
     */
    void take(K client) {
        var probe = buckets.get(client).tryConsumeAndReturnRemaining(1);
        if (!probe.isConsumed()) {
            throw new TooManyRequests(after(probe.getNanosToWaitForRefill()));
        }
    }

    /**
     * Counts nothing.
     *
     * @throws TooManyRequests if a request now would be above the rate
     */
    void check(K client) {
        var bucket = buckets.getIfPresent(client);
        if (bucket != null) {
            var probe = bucket.estimateAbilityToConsume(1);
            if (!probe.canBeConsumed()) {
                throw new TooManyRequests(after(probe.getNanosToWaitForRefill()));
            }
        }
    }

    private static Duration after(long nanos) {
        return Duration.ofNanos(Math.max(AT_LEAST_NANOS, nanos));
    }
}
