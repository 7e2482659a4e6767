package io.menuboard.pricing.events;

import io.menuboard.messaging.ChangeHandler;

/** What announces changed prices, for tests of those who change them. */
public final class PriceAnnouncing {
    private PriceAnnouncing() {}

    public static ChangeHandler to(PriceEvents events) {
        return new PriceAnnouncer(events);
    }
}
