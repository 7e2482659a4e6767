package io.menuboard.pricing;

import io.menuboard.querydb.Ids;

/**
 * A product's id, the same in every store.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.querydb.InvalidInput} {@code INVALID_ID} on field {@code product}
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
