package io.menuboard.pricing.subscriptions;

import java.time.Instant;
import java.util.List;

/**
 * What takes effect together.
 *
 * @param position just after it
 */
record Moment(Position position, Instant at, List<PriceChange> changes) {
    Moment {
        changes = List.copyOf(changes);
    }
}
