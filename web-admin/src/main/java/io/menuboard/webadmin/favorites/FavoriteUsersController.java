package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.UserId;
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

/** What a user has marked. */
@Controller("/favorites/users")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class FavoriteUsersController {
    private static final Listing.Noun NOUN = new Listing.Noun("restaurant", "restaurants");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "This user has marked nothing",
            "Or what was marked is taken back, or the id is misspelt: which users there are is not known here.",
            "/favorites/users",
            "Look for another user");

    private final Favorites favorites;
    private final TaskReads tasks;
    private final PageLimits limits;
    private final Views views;

    FavoriteUsersController(Favorites favorites, TaskReads tasks, PageLimits limits, Views views) {
        this.favorites = favorites;
        this.tasks = tasks;
        this.limits = limits;
        this.views = views;
    }

    /** Asks for a user's id, and goes to the user's page. */
    @Get
    HttpResponse<?> search(@Nullable String user) {
        if (user == null) {
            return views.page("favorites/lookup", LookupPage.user("", null));
        }
        try {
            var id = new UserId(user.strip());
            return HttpResponse.seeOther(URI.create(FavoriteWords.link(id).toString()));
        } catch (InvalidInput e) {
            return views.page("favorites/lookup", LookupPage.user(user, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{user}")
    HttpResponse<?> show(HttpRequest<?> request, String user) {
        var id = new UserId(user);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = FavoriteWords.link(id);
        var now = tasks.now();
        try {
            var page = favorites.favorites(id, paging.request());
            var rows = page.nodes().stream()
                    .map(favorite -> FavoriteRow.restaurant(favorite, now))
                    .toList();
            var export = Link.to("favorites", "users", user, "marks.csv");
            var listing = Listing.of(List.of(), paging, list, export, page, NOUN, NOTHING);
            var view = new FavoriteUserPage(user, list.toString(), listing, rows);
            return views.live(request, "favorites/user", view, paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(List.of(), paging, list, e);
            var view = new FavoriteUserPage(user, list.toString(), listing, List.of());
            return views.live(request, "favorites/user", view, list).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/{user}/marks.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(String user) {
        var id = new UserId(user);
        return CsvDownload.ofRows("favorites-of-" + user + ".csv", FavoriteCsv.MARK_COLUMNS, page -> favorites
                .favorites(id, page)
                .map(FavoriteCsv::rows));
    }
}
