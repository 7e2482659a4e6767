package io.menuboard.billing.transactions;

import java.math.RoundingMode;

/** Rounding of an agency's share to an amount of its currency. Each treats a refund as the sale, with the other sign. */
public enum Rounding {
    /** To the nearest; halves away from zero. What is meant where nothing is said. */
    HALF_UP(RoundingMode.HALF_UP),
    /** To the nearest; halves to the even neighbour. */
    HALF_EVEN(RoundingMode.HALF_EVEN),
    /** Towards zero. */
    DOWN(RoundingMode.DOWN);

    private final RoundingMode mode;

    Rounding(RoundingMode mode) {
        this.mode = mode;
    }

    RoundingMode mode() {
        return mode;
    }
}
