package io.menuboard.pricing.changes;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.TaskWorkers;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Wires price changes. Their instants go by the clock of the table, which instances agree on. */
@Factory
final class ChangesFactory {

    @Singleton
    DynamoPriceChanges priceChanges(
            QueryDb db,
            DynamoPriceVersions prices,
            DynamoPriceHistory history,
            AuditTrail audit,
            TableClock clock,
            ChangesConfig config) {
        return new DynamoPriceChanges(db, prices, history, audit, clock, config);
    }

    @Singleton
    DynamoChangeSets dynamoChangeSets(QueryDb db, DynamoPriceHistory history, ChangesConfig config) {
        return new DynamoChangeSets(db, config.shards(), history.keptFor());
    }

    @Singleton
    DynamoChangeWrites changeWrites(
            DynamoPriceVersions prices, DynamoPriceChanges changes, DynamoPriceHistory history, TableClock clock) {
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
            DynamoPriceVersions prices,
            DynamoPriceHistory history,
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
            TaskSubmission submission,
            TaskReads tasks,
            TaskWorkers workers,
            TableClock clock,
            ChangesConfig config) {
        var keys = new IdempotencyKeys(db, "changeSets");
        return new ChangeSets(
                sets, runs, transactions, stores, keys, submission, tasks, workers, clock, new SecureRandom(), config);
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
    PeriodicJob reconciliation(PriceReconciler reconciler, ChangesConfig config) {
        return new PeriodicJob("price-batches", config.reconcileEvery(), reconciler::run);
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
    GraphQlModule changesGraphQl(
            ChangeSets sets, ChangeBatches batches, PriceHistory history, Pricing pricing) {
        return new ChangesGraphQl(sets, batches, history, pricing);
    }
}
