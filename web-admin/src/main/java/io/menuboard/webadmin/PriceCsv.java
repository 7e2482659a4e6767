package io.menuboard.webadmin;

import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ImportKind;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.SwapPrice;
import java.util.List;

/** A price as a row of the file that the import reads, in the order of {@link ImportKind#PRICES}. */
final class PriceCsv {
    private PriceCsv() {}

    static List<String> row(Price price) {
        return switch (price) {
            case BasePrice base -> row(base, base.product().value(), "", "");
            case SwapPrice swap ->
                row(swap, "", swap.combo().value(), swap.option().value());
        };
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
