package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
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

/** Every change set, newest first. */
@RequiresPermission(Permission.PRICES_READ)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ChangesController {
    private static final ListKind LIST = ListKind.of("changes/list", "change set", "change sets");
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No prices have been changed here yet",
            "What changes together is one change set: it is previewed before, and can be undone after.",
            "/changes/new",
            "Change prices");

    private static final Listing.Empty NOTHING_TO_READ =
            new Listing.Empty(NOTHING.title(), NOTHING.text(), "/changes/calendar", "Calendar");

    private final ChangeSets sets;
    private final Lists lists;

    ChangesController(ChangeSets sets, Lists lists) {
        this.sets = sets;
        this.lists = lists;
    }

    @Get("/changes")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        return lists.page(request, LIST, Link.to("changes"), Link.to("changes.csv"))
                .show(
                        page -> sets.list(access, page),
                        content -> new ChangesPage(
                                content.listing(access.may(Permission.PRICES_DRAFT) ? NOTHING : NOTHING_TO_READ),
                                content.rows(ChangesPage.Row::of),
                                access.may(Permission.PRICES_APPROVE)));
    }

    @Get(uri = "/changes.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access) {
        return CsvDownload.of("changes.csv", ChangeCsv.SET_COLUMNS, page -> sets.list(access, page)
                .map(ChangeCsv::row));
    }
}
