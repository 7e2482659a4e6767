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
import io.menuboard.pricing.ProductId;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes of one price: author, time, reason, before and after. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/prices")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class PriceHistoryController {
    private static final ListKind LIST = ListKind.of("prices/history", "change", "changes")
            .filteredBy("store", "product", ChannelField.NAME)
            .newestFirst()
            .whole();

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
    HttpResponse<?> show(
            HttpRequest<?> request,
            Access access,
            @Nullable String store,
            @Nullable String product,
            @Nullable String channel) {
        var form = new PriceHistoryPage.Form(text(store), text(product), text(channel));
        var address = form.on(Link.to("prices", "history"));
        if (form.isEmpty()) {
            return lists.page(request, LIST, address, address)
                    .<PriceHistoryEntry>show(_ -> Page.empty(), content -> noPrice(form, content.listing(ask())));
        }
        var list = lists.page(request, LIST, address, form.on(Link.to("prices", "history.csv")));
        Store found;
        ProductId id;
        Channel asked;
        try {
            found = require(access, form.store());
            id = new ProductId(form.product());
            asked = ChannelField.parse(form.channel());
        } catch (InvalidInput e) {
            return list.<PriceHistoryEntry>refuse(e, content -> noPrice(form, content.listing(ask())));
        }
        var amounts = Amounts.of(request);
        return list.show(page -> entries(access, found, id, asked, page), content -> {
            if (content.isRefused()) {
                return noPrice(form, content.listing(ask()));
            }
            var lowest = pricing.lowest(access, found.id(), new PriceSubject.Product(id), asked)
                    .map(amounts::of)
                    .orElse(null);
            var names = ChangeSetNames.of(
                    sets, access, content.page().nodes().stream().map(PriceHistoryEntry::changeSet));
            var rows = content.rows(entry -> PriceHistoryPage.Row.of(entry, amounts, names));
            return PriceHistoryPage.of(form, found, lowest, content.listing(nothing(found, id, asked)), rows);
        });
    }

    private static PriceHistoryPage noPrice(PriceHistoryPage.Form form, Listing listing) {
        return PriceHistoryPage.of(form, null, null, listing, List.of());
    }

    @Get(uri = "/history.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(
            Access access, @Nullable String store, @Nullable String product, @Nullable String channel) {
        var found = require(access, text(store));
        var id = new ProductId(text(product));
        var asked = ChannelField.parse(text(channel));
        return CsvDownload.of("history-" + found.id() + "-" + id + ".csv", ChangeCsv.HISTORY_COLUMNS, page -> entries(
                        access, found, id, asked, page)
                .map(ChangeCsv::row));
    }

    private Page<PriceHistoryEntry> entries(
            Access access, Store store, ProductId product, Channel channel, PageRequest page) {
        return history.of(access, store.id(), channel, new PriceSubject.Product(product), page);
    }

    private Store require(Access access, String store) {
        return stores.find(access, new StoreId(store))
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
