package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.favorites.RankedRestaurant;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.favorites.Recounts;
import io.menuboard.favorites.Span;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.ListPage;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaderboard of restaurants. */
@RequiresPermission(Permission.RANKINGS_READ)
@Controller("/favorites")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class FavoritesController {
    private static final ListKind LIST = ListKind.of("favorites/leaderboard", "restaurant", "restaurants");

    private final Rankings rankings;
    private final Recounts recounts;
    private final TaskReads tasks;
    private final Lists lists;

    FavoritesController(Rankings rankings, Recounts recounts, TaskReads tasks, Lists lists) {
        this.rankings = rankings;
        this.recounts = recounts;
        this.tasks = tasks;
        this.lists = lists;
    }

    @Get
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String window, @Nullable String on) {
        var doors = FavoriteDoors.of(access);
        var form = LeaderboardForm.of(window, on);
        var kind = LIST.filteredBy(form.fields());
        var now = tasks.now();
        // What stands above the list is only read where it is shown.
        var recount = Views.wantsFragment(request) || !doors.recounts() ? null : LastRecount.of(access, recounts);
        try {
            var asked = page(request, kind, form.span(now), now).request();
            var ranking = rankings.walk(access, form.askedWindow(), form.day(), asked);
            // Whoever pages on stays in the day, week or month in which the first page was.
            var span = ranking.span();
            var list = page(request, kind, span, now);
            var before = rankings.before(access, span);
            return list.show(
                    _ -> ranking.page(),
                    content -> LeaderboardPage.of(
                            doors,
                            form,
                            span,
                            LeaderboardPage.Freshness.of(ranking, before, () -> rankings.lag(access), now),
                            recount,
                            content.listing(nothing(doors, span, now)),
                            LeaderboardPage.Row.of(ranking.page(), isSharedOn(access, ranking), before),
                            now));
        } catch (InvalidInput e) {
            var span = form.shownSpan(now);
            var list = LeaderboardForm.on(Link.to("favorites"), span, now);
            return lists.page(request, kind, list, list)
                    .<RankedRestaurant>refuse(
                            e,
                            content -> LeaderboardPage.of(
                                    doors,
                                    form,
                                    span,
                                    null,
                                    recount,
                                    content.listing(nothing(doors, span, now)),
                                    List.of(),
                                    now));
        }
    }

    private ListPage page(HttpRequest<?> request, ListKind kind, Span span, Instant now) {
        return lists.page(
                request,
                kind,
                LeaderboardForm.on(Link.to("favorites"), span, now),
                LeaderboardForm.on(Link.to("favorites", "ranking.csv"), span, now));
    }

    @Get(uri = "/ranking.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, @Nullable String window, @Nullable String on) {
        var form = LeaderboardForm.of(window, on);
        var span = form.span(tasks.now());
        var asked = span.window();
        var before = rankings.before(access, span);
        return CsvDownload.ofRows(
                "favorites-" + asked + (asked.isCalendar() ? "-" + span.first() : "") + ".csv",
                FavoriteCsv.RANKING_COLUMNS,
                page -> {
                    var ranking = rankings.walk(access, asked, asked.isCalendar() ? span.first() : null, page);
                    return ranking.page().map(ranked -> FavoriteCsv.rows(ranked, before, ranking.asOf()));
                });
    }

    /** Tells whether the last one of the page has the same rank as the one after it; reads that one where there is one. */
    private boolean isSharedOn(Access access, Ranking ranking) {
        var page = ranking.page();
        if (page.nodes().isEmpty() || !page.hasNextPage()) {
            return false;
        }
        var span = ranking.span();
        var rank = page.nodes().getLast().rank();
        return rankings
                .walk(
                        access,
                        span.window(),
                        span.window().isCalendar() ? span.first() : null,
                        PageRequest.forward(1, page.endCursor()))
                .page()
                .nodes()
                .stream()
                .mapToLong(RankedRestaurant::rank)
                .anyMatch(next -> next == rank);
    }

    private static Listing.Empty nothing(FavoriteDoors doors, Span span, Instant now) {
        var window = span.window();
        return switch (window) {
            case ALL_TIME ->
                new Listing.Empty(
                        "No restaurant is marked yet",
                        "Apps mark restaurants through GraphQL, and are counted within a second. If marks are there and"
                                + " none is counted, a recount finds out.",
                        (doors.recounts() ? FavoriteWords.recounts() : Link.to("favorites")).toString(),
                        doors.recounts() ? "Recounts" : "Look again");
            case LAST_24_HOURS, LAST_7_DAYS, LAST_30_DAYS ->
                new Listing.Empty(
                        "No restaurant was marked in this time",
                        "Marks of earlier days are in longer windows.",
                        "/favorites",
                        "Show all time");
            case DAY, WEEK, MONTH ->
                span.equals(Span.at(window, now))
                        ? new Listing.Empty(
                                "No restaurant was marked yet",
                                "It has only begun. What came before is one step back.",
                                "/favorites",
                                "Show all time")
                        : new Listing.Empty(
                                "No restaurant was marked in this time",
                                "Rankings of days are kept for five weeks, of weeks for ten, of months for 400 days.",
                                FavoriteWords.link(window).toString(),
                                FavoriteWords.current(window));
        };
    }
}
