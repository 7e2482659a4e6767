package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Recount;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.webadmin.tasks.TaskProgressBar;
import io.menuboard.webadmin.tasks.TaskWords;
import io.menuboard.webadmin.tasks.WorkState;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Refresh;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/recount}.
 *
 * @param notice what was just done, or null
 * @param correct the way to have corrected what it found; null where there is nothing to correct, and for who may not
 */
record RecountPage(
        FavoriteDoors doors,
        String id,
        String title,
        String href,
        Refresh refresh,
        @Nullable String notice,
        WorkState state,
        @Nullable Correct correct,
        Listing list,
        List<Row> rows) {

    private static final int SECONDS = 2;

    static RecountPage of(
            FavoriteDoors doors,
            Recount recount,
            @Nullable Task task,
            Link here,
            @Nullable String notice,
            Listing list,
            List<Row> rows) {
        var done = recount.finishedAt() != null;
        var refresh = Refresh.of(here, FavoriteWords.isOnItsWay(recount, task), SECONDS);
        return new RecountPage(
                doors,
                recount.id().value(),
                "Recount of " + Moments.utcSeconds(recount.requestedAt()),
                FavoriteWords.link(recount.id()).toString(),
                TaskWords.onUpdates(refresh, doors.tasks(), task),
                notice,
                new WorkState(
                        FavoriteWords.status(recount, task),
                        done ? result(recount) : notDone(recount, task, doors),
                        null,
                        !done && task != null ? TaskProgressBar.of(task) : null,
                        facts(recount, task, doors)),
                doors.act() && done && recount.mode() == Recount.Mode.CHECK && recount.drifted() > 0
                        ? Correct.of(recount)
                        : null,
                list,
                rows);
    }

    private static String notDone(Recount recount, @Nullable Task task, FavoriteDoors doors) {
        if (task == null && recount.task() != null) {
            return "It was given up, and its task is no longer kept. Ask for another recount.";
        }
        return switch (task == null ? TaskStatus.PENDING : task.status()) {
            case PENDING, SCHEDULED -> "It waits for an instance to do it.";
            case RUNNING, COMPLETED -> "Counts are being compared with the marks.";
            case DEAD ->
                "It was given up. Look at its task for the reason, and "
                        + (doors.retry() ? "retry it there." : "ask for another recount.");
            case CANCELLED ->
                doors.retry()
                        ? "It was cancelled. Retry its task, or ask for another recount."
                        : "It was cancelled. Ask for another recount.";
        };
    }

    private static String result(Recount recount) {
        if (recount.drifted() == 0) {
            return recount.undecided() == 0
                    ? "Every count is what the marks say."
                    : "No count was found to differ from the marks. What is not known is listed below.";
        }
        var differed = Counts.of(recount.drifted()) + " of " + FavoriteWords.restaurants(recount.checked()) + " ";
        return switch (recount.mode()) {
            case CHECK -> differed + "had counts that differ from the marks. Nothing was changed.";
            case CORRECT -> differed + "had counts that differed from the marks. What came of each is listed below.";
        };
    }

    private static List<Fact> facts(Recount recount, @Nullable Task task, FavoriteDoors doors) {
        return Stream.of(
                        new Fact("Asked for by", recount.by().name() + ", " + Actors.through(recount.by()), null),
                        new Fact("What it does", FavoriteWords.mode(recount.mode()), null),
                        recount.restaurant() == null
                                ? new Fact("Restaurants", "All that ever had a mark counted", null)
                                : new Fact(
                                        "Restaurant",
                                        recount.restaurant().value(),
                                        doors.marks()
                                                ? FavoriteWords.link(recount.restaurant())
                                                        .toString()
                                                : null),
                        new Fact(
                                "Looked at",
                                FavoriteWords.restaurants(recount.checked()) + ", " + Counts.of(recount.drifted())
                                        + " of them differed"
                                        + (recount.undecided() == 0
                                                ? ""
                                                : ", " + Counts.of(recount.undecided()) + " undecided"),
                                null),
                        recount.finishedAt() == null
                                ? null
                                : new Fact("Done", Moments.utcSeconds(recount.finishedAt()), null),
                        recount.task() == null ? null : TaskWords.fact(recount.task(), task))
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The form that has them corrected.
     *
     * @param key makes two submissions of it one
     * @param restaurant the only one that it would look at; empty for all
     */
    record Correct(String key, String restaurant, String about) {
        static Correct of(Recount recount) {
            return recount.restaurant() == null
                    ? new Correct(
                            FormKey.fresh(),
                            "",
                            "All restaurants are recounted once more, and counts that still differ become what the marks"
                                    + " say, with a record in the audit trail for each restaurant.")
                    : new Correct(
                            FormKey.fresh(),
                            recount.restaurant().value(),
                            "The restaurant is recounted once more, and counts that still differ become what the marks"
                                    + " say, with a record in the audit trail.");
        }
    }

    /**
     * A restaurant whose counts differed, or of which that is not known.
     *
     * @param otherwise what there is to say where no window differs
     * @param explained what the outcome means, where its name does not say it
     */
    record Row(
            String restaurant,
            String href,
            String found,
            String notCounted,
            String gone,
            List<Difference> differences,
            String otherwise,
            Badge outcome,
            String explained) {

        static Row of(Recount.Drift drift) {
            return new Row(
                    drift.restaurant().value(),
                    FavoriteWords.link(drift.restaurant()).toString(),
                    Moments.utcSeconds(drift.foundAt()),
                    Counts.of(drift.notCounted()),
                    Counts.of(drift.gone()),
                    drift.differences().stream().map(Difference::of).toList(),
                    drift.outcome().isDecided() ? "The same; single marks differ" : "Not known",
                    FavoriteWords.outcome(drift.outcome()),
                    FavoriteWords.explained(drift.outcome()));
        }
    }

    /** Counts of a window: as they were and as they should be. */
    record Difference(String window, String ranked, String counted, String recounted) {
        static Difference of(Recount.Difference one) {
            return new Difference(
                    FavoriteWords.current(one.window()),
                    Counts.of(one.ranked()),
                    Counts.of(one.counted()),
                    Counts.of(one.recounted()));
        }
    }
}
