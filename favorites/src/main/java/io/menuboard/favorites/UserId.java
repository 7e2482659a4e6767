package io.menuboard.favorites;

import io.menuboard.kernel.Ids;

/**
 * Somebody who marks restaurants.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code user}
 */
public record UserId(String value) {
    public UserId {
        Ids.check("user", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
