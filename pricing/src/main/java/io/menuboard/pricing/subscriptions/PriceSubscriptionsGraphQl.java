package io.menuboard.pricing.subscriptions;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.ProductId;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/** Subscriptions of {@code price-changes.graphqls} to the use case. */
final class PriceSubscriptionsGraphQl implements GraphQlModule {
    private final PriceSubscriptions subscriptions;

    PriceSubscriptionsGraphQl(PriceSubscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("price-changes");
        parts.subscription("priceChanges", this::changes);
        parts.object("PriceChanged", PriceChange.class)
                .field("startsAt", PriceChange::at)
                .reference("changeSet", "ChangeSet", PriceSubscriptionsGraphQl::key)
                .field("changeSetKey", PriceSubscriptionsGraphQl::key);
    }

    private static @Nullable String key(PriceChange change) {
        return change.changeSet() == null ? null : change.changeSet().value();
    }

    private Publisher<PriceChanges> changes(Arguments args) {
        return FlowAdapters.toPublisher(subscriptions.changes(
                args.access(),
                new WantedChanges(
                        PricingInput.store(args), PricingInput.channel(args), products(args), args.find("after"))));
    }

    private static Set<String> products(Arguments args) {
        var keys = args.keys("products", PricingInput.PRODUCT);
        if (args.find("products") != null && keys.isEmpty()) {
            throw new InvalidInput("INVALID_FILTER", "products", "must name at least one product");
        }
        var products = new HashSet<String>();
        for (var i = 0; i < keys.size(); i++) {
            var key = keys.get(i);
            products.add(
                    Arguments.named("products." + i, () -> new ProductId(key)).value());
        }
        return products;
    }
}
