package io.menuboard.pricing;

import graphql.schema.GraphQLScalarType;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.PageLimits;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Wires pricing. What a price is now goes by the clock of the table, as the changes of prices do. */
@Factory
final class PricingFactory {

    @Singleton
    Stores stores(QueryDb db, PricingConfig config) {
        return new Stores(new DynamoStores(db), config.storesRemembered());
    }

    @Singleton
    DynamoPrices prices(QueryDb db, Stores stores, PriceHistory history, TableClock clock, ChangesConfig changes) {
        return new DynamoPrices(db, stores, history, clock, changes.supersededKept());
    }

    @Singleton
    Pricing pricing(Stores stores, DynamoPrices prices, TableClock clock) {
        return new Pricing(stores, prices, clock);
    }

    @Singleton
    PricingGraphQl pricingGraphQl(Stores stores, Pricing pricing, PageLimits limits) {
        return new PricingGraphQl(stores, pricing, limits);
    }

    @Singleton
    @Named("pricingQuery")
    TypeRuntimeWiring query(PricingGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("storeConnection")
    TypeRuntimeWiring storeConnection() {
        return PricingGraphQl.connection("StoreConnection");
    }

    @Singleton
    @Named("basePriceConnection")
    TypeRuntimeWiring basePriceConnection() {
        return PricingGraphQl.connection("BasePriceConnection");
    }

    @Singleton
    @Named("swapPriceConnection")
    TypeRuntimeWiring swapPriceConnection() {
        return PricingGraphQl.connection("SwapPriceConnection");
    }

    @Singleton
    @Named("priceVersionConnection")
    TypeRuntimeWiring priceVersionConnection() {
        return PricingGraphQl.connection("PriceVersionConnection");
    }

    @Singleton
    @Named("effectiveDate")
    GraphQLScalarType effectiveDate() {
        return PricingGraphQl.EFFECTIVE_DATE;
    }
}
