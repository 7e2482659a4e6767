package io.menuboard.pricing.events;

import io.menuboard.access.CurrentAccess;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Wires events of prices and their replay. */
@Factory
final class PriceEventsFactory {

    @Singleton
    @Named("priceEvents")
    @Requires(beans = PriceEvents.class)
    ChangeHandler priceAnnouncer(PriceEvents events) {
        return new PriceAnnouncer(events);
    }

    @Singleton
    PriceEventReplay priceEventReplay(
            TaskSubmission submission,
            Stores stores,
            TableClock clock,
            ReplayReceivers receivers,
            @Nullable PriceEvents events) {
        return new PriceEventReplay(submission, stores, clock, receivers, events != null);
    }

    @Singleton
    DynamoEventReplays eventReplays(QueryDb db, AuditTrail audit) {
        return new DynamoEventReplays(db, audit);
    }

    @Singleton
    PriceEventReplayRuns priceEventReplayRuns(
            Stores stores,
            Pricing pricing,
            DynamoPriceHistory history,
            DynamoEventReplays replays,
            ReplayReceivers receivers,
            TableClock clock) {
        return new PriceEventReplayRuns(stores, pricing, history, replays, receivers, clock);
    }

    @Singleton
    @Named("priceEventReplay")
    @Requires(beans = PriceEvents.class)
    TaskWork priceEventReplayWork(PriceEventReplayRuns runs, PriceEvents bus, CurrentAccess current) {
        return runs.work(bus, current);
    }

    @Singleton
    @Named("webhookReplay")
    TaskWork webhookReplayWork(PriceEventReplayRuns runs, CurrentAccess current) {
        return runs.workForWebhooks(current);
    }

    @Singleton
    GraphQlModule priceEventsGraphQl(PriceEventReplay replay) {
        return new PriceEventsGraphQl(replay);
    }
}
