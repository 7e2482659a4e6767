package io.menuboard.webadmin.favorites;

import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/lookup}, and of the form in it: asks for an id, to go to its page.
 *
 * @param section of {@code favorites/parts :: tabs}
 * @param field of the form
 */
record LookupPage(
        FavoriteDoors doors,
        String section,
        String title,
        String lead,
        String action,
        String field,
        String label,
        String button,
        String value,
        @Nullable Problem problem) {

    static LookupPage restaurant(FavoriteDoors doors, String value, @Nullable Problem problem) {
        return new LookupPage(
                doors,
                "restaurants",
                "Restaurants",
                "Find one by its id: how often it is marked, when that was, and by whom.",
                "/favorites/restaurants",
                "restaurant",
                "Restaurant id",
                "Show the restaurant",
                value,
                problem);
    }

    static LookupPage user(FavoriteDoors doors, String value, @Nullable Problem problem) {
        return new LookupPage(
                doors,
                "users",
                "Users",
                "Find one by the id: every restaurant that the user has marked.",
                "/favorites/users",
                "user",
                "User id",
                "Show the user",
                value,
                problem);
    }
}
