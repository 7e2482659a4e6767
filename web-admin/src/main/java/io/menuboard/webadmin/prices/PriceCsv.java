package io.menuboard.webadmin.prices;

import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceVersion;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.imports.ImportKind;
import java.util.List;

/**
 * A price as a row of the file that the import reads, in the order of {@link ImportKind#PRICES}. Where there is none it has
 * no amount, which the import refuses.
 */
final class PriceCsv {
    private PriceCsv() {}

    static List<String> row(Price price) {
        return switch (price) {
            case BasePrice base -> row(base, base.product().value(), "", "");
            case SwapPrice swap ->
                row(swap, "", swap.combo().value(), swap.option().value());
        };
    }

    static List<String> row(Store store, Channel channel, ProductId product, PriceVersion version) {
        var price = version.price();
        return List.of(
                store.id().value(),
                channel.value(),
                product.value(),
                "",
                "",
                version.effectiveDate().toString(),
                price == null ? "" : price.amount().toPlainString(),
                price == null ? "" : price.currency().getCurrencyCode());
    }

    private static List<String> row(Price price, String product, String combo, String option) {
        return List.of(
                price.store().id().value(),
                price.channel().value(),
                product,
                combo,
                option,
                price.effectiveDate().toString(),
                price.price().amount().toPlainString(),
                price.price().currency().getCurrencyCode());
    }
}
