package io.menuboard.graphql.streams;

import io.menuboard.access.Principal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/** Counts subscriptions that are open, in all and by principal: so many at once, and no more. Thread-safe. */
final class Places {
    private final int most;
    private final int mostPerPrincipal;
    private final Map<String, Integer> byPrincipal = new HashMap<>();
    private final Counter refused;
    private int open;

    Places(int most, int mostPerPrincipal, MeterRegistry meters) {
        this.most = most;
        this.mostPerPrincipal = mostPerPrincipal;
        Gauge.builder("menuboard.graphql.subscriptions", this, Places::open)
                .description("Subscriptions that are open")
                .register(meters);
        refused = Counter.builder("menuboard.graphql.subscriptions.refused")
                .description("Subscriptions that were refused because there were too many")
                .register(meters);
    }

    /** There is none left. */
    static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        static final String CODE = "TOO_MANY_SUBSCRIBERS";

        private Taken(String message) {
            super(message, null, false, false);
        }

        byte[] errors() {
            return StreamErrors.of(CODE, String.valueOf(getMessage()));
        }
    }

    synchronized int open() {
        return open;
    }

    /**
     * Takes one. A principal without an identity is everybody, and not limited by itself.
     *
     * @return gives it back, once
     * @throws Taken where there is none
     */
    synchronized Runnable take(Principal principal) {
        var id = principal.id();
        if (open >= most) {
            refused.increment();
            throw new Taken("this instance has " + most + " subscriptions, and takes no more: try again");
        }
        if (id != null && byPrincipal.getOrDefault(id, 0) >= mostPerPrincipal) {
            refused.increment();
            throw new Taken("at most " + mostPerPrincipal
                    + " subscriptions of one account or token are open on one instance at once");
        }
        open++;
        if (id != null) {
            byPrincipal.merge(id, 1, Integer::sum);
        }
        return new Runnable() {
            private boolean isGiven;

            @Override
            public void run() {
                synchronized (Places.this) {
                    if (!isGiven) {
                        isGiven = true;
                        leave(principal);
                    }
                }
            }
        };
    }

    private synchronized void leave(Principal principal) {
        open--;
        if (principal.id() != null) {
            byPrincipal.computeIfPresent(principal.id(), (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
