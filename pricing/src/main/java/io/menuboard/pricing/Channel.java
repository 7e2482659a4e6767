package io.menuboard.pricing;

import io.menuboard.kernel.Ids;

/**
 * A way of selling a product, for example {@code KIOSK} or {@code DELIVERY}. Case counts.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code channel}
 */
public record Channel(String value) {
    /** Every channel that has no price of its own. */
    public static final Channel ALL = new Channel("ALL");

    public Channel {
        Ids.check("channel", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
