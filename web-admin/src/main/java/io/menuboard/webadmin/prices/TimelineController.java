package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
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
import io.menuboard.webadmin.ui.Moments;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One price of one store: now, next, and every one that it ever had or will have. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/stores/{store}/products/{product}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TimelineController {
    private static final int MAX_DRAWN = 500;
    private static final ListKind LIST = ListKind.of("stores/timeline", "version", "versions")
            .filteredBy(ChannelField.NAME)
            .newestFirst()
            .whole();

    private final Stores stores;
    private final Pricing pricing;
    private final Lists lists;

    TimelineController(Stores stores, Pricing pricing, Lists lists) {
        this.stores = stores;
        this.pricing = pricing;
        this.lists = lists;
    }

    @Get
    HttpResponse<?> timeline(
            HttpRequest<?> request, Access access, String store, String product, @Nullable String channel) {
        var found = require(access, store);
        var productId = new ProductId(product);
        var amounts = Amounts.of(request);
        try {
            var asked = ChannelField.parse(channel);
            var export = Link.to("stores", store, "products", product, "timeline.csv")
                    .with(ChannelField.NAME, ChannelField.text(asked));
            return lists.page(request, LIST, TimelinePage.link(found, productId, asked), export)
                    .show(
                            page -> pricing.timeline(
                                    access, found.id(), new PriceSubject.Product(productId), asked, page),
                            content -> content.isRefused()
                                    ? withoutPrices(access, found, productId, asked.value(), content)
                                    : view(access, found, productId, asked, amounts, content));
        } catch (InvalidInput e) {
            var list = TimelinePage.link(found, productId, Channel.ALL);
            return lists.page(request, LIST, list, list)
                    .<PriceVersion>refuse(e, content -> withoutPrices(access, found, productId, channel, content));
        }
    }

    @Get(uri = "/timeline.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, String store, String product, @Nullable String channel) {
        var found = require(access, store);
        var productId = new ProductId(product);
        var asked = ChannelField.parse(channel);
        return CsvDownload.of(
                "timeline-" + store + "-" + product + ".csv", ImportKind.PRICES.columns(), page -> pricing.timeline(
                                access, found.id(), new PriceSubject.Product(productId), asked, page)
                        .map(version -> PriceCsv.row(found, asked, productId, version)));
    }

    private TimelinePage withoutPrices(
            Access access,
            Store store,
            ProductId product,
            @Nullable String channel,
            ListPage.Content<PriceVersion> content) {
        return new TimelinePage(
                StoreHeader.of(store, pricing.now()),
                product.value(),
                TimelinePage.Links.of(store, product, Channel.ALL),
                ChannelField.choices(pricing.channels(access, store.id()), channel),
                TimelinePage.Figures.NONE,
                null,
                content.listing(nothing(store, product, Channel.ALL)),
                List.of());
    }

    private TimelinePage view(
            Access access,
            Store store,
            ProductId product,
            Channel channel,
            Amounts amounts,
            ListPage.Content<PriceVersion> content) {
        var now = pricing.now();
        var drawn = pricing.timeline(
                access, store.id(), new PriceSubject.Product(product), channel, PageRequest.backward(MAX_DRAWN, null));
        var current = pricing.price(access, store.id(), product, channel, now).orElse(null);
        var inEffect = inEffect(drawn.nodes(), now);
        var deleted = inEffect.filter(version -> version.price() == null)
                .map(PriceVersion::effectiveDate)
                .orElse(null);
        var chart = drawn.nodes().stream().allMatch(version -> version.price() == null)
                ? null
                : new PriceChart(drawn.nodes(), store.timeZone(), now, amounts)
                        .draw(product + " at " + store.name(), drawn.hasPreviousPage());
        return new TimelinePage(
                StoreHeader.of(store, now),
                product.value(),
                TimelinePage.Links.of(store, product, channel),
                ChannelField.choices(pricing.channels(access, store.id()), channel.value()),
                new TimelinePage.Figures(
                        current == null ? null : TimelinePage.Current.of(current, channel, deleted, amounts),
                        deleted == null ? null : EffectiveDates.text(deleted),
                        next(access, store, product, channel, drawn, current, now, amounts)),
                chart,
                content.listing(nothing(store, product, channel)),
                rows(access, store, product, channel, content.page(), inEffect, now, amounts));
    }

    /** The next change of what the channel sells it at, which is the price of ALL where it has none of its own. */
    private TimelinePage.@Nullable Next next(
            Access access,
            Store store,
            ProductId product,
            Channel channel,
            Page<PriceVersion> own,
            @Nullable BasePrice current,
            Instant now,
            Amounts amounts) {
        var from = current == null ? firstPrice(access, store, product, channel, own, now) : current.endDate();
        if (from == null) {
            return null;
        }
        var startsAt = from.startsAt(store.timeZone());
        var price = pricing.price(access, store.id(), product, channel, startsAt);
        return TimelinePage.Next.of(from, price.orElse(null), current, Moments.distance(now, startsAt), amounts);
    }

    /** From when the channel has a price that has none now; null where none is planned. */
    private @Nullable EffectiveDate firstPrice(
            Access access, Store store, ProductId product, Channel channel, Page<PriceVersion> own, Instant now) {
        var ofAll = channel.equals(Channel.ALL)
                ? Page.<PriceVersion>empty()
                : pricing.timeline(
                        access,
                        store.id(),
                        new PriceSubject.Product(product),
                        Channel.ALL,
                        PageRequest.backward(MAX_DRAWN, null));
        return Stream.concat(own.nodes().stream(), ofAll.nodes().stream())
                .filter(version -> version.price() != null && version.startsAt().isAfter(now))
                .map(PriceVersion::effectiveDate)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static Optional<PriceVersion> inEffect(List<PriceVersion> versions, Instant now) {
        return versions.stream()
                .filter(version -> !version.startsAt().isAfter(now))
                .reduce((_, last) -> last);
    }

    /** Newest first, each with the difference to the one that it replaces. */
    private List<TimelinePage.Row> rows(
            Access access,
            Store store,
            ProductId product,
            Channel channel,
            Page<PriceVersion> page,
            Optional<PriceVersion> inEffect,
            Instant now,
            Amounts amounts) {
        var rows = new ArrayList<TimelinePage.Row>();
        var before = before(access, store, product, channel, page);
        for (var version : page.nodes()) {
            rows.addFirst(TimelinePage.Row.of(version, before, status(version, inEffect, now), amounts));
            before = version;
        }
        return rows;
    }

    /** The version that the page's oldest one replaced. */
    private @Nullable PriceVersion before(
            Access access, Store store, ProductId product, Channel channel, Page<PriceVersion> page) {
        return page.hasPreviousPage()
                ? pricing.timeline(
                                access,
                                store.id(),
                                new PriceSubject.Product(product),
                                channel,
                                PageRequest.backward(1, page.startCursor()))
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

    private Store require(Access access, String store) {
        return stores.find(access, new StoreId(store)).orElseThrow(() -> StoreHeader.notFound(store));
    }

    private static Listing.Empty nothing(Store store, ProductId product, Channel channel) {
        return channel.equals(Channel.ALL)
                ? new Listing.Empty(
                        "This store has no price for " + product,
                        "Another channel may have one, or another store.",
                        Link.to("products", product.value()).toString(),
                        "Look in every store")
                : new Listing.Empty(
                        "Channel " + channel + " has no price of its own",
                        "It sells at the price of channel ALL, where that has one.",
                        TimelinePage.link(store, product, Channel.ALL).toString(),
                        "Show channel ALL");
    }
}
