package io.menuboard.favorites;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Marks of users on restaurants. Marking and unmarking are one write each, whatever there is already, and may be repeated
 * as often as one likes. Counts and {@link Rankings} follow within a second. Thread-safe.
 */
public final class Favorites {
    private final DynamoFavorites marks;
    private final Clock clock;

    Favorites(DynamoFavorites marks, Clock clock) {
        this.marks = marks;
        this.clock = clock;
    }

    /**
     * The mark that there is now.
     *
     * @param isNew whether this call made it
     */
    public record Marked(Favorite favorite, boolean isNew) {}

    /** Marks the restaurant; leaves a mark that is there as it is. Three write units, or one where it was there. */
    public Marked favorite(UserId user, RestaurantId restaurant, Actor actor) {
        return marks.save(new Favorite(user, restaurant, clock.instant().truncatedTo(ChronoUnit.MILLIS)), actor);
    }

    /**
     * A mark that is there no more.
     *
     * @param isCertain true if it was this call that took it back, which is so of one call at most; false where an answer of
     *     the table was lost, so that it may have been another one at the same time
     */
    public record TakenBack(Favorite favorite, boolean isCertain) {}

    /**
     * Takes the mark back, if there is one; empty where there was none, or another call took it back. Three write units and a
     * read unit, or that alone where there was none.
     */
    public Optional<TakenBack> unfavorite(UserId user, RestaurantId restaurant) {
        return marks.remove(user, restaurant);
    }

    /** Finds the mark of a user on a restaurant, at once after marking too. One read unit. */
    public boolean isFavorite(UserId user, RestaurantId restaurant) {
        return find(user, restaurant).isPresent();
    }

    /** One read unit. */
    public Optional<Favorite> find(UserId user, RestaurantId restaurant) {
        return marks.find(user, restaurant);
    }

    /** Finds those of the marks that are there, in requests of 100. One read unit each. */
    public List<Favorite> findAll(List<Favorite.Id> marks) {
        return this.marks.findAll(marks);
    }

    /** Marks of a user, the newest first. Half a read unit for each 4 KB, some twelve marks. */
    public Page<Favorite> favorites(UserId user, PageRequest page) {
        return marks.of(user, page);
    }

    /** Marks on a restaurant, the newest first. Half a read unit for each 4 KB of each shard. */
    public Page<Favorite> favoritedBy(RestaurantId restaurant, PageRequest page) {
        return marks.of(restaurant, page);
    }
}
