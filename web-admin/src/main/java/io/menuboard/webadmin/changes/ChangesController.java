package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.changes.ChangeSet;
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
    private static final ListKind LIST =
            ListKind.of("changes/list", "change set", "change sets").filteredBy(ChangesForm.FIELDS);
    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No prices have been changed here yet",
            "What changes together is one change set: it is previewed before, and can be undone after.",
            "/changes/new",
            "Change prices");

    private static final Listing.Empty NOTHING_TO_READ =
            new Listing.Empty(NOTHING.title(), NOTHING.text(), "/changes/calendar", "Calendar");

    private static final Listing.Empty NO_MATCH = new Listing.Empty(
            "No change set matches",
            "One of another status, name or day may. Who drafted it is found by the whole name, as the list has it.",
            "/changes",
            "Clear the filter");

    private final ChangeSets sets;
    private final Lists lists;

    ChangesController(ChangeSets sets, Lists lists) {
        this.sets = sets;
        this.lists = lists;
    }

    @Get("/changes")
    HttpResponse<?> list(HttpRequest<?> request, Access access) {
        var form = ChangesForm.of(request);
        return lists.page(request, LIST, form.on(Link.to("changes")), form.on(Link.to("changes.csv")))
                .show(
                        page -> sets(access, form, page),
                        content -> new ChangesPage(
                                form,
                                form.statuses(),
                                content.listing(nothing(access, form)),
                                content.rows(ChangesPage.Row::of),
                                access.may(Permission.PRICES_APPROVE)));
    }

    @Get(uri = "/changes.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(HttpRequest<?> request, Access access) {
        var form = ChangesForm.of(request);
        return CsvDownload.of("changes.csv", ChangeCsv.SET_COLUMNS, page -> sets(access, form, page)
                .map(ChangeCsv::row));
    }

    private Page<ChangeSet> sets(Access access, ChangesForm form, PageRequest page) {
        return form.narrows() ? sets.list(access, form.filter(), page) : sets.list(access, page);
    }

    private static Listing.Empty nothing(Access access, ChangesForm form) {
        if (form.narrows()) {
            return NO_MATCH;
        }
        return access.may(Permission.PRICES_DRAFT) ? NOTHING : NOTHING_TO_READ;
    }
}
