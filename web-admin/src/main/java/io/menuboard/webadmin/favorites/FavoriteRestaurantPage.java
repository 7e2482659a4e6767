package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Rankings;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.charts.Chart;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code favorites/restaurant}.
 *
 * @param counts of every window that is under way
 * @param asOf the time for which they are true
 * @param by what the bars are of, as the address has it; null for the usual
 * @param charts links to the drawings, the shown one marked
 * @param chart null where there was no mark in its time
 */
record FavoriteRestaurantPage(
        String restaurant,
        String href,
        List<WindowCount> counts,
        String asOf,
        @Nullable String by,
        List<LeaderboardPage.Window> charts,
        @Nullable Chart chart,
        Listing list,
        List<FavoriteRow> rows) {

    static FavoriteRestaurantPage of(
            Rankings.Counts counts, CountBars.By by, Listing list, List<FavoriteRow> rows, Instant now) {
        var link = FavoriteWords.link(counts.restaurant());
        var bars = CountBars.of(by, counts, now);
        return new FavoriteRestaurantPage(
                counts.restaurant().value(),
                link.toString(),
                FavoriteWords.WINDOWS.stream()
                        .map(window -> new WindowCount(
                                FavoriteWords.current(window),
                                FavoriteWords.link(window).toString(),
                                Counts.of(counts.of(window))))
                        .toList(),
                counts.asOf().isAfter(Instant.EPOCH)
                        ? "True as of " + Moments.utcSeconds(counts.asOf()) + "."
                        : "Nothing was counted yet.",
                by.parameter(),
                Stream.of(CountBars.By.values())
                        .map(each -> new LeaderboardPage.Window(
                                link.with("by", each.parameter()).toString(), each.label(), each == by))
                        .toList(),
                bars.isEmpty() ? null : bars.draw(),
                list,
                rows);
    }

    /** @param href address of the window's ranking */
    record WindowCount(String window, String href, String count) {}
}
