package io.menuboard.favorites;

import java.time.Instant;

/**
 * A user's mark on a restaurant.
 *
 * @param created when it was marked, to the millisecond; marking again does not move it
 */
public record Favorite(UserId user, RestaurantId restaurant, Instant created) {}
