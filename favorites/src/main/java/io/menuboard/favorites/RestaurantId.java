package io.menuboard.favorites;

import io.menuboard.kernel.Ids;

/**
 * A restaurant that can be marked. Whether there is such a restaurant is not known here.
 *
 * @param value 1 to 64 characters as {@link Ids} allows; anything else is refused with
 *     {@link io.menuboard.kernel.InvalidInput} {@code INVALID_ID} on field {@code restaurant}
 */
public record RestaurantId(String value) implements Comparable<RestaurantId> {
    public RestaurantId {
        Ids.check("restaurant", value);
    }

    /** Number of its partition, where restaurants share so many of them. */
    int shard(int shards) {
        return Math.floorMod(value.hashCode(), shards);
    }

    @Override
    public int compareTo(RestaurantId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
