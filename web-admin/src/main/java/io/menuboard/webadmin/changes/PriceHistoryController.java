package io.menuboard.webadmin.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.NotFound;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who changed one price, when, why, from what and to what. */
@Controller("/prices")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PriceHistoryController {
    private static final List<String> FIELDS = List.of("store", "product", ChannelField.NAME);
    private static final Listing.Noun NOUN = new Listing.Noun("change", "changes");

    private final PriceHistory history;
    private final Pricing pricing;
    private final Stores stores;
    private final PageLimits limits;
    private final Views views;

    PriceHistoryController(PriceHistory history, Pricing pricing, Stores stores, PageLimits limits, Views views) {
        this.history = history;
        this.pricing = pricing;
        this.stores = stores;
        this.limits = limits;
        this.views = views;
    }

    @Get("/history")
    HttpResponse<?> show(
            HttpRequest<?> request, @Nullable String store, @Nullable String product, @Nullable String channel) {
        var form = new PriceHistoryPage.Form(text(store), text(product), text(channel));
        var paging = Paging.of(request, Paging.Order.NEWEST_FIRST, limits);
        var list = form.on(Link.to("prices", "history"));
        try {
            if (form.isEmpty()) {
                var listing = Listing.of(FIELDS, paging, list, list, Page.empty(), NOUN, ask());
                return views.page("prices/history", PriceHistoryPage.of(form, null, null, listing, List.of()));
            }
            var found = require(form.store());
            var id = new ProductId(form.product());
            var asked = ChannelField.parse(form.channel());
            var page = entries(found, id, asked, paging.request());
            var amounts = Amounts.of(request);
            var lowest = pricing.lowest(found.id(), id, asked).map(amounts::of).orElse(null);
            var export = form.on(Link.to("prices", "history.csv"));
            var listing = Listing.of(FIELDS, paging, list, export, page, NOUN, nothing(found, id, asked));
            var rows = page.nodes().reversed().stream()
                    .map(entry -> PriceHistoryPage.Row.of(entry, amounts))
                    .toList();
            return views.page("prices/history", PriceHistoryPage.of(form, found, lowest, listing, rows));
        } catch (InvalidInput e) {
            var listing = Listing.refused(FIELDS, paging, list, e);
            return views.page("prices/history", PriceHistoryPage.of(form, null, null, listing, List.of()))
                    .status(NotFound.is(e) ? HttpStatus.NOT_FOUND : HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/history.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(@Nullable String store, @Nullable String product, @Nullable String channel) {
        var found = require(text(store));
        var id = new ProductId(text(product));
        var asked = ChannelField.parse(text(channel));
        return CsvDownload.of("history-" + found.id() + "-" + id + ".csv", ChangeCsv.HISTORY_COLUMNS, page -> entries(
                        found, id, asked, page)
                .map(ChangeCsv::row));
    }

    private Page<PriceHistoryEntry> entries(Store store, ProductId product, Channel channel, PageRequest page) {
        return history.of(store.id(), channel, new PriceSubject.Product(product), page);
    }

    private Store require(String store) {
        return stores.find(new StoreId(store))
                .orElseThrow(() -> NotFound.of("store", "must exist: there is no " + store));
    }

    private static String text(@Nullable String parameter) {
        return Objects.requireNonNullElse(parameter, "").strip();
    }

    private static Listing.Empty ask() {
        return new Listing.Empty(
                "Which price?",
                "Give a store and a product above, or come here from the page of a price.",
                "/products",
                "Look for a product");
    }

    private static Listing.Empty nothing(Store store, ProductId product, Channel channel) {
        return new Listing.Empty(
                "No change set has changed this price",
                "What was imported is on its timeline.",
                PriceHistoryPage.timeline(store, product.value(), ChannelField.text(channel))
                        .toString(),
                "Show the timeline");
    }
}
