package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Favorite;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.time.Instant;

/**
 * A mark in a list, named by the side of it that the list is not about.
 *
 * @param at when it was made
 */
record FavoriteRow(String name, String href, String at, String ago) {

    static FavoriteRow user(Favorite favorite, Instant now) {
        return of(favorite.user().value(), FavoriteWords.link(favorite.user()), favorite, now);
    }

    static FavoriteRow restaurant(Favorite favorite, Instant now) {
        return of(favorite.restaurant().value(), FavoriteWords.link(favorite.restaurant()), favorite, now);
    }

    private static FavoriteRow of(String name, Link link, Favorite favorite, Instant now) {
        return new FavoriteRow(
                name, link.toString(), Moments.utcSeconds(favorite.created()), Moments.ago(favorite.created(), now));
    }
}
