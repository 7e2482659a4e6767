package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.Moments;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One price of one store: now, next, and every one that it ever had or will have. */
@Controller("/stores/{store}/products/{product}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TimelineController {
    private static final int MAX_DRAWN = 500;
    private static final List<String> FIELDS = List.of(ChannelField.NAME);
    private static final Listing.Noun NOUN = new Listing.Noun("version", "versions");

    private final Stores stores;
    private final Pricing pricing;
    private final PageLimits limits;
    private final Views views;

    TimelineController(Stores stores, Pricing pricing, PageLimits limits, Views views) {
        this.stores = stores;
        this.pricing = pricing;
        this.limits = limits;
        this.views = views;
    }

    @Get
    HttpResponse<?> timeline(HttpRequest<?> request, String store, String product, @Nullable String channel) {
        var found = require(store);
        var productId = new ProductId(product);
        var paging = Paging.of(request, Paging.Order.NEWEST_FIRST, limits);
        var list = Link.to("stores", store, "products", product);
        try {
            var asked = ChannelField.parse(channel);
            var address = list.with(ChannelField.NAME, ChannelField.text(asked));
            var page = pricing.timeline(found.id(), productId, asked, paging.request());
            var drawn = pricing.timeline(found.id(), productId, asked, PageRequest.backward(MAX_DRAWN, null));
            var export = Link.to("stores", store, "products", product, "timeline.csv")
                    .with(ChannelField.NAME, ChannelField.text(asked));
            var listing = Listing.of(FIELDS, paging, address, export, page, NOUN, nothing(list, product, asked));
            var now = pricing.now();
            var view = view(request, found, productId, asked, now, page, drawn, listing);
            return views.page("stores/timeline", view);
        } catch (InvalidInput e) {
            var view = new TimelinePage(
                    StoreHeader.of(found, pricing.now()),
                    product,
                    list.toString(),
                    Link.to("products", product).toString(),
                    history(found, productId, Channel.ALL),
                    change(found, productId, Channel.ALL),
                    ChannelField.choices(pricing.channels(found.id()), channel),
                    null,
                    null,
                    null,
                    null,
                    Listing.refused(FIELDS, paging, list, e),
                    List.of());
            return views.page("stores/timeline", view).status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/timeline.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(String store, String product, @Nullable String channel) {
        var found = require(store);
        var productId = new ProductId(product);
        var asked = ChannelField.parse(channel);
        return CsvDownload.of(
                "timeline-" + store + "-" + product + ".csv", ImportKind.PRICES.columns(), page -> pricing.timeline(
                                found.id(), productId, asked, page)
                        .map(version -> PriceCsv.row(found, asked, productId, version)));
    }

    private TimelinePage view(
            HttpRequest<?> request,
            Store store,
            ProductId product,
            Channel channel,
            Instant now,
            Page<PriceVersion> page,
            Page<PriceVersion> drawn,
            Listing listing) {
        var amounts = Amounts.of(request);
        var current = pricing.price(store.id(), product, channel, now);
        var inEffect = inEffect(drawn.nodes(), now);
        var next = drawn.nodes().stream()
                .filter(version -> version.startsAt().isAfter(now))
                .findFirst();
        var chart = drawn.nodes().stream().allMatch(version -> version.price() == null)
                ? null
                : new PriceChart(drawn.nodes(), store.timeZone(), now, amounts)
                        .draw(product + " at " + store.name(), drawn.hasPreviousPage());
        return new TimelinePage(
                StoreHeader.of(store, now),
                product.value(),
                Link.to("stores", store.id().value(), "products", product.value())
                        .toString(),
                Link.to("products", product.value())
                        .with(ChannelField.NAME, ChannelField.text(channel))
                        .toString(),
                history(store, product, channel),
                change(store, product, channel),
                ChannelField.choices(pricing.channels(store.id()), channel.value()),
                current.map(price -> TimelinePage.Current.of(price, channel, amounts))
                        .orElse(null),
                inEffect.filter(version -> version.price() == null)
                        .map(version -> Moments.of(version.effectiveDate()))
                        .orElse(null),
                next.map(version -> TimelinePage.Next.of(version, current.orElse(null), now, amounts))
                        .orElse(null),
                chart,
                listing,
                rows(store, product, channel, page, inEffect, now, amounts));
    }

    private static Optional<PriceVersion> inEffect(List<PriceVersion> versions, Instant now) {
        return versions.stream()
                .filter(version -> !version.startsAt().isAfter(now))
                .reduce((_, last) -> last);
    }

    /** Newest first, each with the difference to the one that it replaces. */
    private List<TimelinePage.Row> rows(
            Store store,
            ProductId product,
            Channel channel,
            Page<PriceVersion> page,
            Optional<PriceVersion> inEffect,
            Instant now,
            Amounts amounts) {
        var rows = new ArrayList<TimelinePage.Row>();
        var before = before(store, product, channel, page);
        for (var version : page.nodes()) {
            rows.addFirst(TimelinePage.Row.of(version, before, status(version, inEffect, now), amounts));
            before = version;
        }
        return rows;
    }

    /** The version that the page's oldest one replaced. */
    private @Nullable PriceVersion before(Store store, ProductId product, Channel channel, Page<PriceVersion> page) {
        return page.hasPreviousPage()
                ? pricing.timeline(store.id(), product, channel, PageRequest.backward(1, page.startCursor()))
                        .nodes()
                        .getFirst()
                : null;
    }

    private static @Nullable Badge status(PriceVersion version, Optional<PriceVersion> inEffect, Instant now) {
        if (version.startsAt().isAfter(now)) {
            return new Badge("badge-info", "Planned");
        }
        return inEffect.filter(version::equals).isPresent() ? new Badge("badge-good", "In effect") : null;
    }

    private static String history(Store store, ProductId product, Channel channel) {
        return about(Link.to("prices", "history"), store, product, channel);
    }

    private static String change(Store store, ProductId product, Channel channel) {
        return about(Link.to("changes", "new"), store, product, channel);
    }

    private static String about(Link link, Store store, ProductId product, Channel channel) {
        return link.with("store", store.id().value())
                .with("product", product.value())
                .with(ChannelField.NAME, ChannelField.text(channel))
                .toString();
    }

    private Store require(String store) {
        return stores.find(new StoreId(store)).orElseThrow(() -> StoreHeader.notFound(store));
    }

    private static Listing.Empty nothing(Link list, String product, Channel channel) {
        return channel.equals(Channel.ALL)
                ? new Listing.Empty(
                        "This store has no price for " + product,
                        "Another channel may have one, or another store.",
                        Link.to("products", product).toString(),
                        "Look in every store")
                : new Listing.Empty(
                        "Channel " + channel + " has no price of its own",
                        "It sells at the price of channel ALL, where that has one.",
                        list.toString(),
                        "Show channel ALL");
    }
}
