package io.menuboard.pricing;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.feed.FeedListener;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Set;

/** Wires pricing. Prices in effect go by server time, as their changes do. */
@Factory
final class PricingFactory {

    @Singleton
    Stores stores(QueryDb db, AuditTrail audit, DynamoPriceVersions versions, TableClock clock, PricingConfig config) {
        return new Stores(new DynamoStores(db, audit), versions, clock, config.storesRemembered());
    }

    @Singleton
    @Named("stores")
    FeedListener storesFeed(Stores stores) {
        return new FeedListener() {
            @Override
            public Set<String> types() {
                return Set.of(DynamoStores.TYPE);
            }

            @Override
            public void changed(ChangeRecord record) {
                stores.forget(DynamoStores.idIn(record.key().partition()));
            }
        };
    }

    @Singleton
    DynamoPriceVersions priceVersions(QueryDb db, PriceRetentionConfig retention) {
        return new DynamoPriceVersions(db, retention.supersededKept());
    }

    @Singleton
    DynamoPriceHistory dynamoPriceHistory(QueryDb db, PriceRetentionConfig retention) {
        return new DynamoPriceHistory(db, retention.historyKept());
    }

    @Singleton
    DynamoPriceAudit priceAudit(AuditTrail audit) {
        return new DynamoPriceAudit(audit);
    }

    @Singleton
    PriceBook priceBook(
            Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history, DynamoPriceAudit audit) {
        return new PriceBook(stores, versions, history, audit);
    }

    @Singleton
    PriceHistory priceHistory(DynamoPriceHistory history, Stores stores) {
        return new PriceHistory(history, stores);
    }

    @Singleton
    DynamoPrices prices(
            QueryDb db, Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history, TableClock clock) {
        return new DynamoPrices(db, stores, versions, history, clock, Consistency.EVENTUAL);
    }

    @Singleton
    Pricing pricing(Stores stores, DynamoPrices prices, TableClock clock) {
        return new Pricing(stores, prices, clock);
    }

    @Singleton
    GraphQlModule storesGraphQl(Stores stores) {
        return new StoresGraphQl(stores);
    }

    @Singleton
    GraphQlModule pricingGraphQl(Stores stores, Pricing pricing, PriceHistory history) {
        return new PricingGraphQl(stores, pricing, history);
    }
}
