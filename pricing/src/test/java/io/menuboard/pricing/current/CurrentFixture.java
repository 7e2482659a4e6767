package io.menuboard.pricing.current;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;

/** Prices in effect on a test's own table, wired as {@link CurrentFactory} does. */
public final class CurrentFixture {
    /** Longer than any test takes. */
    static final Duration MAX_AGE = Duration.ofMinutes(1);

    private CurrentFixture() {}

    public static Menus menus(ChangesFixture fixture) {
        return menus(fixture, fixture.revisions, fixture.clock);
    }

    /** Those of another instance, which hears of no change. */
    public static Menus menus(ChangesFixture fixture, PriceRevisions revisions, Clock clock) {
        return new Menus(fixture.stores, fixture.prices, snapshots(fixture, revisions, MAX_AGE), clock);
    }

    static CurrentPrices prices(ChangesFixture fixture, PriceRevisions revisions, Duration maxAge) {
        return prices(fixture.db, fixture, snapshots(fixture, revisions, maxAge));
    }

    static CurrentPrices prices(QueryDb db, ChangesFixture fixture, PriceSnapshots snapshots) {
        Pricing pricing = fixture.pricing;
        return new CurrentPrices(pricing, fixture.stores, fixture.prices, snapshots, new DynamoSnapshotPages(db));
    }

    public static PriceSnapshots snapshots(ChangesFixture fixture, PriceRevisions revisions, Duration maxAge) {
        return snapshots(fixture.prices, revisions, maxAge);
    }

    /** Of a table that shows each transaction as a whole. */
    static PriceSnapshots snapshots(DynamoPriceVersions versions, PriceRevisions revisions, Duration maxAge) {
        return snapshots(versions, revisions, maxAge, Duration.ZERO, Ticker.systemTicker());
    }

    /** Of a table that shows each transaction as a whole within that time. */
    public static PriceSnapshots settling(
            ChangesFixture fixture, Duration maxAge, Duration settleAfter, Ticker ticker) {
        return snapshots(fixture.prices, fixture.revisions, maxAge, settleAfter, ticker);
    }

    static PriceSnapshots snapshots(
            DynamoPriceVersions versions,
            PriceRevisions revisions,
            Duration maxAge,
            Duration settleAfter,
            Ticker ticker) {
        var config = new SnapshotsConfig(true, maxAge, settleAfter, 1L << 24);
        return new PriceSnapshots(revisions, versions, config, new SimpleMeterRegistry(), ticker);
    }

    /** Those that forget by that clock what they have kept for long. */
    static PriceSnapshots snapshots(ChangesFixture fixture, Ticker ticker) {
        return snapshots(fixture.prices, fixture.revisions, MAX_AGE, Duration.ZERO, ticker);
    }

    /** None at all. */
    static PriceSnapshots off(ChangesFixture fixture) {
        return new PriceSnapshots(
                fixture.revisions,
                fixture.prices,
                new SnapshotsConfig(false, MAX_AGE, Duration.ZERO, 1L),
                new SimpleMeterRegistry(),
                Ticker.systemTicker());
    }
}
