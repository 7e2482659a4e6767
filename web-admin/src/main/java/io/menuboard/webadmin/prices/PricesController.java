package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.packs.PricePacks;
import io.menuboard.webadmin.ui.Amounts;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The prices of one store at one moment: base prices by product, and swap prices by combo. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/stores/{store}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PricesController {
    private static final ListKind BASE_PRICES =
            ListKind.of("stores/prices", "price", "prices").filteredBy(ChannelField.NAME, "product", "at");
    private static final ListKind SWAP_PRICES =
            ListKind.of("stores/swaps", "price", "prices").filteredBy(ChannelField.NAME, "combo", "at");

    /** Among so many changes that are to come, the first price of either kind is looked for. */
    private static final int UPCOMING = 64;

    private final Stores stores;
    private final Pricing pricing;
    private final ChangeBatches batches;
    private final PricePacks packs;
    private final Lists lists;

    PricesController(Stores stores, Pricing pricing, ChangeBatches batches, PricePacks packs, Lists lists) {
        this.stores = stores;
        this.pricing = pricing;
        this.batches = batches;
        this.packs = packs;
        this.lists = lists;
    }

    @Get
    HttpResponse<?> base(
            HttpRequest<?> request,
            Access access,
            String store,
            @Nullable String channel,
            @Nullable String product,
            @Nullable String at) {
        var filter = PriceFilter.of(require(access, store), channel, PriceFilter.What.PRODUCT, product, at);
        var amounts = Amounts.of(request);
        return lists.page(
                        request,
                        BASE_PRICES,
                        filter.on(Link.to("stores", store)),
                        filter.on(Link.to("stores", store, "prices.csv")))
                .show(
                        page -> basePrices(access, filter, page),
                        content -> basePage(
                                access,
                                filter,
                                content.listing(() -> nothing(access, filter)),
                                content.rows(price -> PricesPage.Row.of(price, amounts))));
    }

    /** The form calls the prefix what it is to its user: the product. */
    private Page<BasePrice> basePrices(Access access, PriceFilter filter, PageRequest page) {
        try {
            return pricing.basePrices(
                    access,
                    filter.store().id(),
                    filter.askedChannel(),
                    filter.text(),
                    filter.moment(pricing.now()),
                    page);
        } catch (InvalidInput e) {
            throw e.field().equals("productPrefix") ? e.renamed("product") : e;
        }
    }

    @Get(uri = "/prices.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportBase(
            Access access, String store, @Nullable String channel, @Nullable String product, @Nullable String at) {
        var filter = PriceFilter.of(require(access, store), channel, PriceFilter.What.PRODUCT, product, at);
        var asked = filter.askedChannel();
        var moment = filter.moment(pricing.now());
        return CsvDownload.of("prices-" + store + ".csv", ImportKind.PRICES.columns(), page -> pricing.basePrices(
                        access, filter.store().id(), asked, filter.text(), moment, page)
                .map(PriceCsv::row));
    }

    @Get("/swaps")
    HttpResponse<?> swaps(
            HttpRequest<?> request,
            Access access,
            String store,
            @Nullable String channel,
            @Nullable String combo,
            @Nullable String at) {
        var filter = PriceFilter.of(require(access, store), channel, PriceFilter.What.COMBO, combo, at);
        var list = filter.on(Link.to("stores", store, "swaps"));
        var amounts = Amounts.of(request);
        return lists.page(request, SWAP_PRICES, list, filter.on(Link.to("stores", store, "swaps.csv")))
                .show(
                        page -> pricing.swapPrices(
                                access,
                                filter.store().id(),
                                filter.askedChannel(),
                                filter.combo(),
                                filter.moment(pricing.now()),
                                page),
                        content -> swapPage(
                                access,
                                filter,
                                content.listing(() -> nothing(access, filter)),
                                content.rows(price -> SwapPricesPage.Row.of(price, list, amounts))));
    }

    @Get(uri = "/swaps.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> exportSwaps(
            Access access, String store, @Nullable String channel, @Nullable String combo, @Nullable String at) {
        var filter = PriceFilter.of(require(access, store), channel, PriceFilter.What.COMBO, combo, at);
        var asked = filter.askedChannel();
        var only = filter.combo();
        var moment = filter.moment(pricing.now());
        return CsvDownload.of("swap-prices-" + store + ".csv", ImportKind.PRICES.columns(), page -> pricing.swapPrices(
                        access, filter.store().id(), asked, only, moment, page)
                .map(PriceCsv::row));
    }

    /** Prices that are all to come are no reason to import any. */
    private Listing.Empty nothing(Access access, PriceFilter filter) {
        if (!filter.isOpen()) {
            return filter.nothing(access);
        }
        return batches
                .upcoming(access, filter.store().id(), Channel.ALL, null, null, PageRequest.forward(UPCOMING, null))
                .nodes()
                .stream()
                .filter(change -> filter.what().prices(change.subject()) && change.after() != null)
                .findFirst()
                .map(filter::nothingBefore)
                .orElseGet(() -> filter.nothing(access));
    }

    private Store require(Access access, String store) {
        return stores.find(access, new StoreId(store)).orElseThrow(() -> StoreHeader.notFound(store));
    }

    private PricesPage basePage(Access access, PriceFilter filter, Listing listing, List<PricesPage.Row> rows) {
        return new PricesPage(
                StoreHeader.of(filter.store(), pricing.now()),
                ChannelField.choices(pricing.channels(access, filter.store().id()), filter.channel()),
                filter.channel(),
                packHref(filter),
                filter.text(),
                filter.at(),
                listing,
                rows);
    }

    private @Nullable String packHref(PriceFilter filter) {
        if (!packs.enabled()) {
            return null;
        }
        var channel = filter.channel().isEmpty() ? Channel.ALL.value() : filter.channel();
        return Link.to(PricePacksController.PATH, filter.store().id().value(), channel)
                .toString();
    }

    private SwapPricesPage swapPage(Access access, PriceFilter filter, Listing listing, List<SwapPricesPage.Row> rows) {
        return new SwapPricesPage(
                StoreHeader.of(filter.store(), pricing.now()),
                ChannelField.choices(pricing.channels(access, filter.store().id()), filter.channel()),
                filter.text(),
                filter.at(),
                listing,
                rows);
    }
}
