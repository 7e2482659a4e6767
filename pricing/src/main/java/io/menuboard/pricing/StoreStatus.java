package io.menuboard.pricing;

/** Status of a store. Prices can be read and set whatever it is. */
public enum StoreStatus {
    OPEN,
    TEMPORARILY_CLOSED,
    CLOSED
}
