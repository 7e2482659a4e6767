package io.menuboard.pricing.events;

import io.menuboard.pricing.StoreId;

/** Port: the bus on which older consumers hear of prices, or another receiver that is told of some again. */
public interface PriceEvents {

    /** False for a store of which nothing needs to be published. */
    default boolean wants(StoreId store) {
        return true;
    }

    /** Publishes one event; who hears it may hear it twice, with the same id. */
    void publish(PriceUpdated event);
}
