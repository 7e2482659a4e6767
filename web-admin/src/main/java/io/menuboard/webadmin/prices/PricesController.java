package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.webadmin.ui.Amounts;
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
import org.jspecify.annotations.Nullable;

/** The prices of one store at one moment: base prices by product, and swap prices by combo. */
@Controller("/stores/{store}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PricesController {
    private static final List<String> BASE_FIELDS = List.of("channel", "product", "at");
    private static final List<String> SWAP_FIELDS = List.of("channel", "combo", "at");

    /** Among so many changes that are to come, the first price of either kind is looked for. */
    private static final int UPCOMING = 64;

    private static final Listing.Noun NOUN = new Listing.Noun("price", "prices");

    private final Stores stores;
    private final Pricing pricing;
    private final ChangeBatches batches;
    private final PageLimits limits;
    private final Views views;

    PricesController(Stores stores, Pricing pricing, ChangeBatches batches, PageLimits limits, Views views) {
        this.stores = stores;
        this.pricing = pricing;
        this.batches = batches;
        this.limits = limits;
        this.views = views;
    }

    @Get
    HttpResponse<?> base(
            HttpRequest<?> request,
            String store,
            @Nullable String channel,
            @Nullable String product,
            @Nullable String at) {
        var filter = PriceFilter.of(require(store), channel, PriceFilter.What.PRODUCT, product, at);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = filter.on(Link.to("stores", store));
        try {
            var page = pricing.basePrices(
                    filter.store().id(),
                    filter.askedChannel(),
                    filter.text(),
                    filter.moment(pricing.now()),
                    paging.request());
            var amounts = Amounts.of(request);
            var rows = page.nodes().stream()
                    .map(price -> PricesPage.Row.of(price, amounts))
                    .toList();
            var export = filter.on(Link.to("stores", store, "prices.csv"));
            var listing = Listing.of(BASE_FIELDS, paging, list, export, page, NOUN, nothing(filter, page));
            return views.live(request, "stores/prices", basePage(filter, listing, rows), paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(BASE_FIELDS, paging, list, atFormField(e));
            return views.live(request, "stores/prices", basePage(filter, listing, List.of()), list)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/prices.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportBase(
            String store, @Nullable String channel, @Nullable String product, @Nullable String at) {
        var filter = PriceFilter.of(require(store), channel, PriceFilter.What.PRODUCT, product, at);
        var asked = filter.askedChannel();
        var moment = filter.moment(pricing.now());
        return CsvDownload.of("prices-" + store + ".csv", ImportKind.PRICES.columns(), page -> pricing.basePrices(
                        filter.store().id(), asked, filter.text(), moment, page)
                .map(PriceCsv::row));
    }

    @Get("/swaps")
    HttpResponse<?> swaps(
            HttpRequest<?> request,
            String store,
            @Nullable String channel,
            @Nullable String combo,
            @Nullable String at) {
        var filter = PriceFilter.of(require(store), channel, PriceFilter.What.COMBO, combo, at);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = filter.on(Link.to("stores", store, "swaps"));
        try {
            var page = pricing.swapPrices(
                    filter.store().id(),
                    filter.askedChannel(),
                    filter.combo(),
                    filter.moment(pricing.now()),
                    paging.request());
            var amounts = Amounts.of(request);
            var rows = page.nodes().stream()
                    .map(price -> SwapPricesPage.Row.of(price, list, amounts))
                    .toList();
            var export = filter.on(Link.to("stores", store, "swaps.csv"));
            var listing = Listing.of(SWAP_FIELDS, paging, list, export, page, NOUN, nothing(filter, page));
            return views.live(request, "stores/swaps", swapPage(filter, listing, rows), paging.keep(list));
        } catch (InvalidInput e) {
            var listing = Listing.refused(SWAP_FIELDS, paging, list, e);
            return views.live(request, "stores/swaps", swapPage(filter, listing, List.of()), list)
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/swaps.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportSwaps(
            String store, @Nullable String channel, @Nullable String combo, @Nullable String at) {
        var filter = PriceFilter.of(require(store), channel, PriceFilter.What.COMBO, combo, at);
        var asked = filter.askedChannel();
        var only = filter.combo();
        var moment = filter.moment(pricing.now());
        return CsvDownload.of("swap-prices-" + store + ".csv", ImportKind.PRICES.columns(), page -> pricing.swapPrices(
                        filter.store().id(), asked, only, moment, page)
                .map(PriceCsv::row));
    }

    /** Prices that are all to come are no reason to import any. */
    private Listing.Empty nothing(PriceFilter filter, Page<?> page) {
        if (!page.edges().isEmpty() || !filter.isOpen()) {
            return filter.nothing();
        }
        return batches
                .upcoming(filter.store().id(), Channel.ALL, null, null, PageRequest.forward(UPCOMING, null))
                .nodes()
                .stream()
                .filter(change -> filter.what().prices(change.subject()) && change.after() != null)
                .findFirst()
                .map(filter::nothingBefore)
                .orElseGet(filter::nothing);
    }

    private Store require(String store) {
        return stores.find(new StoreId(store)).orElseThrow(() -> StoreHeader.notFound(store));
    }

    private PricesPage basePage(PriceFilter filter, Listing listing, List<PricesPage.Row> rows) {
        return new PricesPage(
                StoreHeader.of(filter.store(), pricing.now()),
                ChannelField.choices(pricing.channels(filter.store().id()), filter.channel()),
                filter.channel(),
                filter.text(),
                filter.at(),
                listing,
                rows);
    }

    private SwapPricesPage swapPage(PriceFilter filter, Listing listing, List<SwapPricesPage.Row> rows) {
        return new SwapPricesPage(
                StoreHeader.of(filter.store(), pricing.now()),
                ChannelField.choices(pricing.channels(filter.store().id()), filter.channel()),
                filter.text(),
                filter.at(),
                listing,
                rows);
    }

    /** The form calls the prefix what it is to its user: the product. */
    private static InvalidInput atFormField(InvalidInput refused) {
        return refused.field().equals("productPrefix") ? refused.renamed("product") : refused;
    }
}
