package io.menuboard.accounts.oidc;

import java.time.Duration;

/** Until when the issuer may take for all that one request of a browser asks it for. */
final class Deadline {
    private static final ScopedValue<Long> NANOS = ScopedValue.newInstance();
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Deadline() {}

    /** Does that before a deadline. */
    static <T, X extends Exception> T within(ScopedValue.CallableOp<T, X> work) throws X {
        return within(PATIENCE, work);
    }

    /** Does a part of it, which may take only so long. */
    static <T, X extends Exception> T within(Duration atMost, ScopedValue.CallableOp<T, X> part) throws X {
        var time = atMost.compareTo(left()) < 0 ? atMost : left();
        return ScopedValue.where(NANOS, System.nanoTime() + time.toNanos()).call(part);
    }

    /** Never negative. */
    static Duration left() {
        return NANOS.isBound() ? Duration.ofNanos(Math.max(0, NANOS.get() - System.nanoTime())) : PATIENCE;
    }
}
