package io.menuboard.webadmin.prices;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Listing;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Paging;
import io.menuboard.webadmin.ui.Problem;
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

/** What one product costs in every store. */
@Controller("/products")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ProductsController {
    private static final List<String> FIELDS = List.of(ChannelField.NAME);
    private static final Listing.Noun NOUN = new Listing.Noun("store", "stores");

    private final Pricing pricing;
    private final PageLimits limits;
    private final Views views;

    ProductsController(Pricing pricing, PageLimits limits, Views views) {
        this.pricing = pricing;
        this.limits = limits;
        this.views = views;
    }

    /** Asks for a product's id, and goes to the product once there is one. */
    @Get
    HttpResponse<?> search(@Nullable String product) {
        if (product == null) {
            return views.page("products/search", new ProductSearchPage("", null));
        }
        try {
            var id = new ProductId(product.strip());
            return HttpResponse.seeOther(
                    URI.create(Link.to("products", id.value()).toString()));
        } catch (InvalidInput e) {
            return views.page("products/search", new ProductSearchPage(product, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{product}")
    HttpResponse<?> show(HttpRequest<?> request, String product, @Nullable String channel) {
        var id = new ProductId(product);
        var paging = Paging.of(request, Paging.Order.AS_LISTED, limits);
        var list = Link.to("products", product);
        var text = channel == null ? "" : channel.strip();
        try {
            var asked = ChannelField.parse(text);
            var page = pricing.basePricesByProduct(id, asked, pricing.now(), paging.request());
            var amounts = Amounts.of(request);
            var rows = page.nodes().stream()
                    .map(price -> ProductPage.Row.of(price, amounts))
                    .toList();
            var address = list.with(ChannelField.NAME, ChannelField.text(asked));
            var export = Link.to("products", product, "prices.csv").with(ChannelField.NAME, ChannelField.text(asked));
            var listing = Listing.of(FIELDS, paging, address, export, page, NOUN, nothing(list, product, asked));
            return views.live(
                    request,
                    "products/show",
                    new ProductPage(product, list.toString(), change(product, text), text, listing, rows),
                    paging.keep(address));
        } catch (InvalidInput e) {
            var listing = Listing.refused(FIELDS, paging, list, e);
            return views.live(
                            request,
                            "products/show",
                            new ProductPage(product, list.toString(), change(product, text), text, listing, List.of()),
                            list.with(ChannelField.NAME, text))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get(uri = "/{product}/prices.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(String product, @Nullable String channel) {
        var id = new ProductId(product);
        var asked = ChannelField.parse(channel);
        var now = pricing.now();
        return CsvDownload.of(
                "prices-of-" + product + ".csv",
                ImportKind.PRICES.columns(),
                page -> pricing.basePricesByProduct(id, asked, now, page).map(PriceCsv::row));
    }

    /** Address of the form that changes it in every store. */
    private static String change(String product, String channel) {
        return Link.to("changes", "new")
                .with("product", product)
                .with(ChannelField.NAME, channel)
                .toString();
    }

    private static Listing.Empty nothing(Link list, String product, Channel channel) {
        return channel.equals(Channel.ALL)
                ? new Listing.Empty(
                        "No store sells " + product + " now",
                        "Ids count letter by letter, also upper and lower case.",
                        "/products",
                        "Look for another product")
                : new Listing.Empty(
                        "No store has a price of its own for " + product + " in channel " + channel,
                        "They sell it at the price of channel ALL, where that has one.",
                        list.toString(),
                        "Show channel ALL");
    }
}
