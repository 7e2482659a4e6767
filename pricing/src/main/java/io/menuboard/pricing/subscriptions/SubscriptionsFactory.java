package io.menuboard.pricing.subscriptions;

import io.menuboard.access.CurrentAccess;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.batches.BatchedChangeSets;
import io.menuboard.pricing.current.PriceSnapshots;
import io.menuboard.pricing.revisions.DynamoPriceLog;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires subscriptions. Those go by server time, which instances agree on. */
@Factory
final class SubscriptionsFactory {

    @Singleton
    MissedChanges missedChanges(
            PriceRevisions revisions,
            DynamoPriceLog priceLog,
            PriceSnapshots snapshots,
            PriceBook book,
            BatchedChangeSets sets,
            TableClock clock) {
        return new MissedChanges(revisions, priceLog, snapshots, book.versions(), sets, clock);
    }

    @Singleton
    PriceWatches priceWatches(
            MissedChanges changes,
            PriceRevisions revisions,
            PriceBook book,
            SubscriptionsConfig config,
            TableClock clock) {
        var watches = new PriceWatches(new PriceWatch.Around(changes, book.stores(), clock, config.poll()));
        revisions.onForget(watches::wake);
        return watches;
    }

    @Singleton
    @Bean(preDestroy = "close")
    PriceSubscriptions priceSubscriptions(
            PriceBook book,
            PriceWatches watches,
            PriceSnapshots snapshots,
            CurrentAccess current,
            SubscriptionsConfig config,
            MeterRegistry registry) {
        return new PriceSubscriptions(
                book.stores(), watches, current, snapshots.areEnabled() ? config : config.off(), registry);
    }

    @Singleton
    GraphQlModule priceSubscriptionsGraphQl(PriceSubscriptions subscriptions) {
        return new PriceSubscriptionsGraphQl(subscriptions);
    }
}
