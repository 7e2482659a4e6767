package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.Recount;
import io.menuboard.favorites.RecountId;
import io.menuboard.favorites.Recounts;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskReads;
import io.menuboard.webadmin.ui.AdminConfig;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Views;
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
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether counts are what the marks say: recounts, what they found, and the way to one more. */
@Controller("/favorites")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class RecountsController {
    /** Says on the page after an action what was done. */
    private static final String DID = "did";

    private static final Listing.Noun RECOUNTS = new Listing.Noun("recount", "recounts");
    private static final Listing.Noun DRIFTS = new Listing.Noun("restaurant", "restaurants");
    private static final Listing.Empty NONE = new Listing.Empty(
            "Nothing was recounted yet",
            "A recount compares counts with the marks that they count. One is made every night.",
            "/favorites/recounts/new",
            "Check now");

    private final Recounts recounts;
    private final TaskReads tasks;
    private final AdminConfig config;
    private final PageLimits limits;
    private final Views views;

    RecountsController(Recounts recounts, TaskReads tasks, AdminConfig config, PageLimits limits, Views views) {
        this.recounts = recounts;
        this.tasks = tasks;
        this.config = config;
        this.limits = limits;
        this.views = views;
    }

    /** Asks again by itself while a recount is on its way. */
    @Get("/recounts")
    HttpResponse<?> list(HttpRequest<?> request) {
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var link = FavoriteWords.recounts();
        try {
            var page = recounts.list(paging.request());
            var rows = page.nodes().stream()
                    .map(recount -> RecountsPage.Row.of(recount, recount.finishedAt() == null ? task(recount) : null))
                    .toList();
            var open = page.nodes().stream().anyMatch(recount -> recount.finishedAt() == null);
            var export = Link.to("favorites", "recounts.csv");
            var listing = Listing.of(List.of(), paging, link, export, page, RECOUNTS, NONE);
            var view = new RecountsPage(open, paging.here(link).toString(), listing, rows);
            return views.refreshed(request, "favorites/recounts", view);
        } catch (InvalidInput e) {
            var listing = Listing.refused(List.of(), paging, link, e);
            var view = new RecountsPage(false, link.toString(), listing, List.of());
            return views.refreshed(request, "favorites/recounts", view).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/recounts.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export() {
        return CsvDownload.ofRows("recounts.csv", FavoriteCsv.RECOUNT_COLUMNS, page -> recounts.list(page)
                .map(FavoriteCsv::rows));
    }

    /** The question before the deed. */
    @Get("/recounts/new")
    HttpResponse<?> ask(@Nullable String mode, @Nullable String restaurant) {
        return question(mode(mode), text(restaurant), null);
    }

    @Post("/recounts")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> start(@Nullable String mode, @Nullable String restaurant) {
        var asked = mode(mode);
        var only = text(restaurant);
        try {
            var recount = recounts.start(asked, only.isEmpty() ? null : new RestaurantId(only), actor());
            var link = FavoriteWords.link(recount.id()).with(DID, "started");
            return HttpResponse.seeOther(URI.create(link.toString()));
        } catch (InvalidInput e) {
            return question(asked, only, Problem.of(e)).status(HttpStatus.BAD_REQUEST);
        }
    }

    private MutableHttpResponse<?> question(Recount.Mode mode, String restaurant, @Nullable Problem problem) {
        var last = recounts.lastOfAll().orElse(null);
        return views.page("favorites/new-recount", NewRecountPage.of(mode, restaurant, problem, last));
    }

    /** Asks again by itself while it is on its way. */
    @Get("/recounts/{id}")
    HttpResponse<?> show(HttpRequest<?> request, String id, @Nullable String did) {
        var recount = require(id);
        var task = task(recount);
        var notice = "started".equals(did) ? "The recount is on its way. This page shows how far it is." : null;
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var link = FavoriteWords.link(recount.id());
        try {
            var page = recounts.drifts(recount.id(), paging.request());
            var rows = page.nodes().stream().map(RecountPage.Row::of).toList();
            var export = Link.to("favorites", "recounts", id, "drifts.csv");
            var listing = Listing.of(List.of(), paging, link, export, page, DRIFTS, nothing(recount));
            var view = RecountPage.of(recount, task, paging.here(link), notice, listing, rows);
            return views.refreshed(request, "favorites/recount", view);
        } catch (InvalidInput e) {
            var listing = Listing.refused(List.of(), paging, link, e);
            var view = RecountPage.of(recount, task, link, notice, listing, List.of());
            return views.refreshed(request, "favorites/recount", view).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/recounts/{id}/drifts.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportDrifts(String id) {
        var recount = require(id).id();
        return CsvDownload.ofRows(
                "recount-" + id + ".csv", FavoriteCsv.DRIFT_COLUMNS, page -> recounts.drifts(recount, page)
                        .map(FavoriteCsv::rows));
    }

    private Recount require(String id) {
        var asked = new RecountId(id);
        return recounts.find(asked)
                .orElseThrow(
                        () -> NotFound.of("recount", "There is no recount " + asked + ". They are kept for 90 days."));
    }

    private @Nullable Task task(Recount recount) {
        return recount.task() == null ? null : tasks.find(recount.task()).orElse(null);
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

    private static Listing.Empty nothing(Recount recount) {
        return recount.finishedAt() == null
                ? new Listing.Empty(
                        "Nothing was found yet",
                        "Restaurants whose counts differ from their marks are listed here as they are found.",
                        "/favorites/recounts",
                        "All recounts")
                : new Listing.Empty(
                        "Nothing differed",
                        "Every count that was looked at is what the marks say.",
                        "/favorites",
                        "The leaderboard");
    }

    private Actor actor() {
        return new Actor(Actor.Kind.USER, config.actor(), Actor.Source.PAGE);
    }
}
