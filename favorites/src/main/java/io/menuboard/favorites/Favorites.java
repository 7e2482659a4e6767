package io.menuboard.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Marks of users on restaurants. Marking and unmarking are one write each, whatever there is already, and may be repeated
 * as often as one likes. Counts and {@link Rankings} follow within a second. To mark takes {@link Permission#MARKS_WRITE} for that user,
 * to read {@link Permission#MARKS_READ}; for who has that for one user, nobody else has marked anything. Thread-safe.
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
    public Marked favorite(Access access, UserId user, RestaurantId restaurant) {
        access.require(Permission.MARKS_WRITE, Kind.USER, user.value());
        return marks.save(
                new Favorite(user, restaurant, clock.instant().truncatedTo(ChronoUnit.MILLIS)), access.actor());
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
    public Optional<TakenBack> unfavorite(Access access, UserId user, RestaurantId restaurant) {
        access.require(Permission.MARKS_WRITE, Kind.USER, user.value());
        return marks.remove(user, restaurant);
    }

    /** As {@link #areFavorites}, of one restaurant. */
    public boolean isFavorite(Access access, UserId user, RestaurantId restaurant) {
        return areFavorites(access, user, List.of(restaurant)).getFirst();
    }

    /**
     * Tells of each restaurant whether the user has marked it, at once after marking too, and also where another version wrote the
     * mark and this one cannot read it. In requests of 100; one read unit each.
     */
    public List<Boolean> areFavorites(Access access, UserId user, List<RestaurantId> restaurants) {
        return isVisible(access, user)
                ? marks.exist(user, restaurants)
                : restaurants.stream().map(_ -> false).toList();
    }

    /** One read unit. */
    public Optional<Favorite> find(Access access, UserId user, RestaurantId restaurant) {
        return isVisible(access, user) ? marks.find(user, restaurant) : Optional.empty();
    }

    /** Finds those of the marks that are there, in requests of 100. One read unit each. */
    public List<Favorite> findAll(Access access, List<Favorite.Id> marks) {
        access.require(Permission.MARKS_READ);
        return this.marks.findAll(
                marks.stream().filter(mark -> isVisible(access, mark.user())).toList());
    }

    private static boolean isVisible(Access access, UserId user) {
        access.require(Permission.MARKS_READ);
        return access.may(Permission.MARKS_READ, Kind.USER, user.value());
    }

    /** Marks of a user, the newest first. Half a read unit for each 4 KB, some twelve marks. */
    public Page<Favorite> favorites(Access access, UserId user, PageRequest page) {
        return isVisible(access, user) ? marks.of(user, page) : Page.empty();
    }

    /**
     * Marks on a restaurant, the newest first. Half a read unit for each 4 KB of each shard. Who may see some users finds theirs,
     * for a read unit each.
     */
    public Page<Favorite> favoritedBy(Access access, RestaurantId restaurant, PageRequest page) {
        access.require(Permission.MARKS_READ);
        return access.only(Permission.MARKS_READ, Kind.USER)
                .map(own -> marks.of(restaurant, own.stream().map(UserId::new).toList(), page))
                .orElseGet(() -> marks.of(restaurant, page));
    }
}
