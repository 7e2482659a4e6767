package io.menuboard.favorites;

import io.menuboard.kernel.Ulid;

/**
 * A recount; sorts by when it was asked for.
 *
 * @param value a {@link Ulid}; anything else is refused with {@link io.menuboard.kernel.InvalidInput}
 *     {@code INVALID_ID} on field {@code id}
 */
public record RecountId(String value) {
    public RecountId {
        Ulid.check("id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
