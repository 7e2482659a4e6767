package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Favorite;
import io.menuboard.favorites.RankedRestaurant;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Recount;
import io.menuboard.webadmin.ui.Actors;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of the files of favorites, in the order of their columns. */
final class FavoriteCsv {
    static final List<String> RANKING_COLUMNS =
            List.of("rank", "position", "restaurant", "count", "reachedAt", "previousRank", "movement", "countedUntil");

    static final List<String> MARK_COLUMNS = List.of("user", "restaurant", "markedAt");

    static final List<String> RECOUNT_COLUMNS = List.of(
            "recount",
            "requestedAt",
            "by",
            "through",
            "mode",
            "restaurant",
            "checked",
            "drifted",
            "finishedAt",
            "task",
            "undecided");

    static final List<String> DRIFT_COLUMNS = List.of(
            "restaurant", "foundAt", "outcome", "notCounted", "gone", "window", "ranked", "counted", "recounted");

    private FavoriteCsv() {}

    /**
     * The rank before and the movement since are empty where the restaurant was not among the first then.
     *
     * @param countedUntil time for which the ranking is true
     */
    static List<List<?>> rows(RankedRestaurant ranked, Rankings.Before before, Instant countedUntil) {
        return List.of(List.of(
                ranked.rank(),
                ranked.position(),
                ranked.restaurant(),
                ranked.count(),
                ranked.reachedAt(),
                orEmpty(before.ranks().get(ranked.restaurant())),
                orEmpty(before.movement(ranked)),
                countedUntil));
    }

    static List<List<?>> rows(Favorite favorite) {
        return List.of(List.of(favorite.user(), favorite.restaurant(), favorite.created()));
    }

    static List<List<?>> rows(Recount recount) {
        var by = Actors.cells(recount.by());
        return List.of(List.of(
                recount.id(),
                recount.requestedAt(),
                by.getFirst(),
                by.getLast(),
                recount.mode(),
                orEmpty(recount.restaurant()),
                recount.checked(),
                recount.drifted(),
                orEmpty(recount.finishedAt()),
                orEmpty(recount.task()),
                recount.undecided()));
    }

    /** One for each window that differs; one without where none does. */
    static List<List<?>> rows(Recount.Drift drift) {
        return drift.differences().isEmpty()
                ? List.of(row(drift, "", "", "", ""))
                : drift.differences().stream()
                        .<List<?>>map(one -> row(drift, one.window(), one.ranked(), one.counted(), one.recounted()))
                        .toList();
    }

    private static List<?> row(Recount.Drift drift, Object window, Object ranked, Object counted, Object recounted) {
        return List.of(
                drift.restaurant(),
                drift.foundAt(),
                drift.outcome(),
                drift.notCounted(),
                drift.gone(),
                window,
                ranked,
                counted,
                recounted);
    }

    private static Object orEmpty(@Nullable Object value) {
        return Objects.requireNonNullElse(value, "");
    }
}
