package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.imports.ImportKind;
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
import org.jspecify.annotations.Nullable;

/** The list of stores. */
@RequiresPermission(Permission.PRICES_READ)
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class StoresController {
    private static final ListKind LIST =
            ListKind.of("stores/list", "store", "stores").filteredBy("search");

    private static final Listing.Empty NOTHING = new Listing.Empty(
            "No stores yet",
            "Import a file of your stores, and then one of their prices.",
            "/imports",
            "Import stores");

    private static final Listing.Empty NOTHING_TO_READ = new Listing.Empty(
            "No store that you see",
            "Somebody has to import stores, or to let you see some of them.",
            "/changes",
            "Price changes");

    private final Stores stores;
    private final Pricing pricing;
    private final Lists lists;

    StoresController(Stores stores, Pricing pricing, Lists lists) {
        this.stores = stores;
        this.pricing = pricing;
        this.lists = lists;
    }

    @Get("/stores")
    HttpResponse<?> list(HttpRequest<?> request, Access access, @Nullable String search) {
        var text = search == null ? "" : search;
        var now = pricing.now();
        return lists.page(
                        request,
                        LIST,
                        Link.to("stores").with("search", text),
                        Link.to("stores.csv").with("search", text))
                .show(
                        page -> stores.list(access, text, page),
                        content -> new StoresPage(
                                text,
                                content.listing(nothing(access, text)),
                                content.rows(store -> StoresPage.Row.of(store, now))));
    }

    @Get(uri = "/stores.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, @Nullable String search) {
        return CsvDownload.of("stores.csv", ImportKind.STORES.columns(), page -> stores.list(access, search, page)
                .map(StoreCsv::row));
    }

    private static Listing.Empty nothing(Access access, String search) {
        if (!search.isEmpty()) {
            return new Listing.Empty(
                    "No store is found by “" + search + "”",
                    "A search finds the beginning of an id or a city, and of any word of a name. Countries are not searched.",
                    "/stores",
                    "Clear the search");
        }
        return access.isForAll(Permission.PRICES_READ) && access.isForAll(Permission.STORES_EDIT)
                ? NOTHING
                : NOTHING_TO_READ;
    }
}
