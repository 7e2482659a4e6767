package io.menuboard.pricing;

import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.util.List;

/** Prices that stores have from the beginning, as a first load leaves them. */
public final class LoadedPrices {
    private LoadedPrices() {}

    public static void load(QueryDb db, List<? extends Price> prices) {
        db.saveBatch(prices.stream()
                        .map(price -> new Save(
                                DynamoPriceVersions.item(
                                        price.store().id(),
                                        price.channel(),
                                        subject(price),
                                        price.effectiveDate(),
                                        price.price()),
                                SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    private static PriceSubject subject(Price price) {
        return switch (price) {
            case BasePrice base -> new PriceSubject.Product(base.product());
            case SwapPrice swap -> new PriceSubject.Swap(swap.combo(), swap.option());
        };
    }
}
