package io.menuboard.app.limits;

import java.time.Duration;

/** A client asks for more than it may; nothing was done. */
final class TooManyRequests extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration wait;

    /** @param wait after which one more is served */
    TooManyRequests(Duration wait) {
        super("too many requests: send fewer, and wait as long as Retry-After says", null, false, false);
        this.wait = wait;
    }

    /** In whole seconds, rounded up. */
    long waitSeconds() {
        return wait.plusNanos(999_999_999).toSeconds();
    }
}
