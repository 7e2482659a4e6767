package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Marks of a restaurant: number, times and users. */
@RequiresPermission(Permission.MARKS_READ)
@Controller("/favorites/restaurants")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class FavoriteRestaurantsController {
    private static final ListKind LIST = ListKind.of("favorites/restaurant", "user", "users");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "Nobody has marked this restaurant",
            "Or every mark was taken back, or the id is misspelt: which restaurants there are is not known here.",
            "/favorites",
            "Restaurants that are marked");

    private static final Listing.Empty NOTHING_OWN = new Listing.Empty(
            "No mark of yours",
            "Only the marks of the users that you may see are listed here.",
            "/favorites",
            "Restaurants that are marked");

    private final Favorites favorites;
    private final Rankings rankings;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    FavoriteRestaurantsController(Favorites favorites, Rankings rankings, TaskReads tasks, Lists lists, Views views) {
        this.favorites = favorites;
        this.rankings = rankings;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks for a restaurant's id, and goes to its page. */
    @Get
    HttpResponse<?> search(Access access, @Nullable String restaurant) {
        var doors = FavoriteDoors.of(access);
        if (restaurant == null) {
            return views.page("favorites/lookup", LookupPage.restaurant(doors, "", null));
        }
        try {
            var id = new RestaurantId(restaurant.strip());
            return Redirect.to(FavoriteWords.link(id));
        } catch (InvalidInput e) {
            return views.page("favorites/lookup", LookupPage.restaurant(doors, restaurant, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{restaurant}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String restaurant, @Nullable String by) {
        var id = new RestaurantId(restaurant);
        var shown = CountBars.By.of(by);
        var counts = rankings.counts(access, id);
        var now = tasks.now();
        var list = FavoriteWords.link(id).with("by", shown.parameter());
        return lists.page(request, LIST, list, Link.to("favorites", "restaurants", restaurant, "marks.csv"))
                .show(
                        page -> favorites.favoritedBy(access, id, page),
                        content -> FavoriteRestaurantPage.of(
                                counts,
                                shown,
                                content.listing(access.isForAll(Permission.MARKS_READ) ? NOTHING : NOTHING_OWN),
                                content.rows(favorite -> FavoriteRow.user(favorite, now)),
                                now));
    }

    @Get(uri = "/{restaurant}/marks.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, String restaurant) {
        var id = new RestaurantId(restaurant);
        return CsvDownload.ofRows("favorites-of-" + restaurant + ".csv", FavoriteCsv.MARK_COLUMNS, page -> favorites
                .favoritedBy(access, id, page)
                .map(FavoriteCsv::rows));
    }
}
