package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Recount;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/new-recount}: the question before a recount.
 *
 * @param corrects whether it changes anything
 * @param restaurant the only one to look at, as it was sent; empty for all
 * @param last how many the last recount of all looked at, in words; null where there was none
 */
record NewRecountPage(
        Confirmation confirmation,
        boolean corrects,
        String restaurant,
        @Nullable Problem problem,
        @Nullable Reference last) {

    static NewRecountPage of(Recount.Mode mode, String restaurant, @Nullable Problem problem, @Nullable Recount last) {
        var corrects = mode == Recount.Mode.CORRECT;
        return new NewRecountPage(
                Confirmation.of(
                                List.of(
                                        Reference.of("Favorites", Link.to("favorites")),
                                        Reference.of("Recounts", FavoriteWords.recounts())),
                                corrects ? "Check and correct?" : "Check now?",
                                "Every mark is read, and compared with what is counted. Marks go on being made and counted"
                                        + " meanwhile, and those that are on their way are no difference.",
                                corrects ? "Check and correct" : "Check",
                                FavoriteWords.recounts(),
                                Reference.of("Back to the recounts", FavoriteWords.recounts()))
                        .with("key", FormKey.fresh())
                        .with("mode", mode.name()),
                corrects,
                restaurant,
                problem,
                last == null
                        ? null
                        : Reference.of(
                                FavoriteWords.restaurants(last.checked()) + ", " + Counts.of(last.drifted())
                                        + " of them differed",
                                FavoriteWords.link(last.id())));
    }
}
