package io.menuboard.accounts;

import java.time.Duration;

/**
 * Limits of attempts to sign in.
 *
 * @param failures of one username that are allowed without a delay
 * @param firstDelay after so many failures; it doubles with each further one
 * @param maxDelay longest delay
 * @param addressFailures failures of one address that are allowed within the window
 * @param window how long failures count: those of a username or of a browser since the delay after the last one, those of an address
 *     since the first
 */
record SignInLimits(int failures, Duration firstDelay, Duration maxDelay, int addressFailures, Duration window) {
    SignInLimits {
        if (failures < 1 || addressFailures < 1 || !firstDelay.isPositive() || !window.isPositive()) {
            throw new IllegalArgumentException("limits of sign-in must be positive");
        }
    }

    /** Delay after that many failures. */
    Duration delay(long failed) {
        if (failed < failures) {
            return Duration.ZERO;
        }
        // Thirty doublings of a second are 34 years.
        var delay = firstDelay.multipliedBy(1L << Math.min(30, failed - failures));
        return delay.compareTo(maxDelay) > 0 ? maxDelay : delay;
    }
}
