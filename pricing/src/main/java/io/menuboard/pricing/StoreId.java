package io.menuboard.pricing;

import io.menuboard.kernel.Ids;

/**
 * A store's id, unique in the group.
 *
 * @param value 1 to 64 characters as {@link Ids#checkAscii} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code store}
 */
public record StoreId(String value) {

    public StoreId {
        Ids.checkAscii("store", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
