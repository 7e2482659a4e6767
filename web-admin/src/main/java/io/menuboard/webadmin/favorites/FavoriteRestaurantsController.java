package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How often a restaurant is marked, when, and by whom. */
@Controller("/favorites/restaurants")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class FavoriteRestaurantsController {
    private static final Listing.Noun NOUN = new Listing.Noun("user", "users");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "Nobody has marked this restaurant",
            "Or every mark was taken back, or the id is misspelt: which restaurants there are is not known here.",
            "/favorites",
            "Restaurants that are marked");

    private final Favorites favorites;
    private final Rankings rankings;
    private final TaskReads tasks;
    private final PageLimits limits;
    private final Views views;

    FavoriteRestaurantsController(
            Favorites favorites, Rankings rankings, TaskReads tasks, PageLimits limits, Views views) {
        this.favorites = favorites;
        this.rankings = rankings;
        this.tasks = tasks;
        this.limits = limits;
        this.views = views;
    }

    /** Asks for a restaurant's id, and goes to its page. */
    @Get
    HttpResponse<?> search(@Nullable String restaurant) {
        if (restaurant == null) {
            return views.page("favorites/lookup", LookupPage.restaurant("", null));
        }
        try {
            var id = new RestaurantId(restaurant.strip());
            return HttpResponse.seeOther(URI.create(FavoriteWords.link(id).toString()));
        } catch (InvalidInput e) {
            return views.page("favorites/lookup", LookupPage.restaurant(restaurant, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{restaurant}")
    HttpResponse<?> show(HttpRequest<?> request, String restaurant, @Nullable String by) {
        var id = new RestaurantId(restaurant);
        var shown = CountBars.By.of(by);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = FavoriteWords.link(id).with("by", shown.parameter());
        var counts = rankings.counts(id);
        var now = tasks.now();
        try {
            var page = favorites.favoritedBy(id, paging.request());
            var rows = page.nodes().stream()
                    .map(favorite -> FavoriteRow.user(favorite, now))
                    .toList();
            var export = Link.to("favorites", "restaurants", restaurant, "marks.csv");
            var listing = Listing.of(List.of(), paging, list, export, page, NOUN, NOTHING);
            var view = FavoriteRestaurantPage.of(counts, shown, listing, rows, now);
            return views.live(request, "favorites/restaurant", view, paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(List.of(), paging, list, e);
            var view = FavoriteRestaurantPage.of(counts, shown, listing, List.of(), now);
            return views.live(request, "favorites/restaurant", view, list).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/{restaurant}/marks.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(String restaurant) {
        var id = new RestaurantId(restaurant);
        return CsvDownload.ofRows("favorites-of-" + restaurant + ".csv", FavoriteCsv.MARK_COLUMNS, page -> favorites
                .favoritedBy(id, page)
                .map(FavoriteCsv::rows));
    }
}
