package io.menuboard.pricing;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import java.util.List;

/** Stores of {@code pricing.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class StoresGraphQl implements GraphQlModule {
    private final Stores stores;

    StoresGraphQl(Stores stores) {
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("store", args -> stores.find(
                        Arguments.named("id", () -> new StoreId(args.key("id", PricingInput.STORE))))
                .orElse(null));
        parts.query("stores", args -> stores.list(args.find("search"), args.page()));
        parts.node(
                        PricingInput.STORE,
                        Store.class,
                        store -> store.id().value(),
                        NodeReader.of(
                                StoreId::new,
                                ids -> List.copyOf(stores.findAll(ids).values()),
                                store -> store.id().value()))
                .field("key", store -> store.id().value());
        parts.object("Address", Address.class)
                .field("country", address -> address.country().isEmpty() ? null : address.country());
    }
}
