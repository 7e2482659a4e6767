package io.menuboard.webadmin.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
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
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recounts, their findings, and the way to one more. */
@RequiresPermission(Permission.OPERATIONS_READ)
@Controller("/favorites")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class RecountsController {
    private static final Access OWN_TASKS = Access.ofSystem("pages", Actor.Source.PAGE);

    /** Says on the page after an action what was done. */
    private static final String DID = "did";

    private static final Problem OTHER_RECOUNT =
            Problem.of(new InvalidInput("IDEMPOTENCY_KEY_REUSED", "key", "must be another one"));

    private static final ListKind RECOUNTS =
            ListKind.of("favorites/recounts", "recount", "recounts").refreshed();
    private static final ListKind DRIFTS =
            ListKind.of("favorites/recount", "restaurant", "restaurants").refreshed();
    private static final String NOTHING = "Nothing was recounted yet";
    private static final String WHAT_FOR =
            "A recount compares counts with the marks that they count. One is made every night.";
    private static final Listing.Empty NONE =
            new Listing.Empty(NOTHING, WHAT_FOR, "/favorites/recounts/new", "Check now");
    private static final Listing.Empty NONE_TO_READ =
            new Listing.Empty(NOTHING, WHAT_FOR, "/favorites/recounts", "Look again");

    private final Recounts recounts;
    private final TaskReads tasks;
    private final Lists lists;
    private final Views views;

    RecountsController(Recounts recounts, TaskReads tasks, Lists lists, Views views) {
        this.recounts = recounts;
        this.tasks = tasks;
        this.lists = lists;
        this.views = views;
    }

    /** Asks again by itself while a recount is on its way. */
    @Get("/recounts")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var doors = FavoriteDoors.of(access);
        return lists.page(request, RECOUNTS, FavoriteWords.recounts(), Link.to("favorites", "recounts.csv"))
                .show(
                        page -> recounts.list(access, page),
                        content -> RecountsPage.of(
                                doors,
                                content.here().toString(),
                                content.listing(doors.act() ? NONE : NONE_TO_READ),
                                content.rows(recount -> RecountsPage.Row.of(
                                        recount, recount.finishedAt() == null ? task(recount) : null))));
    }

    @Get(uri = "/recounts.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.ofRows("recounts.csv", FavoriteCsv.RECOUNT_COLUMNS, page -> recounts.list(access, page)
                .map(FavoriteCsv::rows));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.OPERATIONS_ACT)
    @Get("/recounts/new")
    HttpResponse<?> ask(Access access, @Nullable String mode, @Nullable String restaurant) {
        return question(access, mode(mode), text(restaurant), null);
    }

    @RequiresPermission(Permission.OPERATIONS_ACT)
    @Post("/recounts")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> start(Access access, @Nullable String mode, @Nullable String restaurant, @Nullable String key) {
        var asked = mode(mode);
        var only = text(restaurant);
        try {
            // Without a key, each time that it is sent starts one.
            var once = Objects.requireNonNullElseGet(key, FormKey::fresh);
            return switch (recounts.startOnce(access, once, asked, only.isEmpty() ? null : new RestaurantId(only))) {
                case Recounts.Started.Begun(var recount, var _) ->
                    Redirect.to(FavoriteWords.link(recount.id()).with(DID, "started"));
                case Recounts.Started.KeyReused _ ->
                    question(access, asked, only, OTHER_RECOUNT).status(HttpStatus.CONFLICT);
            };
        } catch (InvalidInput e) {
            if (!e.field().equals("restaurant")) {
                throw e;
            }
            return question(access, asked, only, Problem.of(e)).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> question(
            Access access, Recount.Mode mode, String restaurant, @Nullable Problem problem) {
        var last = recounts.lastOfAll(access).orElse(null);
        return views.page("favorites/new-recount", NewRecountPage.of(mode, restaurant, problem, last));
    }

    /** Asks again by itself while it is on its way. */
    @Get("/recounts/{id}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String id, @Nullable String did) {
        var recount = require(access, id);
        var task = task(recount);
        var notice = "started".equals(did) ? "The recount is on its way. This page shows how far it is." : null;
        var export = Link.to("favorites", "recounts", id, "drifts.csv");
        return lists.page(request, DRIFTS, FavoriteWords.link(recount.id()), export)
                .show(
                        page -> recounts.drifts(access, recount.id(), page),
                        content -> RecountPage.of(
                                FavoriteDoors.of(access),
                                recount,
                                task,
                                content.here(),
                                notice,
                                content.listing(nothing(access, recount)),
                                content.rows(RecountPage.Row::of)));
    }

    @Get(uri = "/recounts/{id}/drifts.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportDrifts(Access access, String id) {
        var recount = require(access, id).id();
        return CsvDownload.ofRows(
                "recount-" + id + ".csv", FavoriteCsv.DRIFT_COLUMNS, page -> recounts.drifts(access, recount, page)
                        .map(FavoriteCsv::rows));
    }

    private Recount require(Access access, String id) {
        var asked = new Recount.Id(id);
        return recounts.find(access, asked)
                .orElseThrow(
                        () -> NotFound.of("recount", "There is no recount " + asked + ". They are kept for 90 days."));
    }

    private @Nullable Task task(Recount recount) {
        return recount.task() == null
                ? null
                : tasks.find(OWN_TASKS, recount.task()).orElse(null);
    }

    /** @throws InvalidInput {@code INVALID_MODE}; only who writes addresses by hand gets there */
    private static Recount.Mode mode(@Nullable String text) {
        return text == null
                ? Recount.Mode.CHECK
                : Stream.of(Recount.Mode.values())
                        .filter(mode -> mode.name().equals(text))
                        .findFirst()
                        .orElseThrow(() -> new InvalidInput("INVALID_MODE", "mode", "must be CHECK or CORRECT"));
    }

    private static String text(@Nullable String parameter) {
        return Objects.requireNonNullElse(parameter, "").strip();
    }

    private static Listing.Empty nothing(Access access, Recount recount) {
        return recount.finishedAt() == null
                ? new Listing.Empty(
                        "Nothing was found yet",
                        "Restaurants whose counts differ from their marks are listed here as they are found.",
                        "/favorites/recounts",
                        "All recounts")
                : new Listing.Empty(
                        "Nothing differed",
                        "Every count that was looked at is what the marks say.",
                        "/favorites" + (access.may(Permission.RANKINGS_READ) ? "" : "/recounts"),
                        access.may(Permission.RANKINGS_READ) ? "The leaderboard" : "All recounts");
    }
}
