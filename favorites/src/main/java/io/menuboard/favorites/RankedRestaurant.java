package io.menuboard.favorites;

import java.time.Instant;

/**
 * A restaurant's place in a ranking.
 *
 * @param rank 1 for the first; those with the same count share one, and the next one has as many fewer (1, 2, 2, 4)
 * @param position among all; those with the same count are in the order in which they reached it, then by id
 * @param count marks made in the window, less those of them that were taken back
 * @param reachedAt when the count became that
 */
public record RankedRestaurant(long rank, long position, RestaurantId restaurant, long count, Instant reachedAt) {}
