package io.menuboard.pricing;

/** Whether a store sells. Prices can be read and set whatever the status. */
public enum StoreStatus {
    OPEN,
    TEMPORARILY_CLOSED,
    CLOSED
}
