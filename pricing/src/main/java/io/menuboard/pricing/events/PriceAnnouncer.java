package io.menuboard.pricing.events;

import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.querydb.ChangeRecord;
import java.util.Set;

/** Announces each price that has changed, from its history, on the event bus. */
final class PriceAnnouncer implements ChangeHandler {
    private final PriceEvents events;

    PriceAnnouncer(PriceEvents events) {
        this.events = events;
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoPriceHistory.TYPE);
    }

    @Override
    public void handle(ChangeRecord record) {
        DynamoPriceHistory.created(record).flatMap(PriceUpdated::of).ifPresent(events::publish);
    }
}
