package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Recount;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/recounts}.
 *
 * @param open whether one of them is on its way, so that the page asks again
 * @param refreshHref address of this page as it is shown, to ask again
 */
record RecountsPage(FavoriteDoors doors, boolean open, String refreshHref, Listing list, List<Row> rows) {

    static RecountsPage of(FavoriteDoors doors, String refreshHref, Listing list, List<Row> rows) {
        return new RecountsPage(doors, rows.stream().anyMatch(Row::open), refreshHref, list, rows);
    }

    /**
     * @param open whether it is on its way
     * @param of which restaurants
     */
    record Row(
            String id,
            boolean open,
            String requested,
            String href,
            String by,
            String through,
            String mode,
            String of,
            String checked,
            String drifted,
            Badge status) {

        /** @param task that does it while it is not done, or null */
        static Row of(Recount recount, @Nullable Task task) {
            return new Row(
                    recount.id().value(),
                    FavoriteWords.isOnItsWay(recount, task),
                    Moments.utcSeconds(recount.requestedAt()),
                    FavoriteWords.link(recount.id()).toString(),
                    recount.by().name(),
                    Actors.through(recount.by()),
                    FavoriteWords.mode(recount.mode()),
                    Objects.toString(recount.restaurant(), "All restaurants"),
                    Counts.of(recount.checked()),
                    Counts.of(recount.drifted()),
                    FavoriteWords.status(recount, task));
        }
    }
}
