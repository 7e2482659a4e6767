package io.menuboard.querydb.requests;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Budget of retries of a process: some at once, and then one for every five requests that succeed, so that a table
 * that is overloaded gets a fifth more of what it cannot serve, not eight times as much. A token bucket that successes
 * fill, after Marc Brooker, <a href="https://brooker.co.za/blog/2022/02/28/retries.html">Fixing retries with token buckets
 * and circuit breakers</a>; the numbers are those of the AWS SDKs' standard retry mode, except that a retry's success gives
 * back no more than any other. Thread-safe.
 */
final class RetryBudget {
    static final int CAPACITY = 500;
    static final int COST_OF_RETRY = 5;

    private final AtomicInteger tokens = new AtomicInteger(CAPACITY);

    /** Pays for a retry; false where nothing is left to do so. */
    boolean take() {
        return tokens.getAndUpdate(left -> left < COST_OF_RETRY ? left : left - COST_OF_RETRY) >= COST_OF_RETRY;
    }

    /** A request succeeded. */
    void refill() {
        if (tokens.get() < CAPACITY) {
            tokens.updateAndGet(left -> Math.min(left + 1, CAPACITY));
        }
    }
}
