package io.menuboard.pricing.subscriptions;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that somebody subscribes to: of exactly that channel.
 *
 * @param products ids of products, and of combos for swap prices; empty for all
 * @param after position after which they begin; null for now
 */
public record WantedChanges(
        StoreId store,
        Channel channel,
        Set<String> products,
        @Nullable String after) {

    public WantedChanges {
        products = Set.copyOf(products);
    }

    boolean isOf(PriceSubject subject) {
        return products.isEmpty()
                || products.contains(
                        switch (subject) {
                            case PriceSubject.Product(var product) -> product.value();
                            case PriceSubject.Swap(var combo, var _) -> combo.value();
                        });
    }
}
