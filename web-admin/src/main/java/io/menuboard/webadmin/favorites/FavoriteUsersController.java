package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.UserId;
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

/** Restaurants that a user has marked. */
@RequiresPermission(Permission.MARKS_READ)
@Controller("/favorites/users")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class FavoriteUsersController {
    private static final ListKind LIST = ListKind.of("favorites/user", "restaurant", "restaurants");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "This user has marked nothing",
            "Or what was marked is taken back, or the id is misspelt: which users there are is not known here.",
            "/favorites/users",
            "Look for another user");

    private static final Listing.Empty NOT_SHOWN = new Listing.Empty(
            "No mark that you may see",
            "Only the marks of the users that you may see are listed here.",
            "/favorites/users",
            "Look for another user");

    private final Favorites favorites;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    FavoriteUsersController(Favorites favorites, TaskReads tasks, Lists lists, Views views) {
        this.favorites = favorites;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks for a user's id, and goes to the user's page. */
    @Get
    HttpResponse<?> search(Access access, @Nullable String user) {
        var doors = FavoriteDoors.of(access);
        if (user == null) {
            return views.page("favorites/lookup", LookupPage.user(doors, "", null));
        }
        try {
            var id = new UserId(user.strip());
            return Redirect.to(FavoriteWords.link(id));
        } catch (InvalidInput e) {
            return views.page("favorites/lookup", LookupPage.user(doors, user, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{user}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String user) {
        var id = new UserId(user);
        var list = FavoriteWords.link(id);
        var now = tasks.now();
        return lists.page(request, LIST, list, Link.to("favorites", "users", user, "marks.csv"))
                .show(
                        page -> favorites.favorites(access, id, page),
                        content -> new FavoriteUserPage(
                                user,
                                list.toString(),
                                content.listing(
                                        access.may(Permission.MARKS_READ, Kind.USER, id.value()) ? NOTHING : NOT_SHOWN),
                                content.rows(favorite -> FavoriteRow.restaurant(favorite, now))));
    }

    @Get(uri = "/{user}/marks.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, String user) {
        var id = new UserId(user);
        return CsvDownload.ofRows("favorites-of-" + user + ".csv", FavoriteCsv.MARK_COLUMNS, page -> favorites
                .favorites(access, id, page)
                .map(FavoriteCsv::rows));
    }
}
