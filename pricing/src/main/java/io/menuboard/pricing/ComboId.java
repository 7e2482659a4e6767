package io.menuboard.pricing;

import io.menuboard.kernel.Ids;

/**
 * The id of a combo: a product sold as a set whose parts can be swapped.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code combo}
 */
public record ComboId(String value) {

    public ComboId {
        Ids.check("combo", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
