package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.favorites.Span;
import io.menuboard.favorites.UserId;
import io.menuboard.tasks.Task;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rankings, marks and recounts as pages name and link them. */
final class FavoriteWords {
    /** Windows that move on, then those of the calendar. */
    static final List<FavoriteWindow> WINDOWS = List.of(
            FavoriteWindow.ALL_TIME,
            FavoriteWindow.LAST_24_HOURS,
            FavoriteWindow.LAST_7_DAYS,
            FavoriteWindow.LAST_30_DAYS,
            FavoriteWindow.DAY,
            FavoriteWindow.WEEK,
            FavoriteWindow.MONTH);

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEEE uuuu-MM-dd", Locale.ENGLISH);

    private FavoriteWords() {}

    static Link link(RestaurantId restaurant) {
        return Link.to("favorites", "restaurants", restaurant.value());
    }

    static Link link(UserId user) {
        return Link.to("favorites", "users", user.value());
    }

    static Link link(Recount.Id recount) {
        return Link.to("favorites", "recounts", recount.value());
    }

    /** Address of the list of recounts. */
    static Link recounts() {
        return Link.to("favorites", "recounts");
    }

    /** The ranking of a window that is under way. */
    static Link link(FavoriteWindow window) {
        return on(Link.to("favorites"), window);
    }

    /** The address with the window, where it is not the usual one. */
    static Link on(Link link, FavoriteWindow window) {
        return link.with("window", window == FavoriteWindow.ALL_TIME ? null : window.name());
    }

    static String name(FavoriteWindow window) {
        return switch (window) {
            case ALL_TIME -> "All time";
            case LAST_24_HOURS -> "Last 24 hours";
            case LAST_7_DAYS -> "Last 7 days";
            case LAST_30_DAYS -> "Last 30 days";
            case DAY -> "Day";
            case WEEK -> "Week";
            case MONTH -> "Month";
        };
    }

    /** The same for the one that is under way. */
    static String current(FavoriteWindow window) {
        return switch (window) {
            case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS -> name(window);
            case DAY -> "Today";
            case WEEK -> "This week";
            case MONTH -> "This month";
        };
    }

    /** {@code Sunday 2026-11-22}, {@code Week of 2026-11-16 to 2026-11-22}, {@code November 2026}, {@code Last 7 days}. */
    static String span(Span span) {
        return switch (span.window()) {
            case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS -> name(span.window());
            case DAY -> DAY.format(span.first());
            case WEEK -> "Week of " + span.first() + " to " + span.first().plusDays(6);
            case MONTH -> Moments.month(YearMonth.from(span.first()));
        };
    }

    /** {@code 1 restaurant}, {@code 1,240 restaurants}. */
    static String restaurants(long count) {
        return Counts.of(count) + (count == 1 ? " restaurant" : " restaurants");
    }

    static String mode(Recount.Mode mode) {
        return switch (mode) {
            case CHECK -> "Check only";
            case CORRECT -> "Check and correct";
        };
    }

    /**
     * True as long as something may come of it by itself.
     *
     * @param task that does it; null where it has none yet, or where that was given up and is no longer kept
     */
    static boolean isOnItsWay(Recount recount, @Nullable Task task) {
        if (recount.finishedAt() != null) {
            return false;
        }
        return task == null
                ? recount.task() == null
                : switch (task.status()) {
                    case PENDING, SCHEDULED, RUNNING, COMPLETED -> true;
                    case DEAD, CANCELLED -> false;
                };
    }

    /** @param task as of {@link #isOnItsWay} */
    static Badge status(Recount recount, @Nullable Task task) {
        if (recount.finishedAt() == null) {
            return task == null && recount.task() != null ? new Badge("badge-bad", "Given up") : TaskWords.making(task);
        }
        if (recount.drifted() == 0 && recount.undecided() == 0) {
            return new Badge("badge-good", "All agree");
        }
        var differ = recount.drifted() == 1 ? "1 differs" : Counts.of(recount.drifted()) + " differ";
        var undecided = Counts.of(recount.undecided()) + " undecided";
        return new Badge(
                "badge-warn",
                recount.undecided() == 0 ? differ : recount.drifted() == 0 ? undecided : differ + ", " + undecided);
    }

    static Badge outcome(Recount.Outcome outcome) {
        return switch (outcome) {
            case FOUND -> new Badge("badge-warn", "Found, not corrected");
            case CORRECTED -> new Badge("badge-good", "Corrected");
            case COUNTING_IS_BEHIND -> new Badge("badge-warn", "Counting is behind");
            case BUSY, UNSETTLED -> new Badge("badge-warn", "Too busy");
            case UNREADABLE -> new Badge("badge-warn", "Not readable");
        };
    }

    /** Explanation of an outcome, where its name does not say it. */
    static String explained(Recount.Outcome outcome) {
        return switch (outcome) {
            case FOUND, CORRECTED -> "";
            case COUNTING_IS_BEHIND -> "Marks that are not counted yet may explain it; it was not corrected.";
            case BUSY ->
                "It was marked all the time, or not all could be read; what was sure was corrected, and the next"
                        + " recount may find a quiet moment.";
            case UNSETTLED ->
                "It was marked all the time, and nothing surely differed; the next recount may find a quiet moment.";
            case UNREADABLE ->
                "Another version wrote one of its marks, and this one cannot read it; nothing was compared.";
        };
    }
}
