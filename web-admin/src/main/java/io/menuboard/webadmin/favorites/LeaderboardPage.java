package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.RankedRestaurant;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.favorites.Span;
import io.menuboard.kernel.Page;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/leaderboard}.
 *
 * @param window as its address has it
 * @param title which marks count, in words
 * @param on what the field of the day shows; null where there is none
 * @param steps to the times before and after; null where there are none
 * @param freshness for which time it is true; null where nothing is listed
 * @param lookup of one restaurant
 * @param recount what came of the last recount, or null
 */
record LeaderboardPage(
        FavoriteDoors doors,
        String window,
        String title,
        List<Window> windows,
        @Nullable String on,
        String onLabel,
        @Nullable Steps steps,
        @Nullable Freshness freshness,
        LookupPage lookup,
        @Nullable LastRecount recount,
        Listing list,
        List<Row> rows) {

    private static final Duration BEHIND = Duration.ofMinutes(1);

    static LeaderboardPage of(
            FavoriteDoors doors,
            LeaderboardForm form,
            Span span,
            @Nullable Freshness freshness,
            @Nullable LastRecount recount,
            Listing list,
            List<Row> rows,
            Instant now) {
        var calendar = span.window().isCalendar();
        var day = span.equals(Span.at(span.window(), now)) ? LocalDate.ofInstant(now, ZoneOffset.UTC) : span.first();
        return new LeaderboardPage(
                doors,
                span.window().name(),
                FavoriteWords.span(span),
                FavoriteWords.WINDOWS.stream()
                        .map(window -> Window.of(window, window == span.window()))
                        .toList(),
                calendar ? form.on().isEmpty() ? day.toString() : form.on() : null,
                span.window() == FavoriteWindow.DAY ? "Day (UTC)" : "Any day of it (UTC)",
                calendar ? Steps.of(span, now) : null,
                freshness,
                LookupPage.restaurant(doors, "", null),
                recount,
                list,
                rows);
    }

    /** A link to the ranking of a window. */
    record Window(String href, String label, boolean current) {
        static Window of(FavoriteWindow window, boolean current) {
            return new Window(FavoriteWords.link(window).toString(), FavoriteWords.name(window), current);
        }
    }

    /**
     * The ways to the day, week or month before and after.
     *
     * @param later null where the one that is shown is not over
     */
    record Steps(
            String earlier, String earlierLabel, @Nullable String later, String laterLabel) {
        static @Nullable Steps of(Span span, Instant now) {
            var before = span.previous().orElse(null);
            var after = span.next().orElse(null);
            if (before == null || after == null || after.from() == null) {
                return null;
            }
            return new Steps(
                    LeaderboardForm.on(Link.to("favorites"), before, now).toString(),
                    FavoriteWords.span(before),
                    after.from().isAfter(now)
                            ? null
                            : LeaderboardForm.on(Link.to("favorites"), after, now)
                                    .toString(),
                    FavoriteWords.span(after));
        }
    }

    /**
     * For which time a ranking is true.
     *
     * @param ago how long ago that is
     * @param behind whether that was long enough to say so when it was read
     * @param completing whether it is behind though counting is not: nobody had looked at it for a while
     * @param measured by what movement is measured
     */
    record Freshness(String asOf, String ago, boolean behind, boolean completing, String measured) {
        /** @param lag by how much counting is behind; only called where the ranking is */
        static Freshness of(Ranking ranking, Rankings.Before before, Supplier<Optional<Duration>> lag, Instant now) {
            var asOf = ranking.asOf();
            var counted = asOf.isAfter(Instant.EPOCH);
            var behind = asOf.plus(BEHIND).isBefore(ranking.readAt()) && !ranking.isFinal();
            return new Freshness(
                    counted ? "True as of " + Moments.utcSeconds(asOf) : "Nothing was counted yet",
                    counted ? Moments.ago(asOf, now) : "",
                    behind,
                    behind && lag.get().filter(by -> by.compareTo(BEHIND) <= 0).isPresent(),
                    measured(ranking.span(), before));
        }

        private static String measured(Span span, Rankings.Before before) {
            if (before.at() == null) {
                return "There is nothing to measure movement by: what was before is not known.";
            }
            return switch (span.window()) {
                        case DAY -> "Movement is from the day before.";
                        case WEEK -> "Movement is from the week before.";
                        case MONTH -> "Movement is from the month before.";
                        case ALL_TIME, LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS ->
                            "Movement is since " + Moments.utc(before.at()) + ".";
                    }
                    + " New are those that were not among the first " + Counts.of(Rankings.COMPARED) + " then.";
        }
    }

    /**
     * A restaurant's place.
     *
     * @param rank {@code 2=} where others have it too
     * @param movement null where it is not known
     */
    record Row(
            String rank,
            String restaurant,
            String href,
            String count,
            String reached,
            @Nullable Movement movement) {

        /** @param sharedOn whether the last one shares its rank with the first one of the next page */
        static List<Row> of(Page<RankedRestaurant> page, boolean sharedOn, Rankings.Before before) {
            var nodes = page.nodes();
            var rows = new ArrayList<Row>(nodes.size());
            for (var i = 0; i < nodes.size(); i++) {
                var node = nodes.get(i);
                var shared = node.position() > node.rank()
                        || (i + 1 < nodes.size() ? nodes.get(i + 1).rank() == node.rank() : sharedOn);
                rows.add(new Row(
                        Counts.of(node.rank()) + (shared ? "=" : ""),
                        node.restaurant().value(),
                        FavoriteWords.link(node.restaurant()).toString(),
                        Counts.of(node.count()),
                        Moments.utcSeconds(node.reachedAt()),
                        before.at() == null ? null : Movement.of(before.movement(node))));
            }
            return rows;
        }
    }

    /**
     * Movement from one place to another.
     *
     * @param glyph says the same as the words, as the colour of {@code kind} does
     * @param visible whether the words are shown too
     */
    record Movement(String kind, String glyph, String words, boolean visible) {

        /** @param places up; null for one that is new */
        static Movement of(@Nullable Long places) {
            if (places == null) {
                return new Movement("movement-new", "✱", "new", true);
            }
            if (places == 0) {
                return new Movement("", "–", "unchanged", false);
            }
            return places > 0
                    ? new Movement("movement-up", "▲", "up " + Counts.of(places), true)
                    : new Movement("movement-down", "▼", "down " + Counts.of(-places), true);
        }
    }
}
