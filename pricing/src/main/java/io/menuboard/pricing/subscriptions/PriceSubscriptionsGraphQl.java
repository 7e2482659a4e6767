package io.menuboard.pricing.subscriptions;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GlobalId;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.ProductId;
import java.util.HashSet;
import java.util.List;
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
        parts.object("PriceChanges", PriceChanges.class).field("startsAt", PriceChanges::at);
        parts.object("PriceChanged", PriceChange.class)
                .field("startsAt", PriceChange::at)
                .reference("changeSet", "ChangeSet", PriceSubscriptionsGraphQl::key)
                .field("changeSetKey", PriceSubscriptionsGraphQl::key);
    }

    private static @Nullable String key(PriceChange change) {
        return change.changeSet() == null ? null : change.changeSet().value();
    }

    private Publisher<PriceChanges> changes(Arguments args) {
        return FlowAdapters.toPublisher(subscriptions.changes(args.access(), wanted(args)));
    }

    private static WantedChanges wanted(Arguments args) {
        var ids = args.<List<String>>get("products", List.of());
        if (args.find("products") != null && ids.isEmpty()) {
            throw new InvalidInput("INVALID_FILTER", "products", "must name at least one product");
        }
        var products = new HashSet<ProductId>();
        var combos = new HashSet<ComboId>();
        for (var i = 0; i < ids.size(); i++) {
            for (var id : named(ids.get(i))) {
                Arguments.named("products." + i, () -> switch (id.type()) {
                    case PricingInput.PRODUCT -> products.add(new ProductId(id.key()));
                    case PricingInput.COMBO -> combos.add(new ComboId(id.key()));
                    default ->
                        throw new InvalidInput("INVALID_ID", "products", "must be the id of a Product or a Combo");
                });
            }
        }
        return new WantedChanges(
                PricingInput.store(args), PricingInput.channel(args), products, combos, args.find("after"));
    }

    /** What a text names: a key alone may be that of a product or of a combo. */
    private static List<GlobalId> named(String text) {
        return GlobalId.parse(text)
                .map(List::of)
                .orElseGet(() ->
                        List.of(new GlobalId(PricingInput.PRODUCT, text), new GlobalId(PricingInput.COMBO, text)));
    }
}
