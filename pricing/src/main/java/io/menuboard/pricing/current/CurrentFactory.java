package io.menuboard.pricing.current;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires prices in effect. Those go by server time, which instances agree on. */
@Factory
final class CurrentFactory {

    @Singleton
    PriceSnapshots priceSnapshots(
            PriceRevisions revisions, PriceBook book, SnapshotsConfig config, MeterRegistry registry) {
        return new PriceSnapshots(revisions, book.versions(), config, registry, Ticker.systemTicker());
    }

    @Singleton
    CurrentPrices currentPrices(Pricing pricing, PriceBook book, PriceSnapshots snapshots, QueryDb db) {
        return new CurrentPrices(pricing, book.stores(), book.versions(), snapshots, new DynamoSnapshotPages(db));
    }

    @Singleton
    GraphQlModule currentPricesGraphQl(CurrentPrices prices, PriceBook book) {
        return new CurrentPricesGraphQl(prices, book.stores());
    }

    @Singleton
    Menus menus(PriceBook book, PriceSnapshots snapshots, TableClock clock) {
        return new Menus(book.stores(), book.versions(), snapshots, clock);
    }

    @Singleton
    GraphQlModule menusGraphQl(Menus menus, CurrentPrices prices) {
        return new MenusGraphQl(menus, prices);
    }
}
