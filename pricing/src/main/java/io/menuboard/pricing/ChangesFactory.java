package io.menuboard.pricing;

import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.PageLimits;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.PeriodicWork;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.TaskWorkers;
import io.menuboard.tasks.Tasks;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** Wires price changes. Their instants go by the clock of the table, which instances agree on. */
@Factory
final class ChangesFactory {

    @Singleton
    PriceHistory priceHistory(QueryDb db, Stores stores, ChangesConfig config) {
        return new PriceHistory(db, stores, config.historyKept());
    }

    @Singleton
    DynamoPriceChanges priceChanges(
            QueryDb db,
            DynamoPrices prices,
            PriceHistory history,
            AuditTrail audit,
            TableClock clock,
            ChangesConfig config) {
        return new DynamoPriceChanges(db, prices, history, audit, clock, config);
    }

    @Singleton
    DynamoChangeSets dynamoChangeSets(QueryDb db, ChangesConfig config) {
        return new DynamoChangeSets(db, config.shards(), config.historyKept());
    }

    @Singleton
    DynamoChangeWrites changeWrites(
            DynamoPrices prices, DynamoPriceChanges changes, PriceHistory history, TableClock clock) {
        return new DynamoChangeWrites(prices, changes, history, clock);
    }

    @Singleton
    ChangeSetTransactions changeSetTransactions(
            DynamoChangeSets sets,
            DynamoPriceChanges changes,
            DynamoChangeWrites writes,
            Stores stores,
            TableClock clock) {
        return new ChangeSetTransactions(sets, changes, writes, stores, clock);
    }

    @Singleton
    ChangeSetRuns changeSetRuns(
            QueryDb db,
            DynamoChangeSets sets,
            DynamoPriceChanges changes,
            DynamoChangeWrites writes,
            ChangeSetTransactions transactions,
            DynamoPrices prices,
            PriceHistory history,
            Stores stores,
            AuditTrail audit,
            TableClock clock,
            ChangesConfig config) {
        var loads = new DynamoPriceLoads(db, prices, audit);
        return new ChangeSetRuns(
                sets, changes, writes, loads, transactions, prices, history, stores, clock, new SecureRandom(), config);
    }

    @Singleton
    @Named("prices")
    TaskWork changeSetWork(ChangeSetRuns runs) {
        return runs.work();
    }

    @Singleton
    ChangeSets changeSets(
            DynamoChangeSets sets,
            ChangeSetRuns runs,
            ChangeSetTransactions transactions,
            Stores stores,
            QueryDb db,
            Tasks tasks,
            TaskWorkers workers,
            TableClock clock,
            ChangesConfig config) {
        var keys = new IdempotencyKeys(db, "changeSets");
        return new ChangeSets(
                sets, runs, transactions, stores, keys, tasks, workers, clock, new SecureRandom(), config);
    }

    @Singleton
    ChangeBatches changeBatches(
            DynamoPriceChanges changes, ChangeSetRuns runs, Stores stores, TableClock clock, ChangesConfig config) {
        return new ChangeBatches(changes, runs, stores, clock, config);
    }

    @Singleton
    @Named("changeShards")
    SharedSetting shards(ChangesConfig config) {
        return SharedSetting.neverLowered("menuboard.pricing.changes.shards", config.shards());
    }

    @Singleton
    @Named("reconciler")
    @Requires(beans = BatchSchedules.class)
    PeriodicWork reconciliation(PriceReconciler reconciler, ChangesConfig config) {
        return new PeriodicWork("price-batches", config.reconcileEvery(), reconciler::run);
    }

    @Singleton
    @Requires(beans = BatchSchedules.class)
    PriceReconciler reconciler(
            ChangeBatches batches, ChangeSets sets, BatchSchedules schedules, TableClock clock, ChangesConfig config) {
        return new PriceReconciler(batches, sets, schedules, clock, config.reconcileEvery());
    }

    @Singleton
    @Named("batches")
    @Requires(beans = BatchSchedules.class)
    ChangeHandler batchWaker(DynamoPriceChanges changes, BatchSchedules schedules) {
        return new BatchWaker(changes, schedules);
    }

    @Singleton
    @Named("priceEvents")
    @Requires(beans = PriceEvents.class)
    ChangeHandler priceAnnouncer(PriceEvents events) {
        return new PriceAnnouncer(events);
    }

    @Singleton
    PriceEventReplay priceEventReplay(
            Tasks tasks,
            Stores stores,
            DynamoPrices prices,
            PriceHistory history,
            QueryDb db,
            AuditTrail audit,
            TableClock clock,
            @Nullable PriceEvents events) {
        return new PriceEventReplay(tasks, stores, prices, history, new DynamoEventReplays(db, audit), clock, events);
    }

    @Singleton
    @Named("priceEventReplay")
    @Requires(beans = PriceEvents.class)
    TaskWork priceEventReplayWork(PriceEventReplay replay) {
        return replay.work();
    }

    @Singleton
    @Named("priceEventReplayMutation")
    TypeRuntimeWiring priceEventReplayMutation(PriceEventReplay replay) {
        return new PriceEventsGraphQl(replay).mutation();
    }

    @Singleton
    ChangesGraphQl changesGraphQl(
            ChangeSets sets, ChangeBatches batches, PriceHistory history, Pricing pricing, PageLimits limits) {
        return new ChangesGraphQl(sets, batches, history, pricing, limits);
    }

    @Singleton
    @Named("changesQuery")
    TypeRuntimeWiring query(ChangesGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("changesMutation")
    TypeRuntimeWiring mutation(ChangesGraphQl graphQl) {
        return graphQl.mutation();
    }

    @Singleton
    @Named("changeSet")
    TypeRuntimeWiring changeSet(ChangesGraphQl graphQl) {
        return graphQl.changeSet();
    }

    @Singleton
    @Named("priceSubject")
    TypeRuntimeWiring subject(ChangesGraphQl graphQl) {
        return graphQl.subject();
    }

    @Singleton
    @Named("scheduledBatch")
    TypeRuntimeWiring batch(ChangesGraphQl graphQl) {
        return graphQl.batch();
    }

    @Singleton
    @Named("changeSetConnection")
    TypeRuntimeWiring changeSetConnection() {
        return PricingGraphQl.connection("ChangeSetConnection");
    }

    @Singleton
    @Named("changeLineConnection")
    TypeRuntimeWiring changeLineConnection() {
        return PricingGraphQl.connection("ChangeLineConnection");
    }

    @Singleton
    @Named("priceChangeConnection")
    TypeRuntimeWiring priceChangeConnection() {
        return PricingGraphQl.connection("PriceChangeConnection");
    }

    @Singleton
    @Named("priceHistoryConnection")
    TypeRuntimeWiring priceHistoryConnection() {
        return PricingGraphQl.connection("PriceHistoryConnection");
    }
}
