package io.menuboard.pricing.events;

/** Port: the bus on which older consumers hear of prices. */
public interface PriceEvents {

    /** Publishes one event; who hears it may hear it twice, with the same id. */
    void publish(PriceUpdated event);
}
