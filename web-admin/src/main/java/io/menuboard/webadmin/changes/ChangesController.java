package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
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
import java.util.List;

/** Every change set, newest first. */
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ChangesController {
    private static final List<String> FIELDS = List.of();
    private static final Listing.Noun NOUN = new Listing.Noun("change set", "change sets");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No prices have been changed here yet",
            "What changes together is one change set: it is previewed before, and can be undone after.",
            "/changes/new",
            "Change prices");

    private final ChangeSets sets;
    private final PageLimits limits;
    private final Views views;

    ChangesController(ChangeSets sets, PageLimits limits, Views views) {
        this.sets = sets;
        this.limits = limits;
        this.views = views;
    }

    @Get("/changes")
    HttpResponse<?> list(HttpRequest<?> request) {
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var link = Link.to("changes");
        try {
            var page = sets.list(paging.request());
            var rows = page.nodes().stream().map(ChangesPage.Row::of).toList();
            var listing = Listing.of(FIELDS, paging, link, Link.to("changes.csv"), page, NOUN, NOTHING);
            return views.live(request, "changes/list", new ChangesPage(listing, rows), paging.keep(link));
        } catch (InvalidInput e) {
            var listing = Listing.refused(FIELDS, paging, link, e);
            return views.live(request, "changes/list", new ChangesPage(listing, List.of()), link)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/changes.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export() {
        return CsvDownload.of(
                "changes.csv", ChangeCsv.SET_COLUMNS, page -> sets.list(page).map(ChangeCsv::row));
    }
}
