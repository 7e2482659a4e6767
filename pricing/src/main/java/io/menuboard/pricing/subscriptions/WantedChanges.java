package io.menuboard.pricing.subscriptions;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that somebody subscribes to: of exactly that channel, and of everything that is sold where neither products nor combos
 * are named.
 *
 * @param combos those of whose options the prices are wanted
 * @param after position after which they begin; null for now
 */
public record WantedChanges(
        StoreId store,
        Channel channel,
        Set<ProductId> products,
        Set<ComboId> combos,
        @Nullable String after) {

    public WantedChanges {
        products = Set.copyOf(products);
        combos = Set.copyOf(combos);
    }

    boolean areAll() {
        return products.isEmpty() && combos.isEmpty();
    }

    boolean isOf(PriceSubject subject) {
        return areAll()
                || switch (subject) {
                    case PriceSubject.Product(var product) -> products.contains(product);
                    case PriceSubject.Swap(var combo, var _) -> combos.contains(combo);
                };
    }
}
