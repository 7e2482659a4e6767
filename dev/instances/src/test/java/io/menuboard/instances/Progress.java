package io.menuboard.instances;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for something that takes as long as the machine needs, while it goes on. */
final class Progress {
    /** More than a machine under load needs to start an instance, or a message to be delivered again. */
    private static final Duration STANDSTILL = Duration.ofMinutes(2);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private Progress() {}

    /**
     * Returns when a condition holds.
     *
     * @param what is waited for
     * @param state changes while there is progress
     * @throws AssertionError where the state has not changed for {@link #STANDSTILL}
     */
    static <T> void await(String what, Supplier<T> state, Predicate<T> done) {
        var last = state.get();
        var changed = System.nanoTime();
        while (!done.test(last)) {
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            var next = state.get();
            if (!next.equals(last)) {
                last = next;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > STANDSTILL.toNanos()) {
                throw new AssertionError("no progress of %s within %s: %s".formatted(what, STANDSTILL, last));
            }
        }
    }
}
