package io.menuboard.pricing;

import io.menuboard.kernel.Ids;

/**
 * A product's id, the same in every store.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code product}
 */
public record ProductId(String value) {

    public ProductId {
        Ids.check("product", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
