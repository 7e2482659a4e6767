package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.imports.ImportKind;
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
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of stores. */
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class StoresController {
    private static final List<String> FIELDS = List.of("search");
    private static final Listing.Noun NOUN = new Listing.Noun("store", "stores");

    private final Stores stores;
    private final Pricing pricing;
    private final PageLimits limits;
    private final Views views;

    StoresController(Stores stores, Pricing pricing, PageLimits limits, Views views) {
        this.stores = stores;
        this.pricing = pricing;
        this.limits = limits;
        this.views = views;
    }

    @Get
    HttpResponse<?> home() {
        return HttpResponse.seeOther(URI.create("/stores"));
    }

    @Get("/stores")
    HttpResponse<?> list(HttpRequest<?> request, @Nullable String search) {
        var text = search == null ? "" : search;
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = Link.to("stores").with("search", text);
        try {
            var page = stores.list(text, paging.request());
            var now = pricing.now();
            var rows = page.nodes().stream()
                    .map(store -> StoresPage.Row.of(store, now))
                    .toList();
            var export = Link.to("stores.csv").with("search", text);
            var listing = Listing.of(FIELDS, paging, list, export, page, NOUN, nothing(text));
            return views.live(request, "stores/list", new StoresPage(text, listing, rows), paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(FIELDS, paging, list, e);
            return views.live(request, "stores/list", new StoresPage(text, listing, List.of()), list)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/stores.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(@Nullable String search) {
        return CsvDownload.of("stores.csv", ImportKind.STORES.columns(), page -> stores.list(search, page)
                .map(StoreCsv::row));
    }

    private static Listing.Empty nothing(String search) {
        return search.isEmpty()
                ? new Listing.Empty(
                        "No stores yet",
                        "Import a file of your stores, and then one of their prices.",
                        "/imports",
                        "Import stores")
                : new Listing.Empty(
                        "No store is found by “" + search + "”",
                        "A search finds the beginning of an id or a city, and of any word of a name. Countries are not searched.",
                        "/stores",
                        "Clear the search");
    }
}
