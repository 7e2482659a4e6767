package io.menuboard.favorites;

import java.time.Instant;

/**
 * A user's mark on a restaurant.
 *
 * @param created when it was marked, to the millisecond; marking again does not move it
 */
public record Favorite(UserId user, RestaurantId restaurant, Instant created) {

    /** Identity of a mark: every mark of that user on that restaurant has it. */
    public record Id(UserId user, RestaurantId restaurant) {
        private static final char SEPARATOR = '#';

        /** Reads what {@link #toString} writes. */
        static Id parse(String text) {
            var separator = Math.max(0, text.indexOf(SEPARATOR));
            return new Id(new UserId(text.substring(0, separator)), new RestaurantId(text.substring(separator + 1)));
        }

        @Override
        public String toString() {
            return user.value() + SEPARATOR + restaurant;
        }
    }

    public Id id() {
        return new Id(user, restaurant);
    }
}
