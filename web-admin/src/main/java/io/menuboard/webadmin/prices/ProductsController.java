package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Prices of one product in every store. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/products")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class ProductsController {
    private static final ListKind LIST =
            ListKind.of("products/show", "store", "stores").filteredBy(ChannelField.NAME);

    private final Pricing pricing;
    private final Lists lists;
    private final Views views;

    ProductsController(Pricing pricing, Lists lists, Views views) {
        this.pricing = pricing;
        this.lists = lists;
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
            return Redirect.to(Link.to("products", id.value()));
        } catch (InvalidInput e) {
            return views.page("products/search", new ProductSearchPage(product, Problem.of(e)))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    @Get("/{product}")
    HttpResponse<?> show(HttpRequest<?> request, Access access, String product, @Nullable String channel) {
        var id = new ProductId(product);
        var text = channel == null ? "" : channel.strip();
        var list = Link.to("products", product);
        var amounts = Amounts.of(request);
        return lists.page(
                        request,
                        LIST,
                        list.with(ChannelField.NAME, ChannelField.text(text)),
                        Link.to("products", product, "prices.csv").with(ChannelField.NAME, ChannelField.text(text)))
                .show(
                        page -> pricing.basePricesByProduct(access, id, ChannelField.parse(text), pricing.now(), page),
                        content -> new ProductPage(
                                product,
                                list.toString(),
                                change(product, text),
                                text,
                                content.listing(() -> nothing(list, product, ChannelField.parse(text))),
                                content.rows(price -> ProductPage.Row.of(price, amounts))));
    }

    @Get(uri = "/{product}/prices.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, String product, @Nullable String channel) {
        var id = new ProductId(product);
        var asked = ChannelField.parse(channel);
        var now = pricing.now();
        return CsvDownload.of(
                "prices-of-" + product + ".csv", ImportKind.PRICES.columns(), page -> pricing.basePricesByProduct(
                                access, id, asked, now, page)
                        .map(PriceCsv::row));
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
                        "No store that you see has a price for " + product + " in channel ALL now",
                        "Another channel may have one. Ids count letter by letter, also upper and lower case.",
                        "/products",
                        "Look for another product")
                : new Listing.Empty(
                        "No store that you see has a price of its own for " + product + " in channel " + channel,
                        "They sell it at the price of channel ALL, where that has one.",
                        list.toString(),
                        "Show channel ALL");
    }
}
