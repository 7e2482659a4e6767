package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Recount;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/new-recount}: the question before a recount.
 *
 * @param corrects whether it changes anything
 * @param restaurant the only one to look at, as it was sent; empty for all
 * @param last how many the last recount of all looked at, in words; null where there was none
 */
record NewRecountPage(
        String mode,
        boolean corrects,
        String restaurant,
        @Nullable Problem problem,
        @Nullable String last,
        @Nullable String lastHref) {

    static NewRecountPage of(Recount.Mode mode, String restaurant, @Nullable Problem problem, @Nullable Recount last) {
        return new NewRecountPage(
                mode.name(),
                mode == Recount.Mode.CORRECT,
                restaurant,
                problem,
                last == null
                        ? null
                        : FavoriteWords.restaurants(last.checked()) + ", " + Counts.of(last.drifted())
                                + " of them differed",
                last == null ? null : FavoriteWords.link(last.id()).toString());
    }
}
