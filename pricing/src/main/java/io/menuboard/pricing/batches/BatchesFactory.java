package io.menuboard.pricing.batches;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Wires batches of price changes. Their instants go by server time, which instances agree on. */
@Factory
final class BatchesFactory {

    @Singleton
    GraphQlModule storeBatchesGraphQl(ChangeBatches batches) {
        return new StoreBatchesGraphQl(batches);
    }

    @Singleton
    DynamoPendingChanges pendingChanges(QueryDb db) {
        return new DynamoPendingChanges(db);
    }

    @Singleton
    ChangeConcurrency changeConcurrency(BatchesConfig config) {
        return new ChangeConcurrency(config.shards(), config.chunksAtOnce());
    }

    @Singleton
    DynamoPriceBatches priceBatches(QueryDb db, BatchesConfig config) {
        return new DynamoPriceBatches(db, config.shards());
    }

    @Singleton
    DynamoBatchApplier batchApplier(
            QueryDb db,
            DynamoPriceBatches batches,
            DynamoPendingChanges pending,
            PriceBook book,
            PriceRevisions revisions,
            TableClock clock) {
        return new DynamoBatchApplier(db, batches, pending, book, revisions, clock);
    }

    @Singleton
    ChangeBatches changeBatches(
            DynamoBatchApplier applier,
            DynamoPriceBatches stored,
            DynamoPendingChanges pending,
            BatchedChangeSets sets,
            Stores stores,
            TableClock clock) {
        return new ChangeBatches(applier, stored, pending, sets, stores, clock);
    }

    @Singleton
    @Named("batches")
    @Requires(beans = BatchSchedules.class)
    ChangeHandler batchWaker(DynamoPriceBatches batches, BatchSchedules schedules) {
        return new BatchWaker(batches, schedules);
    }

    @Singleton
    @Requires(beans = BatchSchedules.class)
    PriceReconciler reconciler(
            ChangeBatches batches,
            DynamoPriceBatches stored,
            BatchSchedules schedules,
            BatchedChangeSets sets,
            TableClock clock,
            BatchesConfig config) {
        return new PriceReconciler(batches, stored, schedules, sets, clock, config);
    }

    @Singleton
    @Named("reconciler")
    @Requires(beans = BatchSchedules.class)
    PeriodicJob reconciliation(PriceReconciler reconciler, BatchesConfig config) {
        return new PeriodicJob("price-batches", config.reconcileEvery(), reconciler::run);
    }

    @Singleton
    GraphQlModule batchesGraphQl(ChangeBatches batches, Stores stores) {
        return new BatchesGraphQl(batches, stores);
    }
}
