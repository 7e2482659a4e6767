package io.menuboard.pricing;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** The use cases on a test's own table, wired as {@link PricingFactory} does. */
record PricingFixture(QueryDb db, Stores stores, Pricing pricing) {
    static final Instant NOW = Instant.parse("2026-06-15T12:00:00Z");

    static PricingFixture on(FreshTable table) {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        var db = table.queryDb(clock);
        var stores = new Stores(new DynamoStores(db), Duration.ofMinutes(1));
        return new PricingFixture(db, stores, new Pricing(stores, prices(db, stores, clock), clock));
    }

    static DynamoPrices prices(QueryDb db, Stores stores, Clock clock) {
        return new DynamoPrices(
                db, stores, new PriceHistory(db, stores, Duration.ofDays(1_095)), clock, Duration.ofDays(35));
    }
}
