package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.Username;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** All users, and the way to add one. */
@RequiresPermission(Permission.ACCOUNTS_MANAGE)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class UsersController {
    private static final ListKind LIST = ListKind.of("accounts/users", "user", "users");
    private static final Listing.Empty NOBODY = new Listing.Empty(
            "No users yet",
            "A user is a person who signs in with a name and a password, and has roles that say what they may do.",
            "/users/new",
            "Add a user");

    private final Accounts accounts;
    private final Lists lists;
    private final Views views;

    UsersController(Accounts accounts, Lists lists, Views views) {
        this.accounts = accounts;
        this.lists = lists;
        this.views = views;
    }

    @Get("/users")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        return lists.page(request, LIST, AccountWords.users(), Link.to("users.csv"))
                .show(
                        page -> accounts.list(access, page),
                        content -> new UsersPage(content.listing(NOBODY), content.rows(UsersPage.Row::of)));
    }

    @Get(uri = "/users.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.ofRows("users.csv", AccountCsv.USER_COLUMNS, page -> accounts.list(access, page)
                .map(AccountCsv::rows));
    }

    @Get("/users/new")
    HttpResponse<?> form() {
        return form(NewUserForm.empty(), Problems.NONE);
    }

    /** The form adds one user however often it is sent. */
    @Post("/users")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> add(Access access, @Body @Nullable Map<String, String> body) {
        var form = NewUserForm.of(Objects.requireNonNullElse(body, Map.of()));
        var problems = form.problems();
        if (!problems.all().isEmpty()) {
            return form(form, problems).status(HttpStatus.BAD_REQUEST);
        }
        try {
            var username = new Username(form.username());
            return switch (accounts.createOnce(
                    access,
                    form.key(),
                    username,
                    form.name(),
                    form.password(),
                    form.roles().grants())) {
                case AccountResult.Done(var account) ->
                    Redirect.to(AccountWords.link(account.id()).with(UserController.DID, UserController.ADDED));
                case AccountResult.UsernameTaken(var taken) ->
                    form(form.again(), Problems.of(taken(taken))).status(HttpStatus.CONFLICT);
                case AccountResult.NotFound(var id) -> throw impossible(id);
                case AccountResult.LastAdministrator(var id) -> throw impossible(id);
                case AccountResult.Conflict(var id) -> throw impossible(id);
                case AccountResult.Outdated(var account) -> throw impossible(account.id());
                case AccountResult.IssuersToChange(var account) -> throw impossible(account.id());
            };
        } catch (InvalidInput e) {
            if (e.field().equals("idempotencyKey")) {
                return form(form.again(), Problems.of(Problem.of(sentBefore(e))))
                        .status(HttpStatus.CONFLICT);
            }
            return form(form, Problems.of(Problem.of(e))).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> form(NewUserForm form, Problems problems) {
        return views.page("accounts/new-user", NewUserPage.of(form, problems));
    }

    private static Problem taken(Username username) {
        return Problem.of(InvalidInput.sentence(
                "USERNAME_TAKEN",
                "username",
                "Somebody has the username " + username + " already. Choose another one."));
    }

    private static InvalidInput sentBefore(InvalidInput refused) {
        return InvalidInput.sentence(
                refused.code(), "username", "This form has added a user already. Send it again to add this one too.");
    }

    private static IllegalStateException impossible(Object id) {
        return new IllegalStateException("a new account changes no other: " + id);
    }
}
