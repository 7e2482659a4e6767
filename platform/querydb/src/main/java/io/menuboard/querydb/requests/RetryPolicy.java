package io.menuboard.querydb.requests;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Number of attempts and pauses between them: exponential backoff with full jitter, after Marc Brooker,
 * <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Exponential Backoff And
 * Jitter</a>, AWS Architecture Blog.
 *
 * @param maxAttempts first attempt included, at least 1
 * @param baseDelay upper bound of the first pause; doubles with every attempt
 * @param maxDelay upper bound of every pause
 */
public record RetryPolicy(int maxAttempts, Duration baseDelay, Duration maxDelay) {

    public RetryPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("maxAttempts is less than 1: " + maxAttempts);
        }
        if (baseDelay.isNegative() || maxDelay.compareTo(baseDelay) < 0) {
            throw new IllegalArgumentException(
                    "delays must be 0 <= baseDelay <= maxDelay: " + baseDelay + ", " + maxDelay);
        }
    }

    /** Eight attempts with pauses of at most 25 ms, 50 ms … 1.6 s: 3.2 s at most, half of that on average. */
    public static RetryPolicy standard() {
        return new RetryPolicy(8, Duration.ofMillis(25), Duration.ofSeconds(2));
    }

    /** Background work: the first pauses as {@link #standard}, then of at most 5 s: 11.4 s at most, or 45 s where
     * the retry budget is used up, besides the attempts. */
    public static RetryPolicy patient() {
        return new RetryPolicy(10, Duration.ofMillis(25), Duration.ofSeconds(5));
    }

    /**
     * Pause before the next attempt: evenly distributed between zero and the bound.
     *
     * @param attempt number of the attempt that failed, from 1
     */
    Duration pauseAfter(int attempt, RandomGenerator random) {
        // 2^30 times any sensible base is past any sensible maximum, and the product cannot overflow a Duration.
        var doubled = baseDelay.multipliedBy(1L << Math.min(attempt - 1, 30));
        var bound = doubled.compareTo(maxDelay) < 0 ? doubled : maxDelay;
        return Duration.ofNanos(bound.isZero() ? 0 : random.nextLong(bound.toNanos() + 1));
    }
}
