package io.menuboard.pricing.subscriptions;

import java.time.Instant;
import java.util.List;

/**
 * Changes of prices that one transaction made, or that took effect at one instant.
 *
 * @param position after them, opaque; a subscription from there on goes on with what follows
 * @param at since when they count, or when there were none; a whole second
 * @param changes in the order in which they took effect; none where only the position is told
 */
public record PriceChanges(String position, Instant at, List<PriceChange> changes) {
    public PriceChanges {
        changes = List.copyOf(changes);
    }

    static PriceChanges none(Position position) {
        return new PriceChanges(position.text(), position.passed(), List.of());
    }
}
