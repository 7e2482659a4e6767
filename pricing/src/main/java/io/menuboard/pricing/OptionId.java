package io.menuboard.pricing;

import io.menuboard.kernel.Ids;

/**
 * The id of an option that can be swapped into a combo.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code option}
 */
public record OptionId(String value) {

    public OptionId {
        Ids.check("option", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
