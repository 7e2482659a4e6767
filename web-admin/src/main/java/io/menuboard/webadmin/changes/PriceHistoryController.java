package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.ListPage;
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

/** Changes of one price: author, time, reason, before and after. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/prices")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PriceHistoryController {
    private static final ListKind LIST = ListKind.of("prices/history", "change", "changes")
            .filteredBy("store", "product", "combo", "option", ChannelField.NAME)
            .newestFirst()
            .whole();
    private static final Listing.Empty ASK = new Listing.Empty(
            "Which price?",
            "Give a store, and a product or an option of a combo, above, or come here from the page of a price.",
            "/products",
            "Look for a product");

    private final PriceHistory history;
    private final ChangeSets sets;
    private final Pricing pricing;
    private final Stores stores;
    private final Lists lists;

    PriceHistoryController(PriceHistory history, ChangeSets sets, Pricing pricing, Stores stores, Lists lists) {
        this.history = history;
        this.sets = sets;
        this.pricing = pricing;
        this.stores = stores;
        this.lists = lists;
    }

    @Get("/history")
    HttpResponse<?> show(HttpRequest<?> request, Access access) {
        var form = PriceHistoryPage.Form.of(request);
        var address = form.on(Link.to("prices", "history"));
        if (form.isEmpty()) {
            return lists.page(request, LIST, address, address)
                    .<PriceHistoryEntry>show(_ -> Page.empty(), content -> noPrice(form, content));
        }
        var list = lists.page(request, LIST, address, form.on(Link.to("prices", "history.csv")));
        Price price;
        try {
            price = price(access, form);
        } catch (InvalidInput e) {
            return list.<PriceHistoryEntry>refuse(e, content -> noPrice(form, content));
        }
        var amounts = Amounts.of(request);
        return list.show(page -> entries(access, price, page), content -> {
            if (content.isRefused()) {
                return noPrice(form, content);
            }
            var lowest = pricing.lowest(access, price.store().id(), price.subject(), price.channel())
                    .map(amounts::of)
                    .orElse(null);
            var names = ChangeSetNames.of(
                    sets, access, content.page().nodes().stream().map(PriceHistoryEntry::changeSet));
            var rows = content.rows(entry -> PriceHistoryPage.Row.of(entry, amounts, names));
            return PriceHistoryPage.of(
                    form, price.store(), price.subject(), lowest, content.listing(nothing(price)), rows);
        });
    }

    private static PriceHistoryPage noPrice(PriceHistoryPage.Form form, ListPage.Content<PriceHistoryEntry> content) {
        return PriceHistoryPage.of(form, content.listing(ASK));
    }

    @Get(uri = "/history.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(HttpRequest<?> request, Access access) {
        var price = price(access, PriceHistoryPage.Form.of(request));
        var file = "history-" + price.store().id() + "-" + price.subject().name() + ".csv";
        return CsvDownload.of(file, ChangeCsv.HISTORY_COLUMNS, page -> entries(access, price, page)
                .map(ChangeCsv::row));
    }

    /** Which price is asked for. */
    private record Price(Store store, PriceSubject subject, Channel channel) {}

    private Price price(Access access, PriceHistoryPage.Form form) {
        return new Price(require(access, form.store()), form.subject(), ChannelField.parse(form.channel()));
    }

    private Page<PriceHistoryEntry> entries(Access access, Price price, PageRequest page) {
        return history.of(access, price.store().id(), price.channel(), price.subject(), page);
    }

    private Store require(Access access, String store) {
        return stores.find(access, new StoreId(store))
                .orElseThrow(() -> NotFound.of("store", "must exist: there is no " + store));
    }

    private static Listing.Empty nothing(Price price) {
        var prices = PriceHistoryPage.prices(price.store(), price.subject(), ChannelField.text(price.channel()));
        return switch (price.subject()) {
            case PriceSubject.Product _ ->
                new Listing.Empty(
                        "No change set has changed this price",
                        "What was imported is on its timeline.",
                        prices.toString(),
                        "Show the timeline");
            case PriceSubject.Swap _ ->
                new Listing.Empty(
                        "No change set has changed this price",
                        "What was imported is among the swap prices of the store.",
                        prices.toString(),
                        "Show the swap prices");
        };
    }
}
