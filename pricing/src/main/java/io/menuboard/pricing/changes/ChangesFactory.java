package io.menuboard.pricing.changes;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
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
    PriceBook priceBook(Stores stores, DynamoPriceVersions versions, DynamoPriceHistory history) {
        return new PriceBook(stores, versions, history);
    }

    @Singleton
    ChangeSetIds changeSetIds(TableClock clock) {
        return new ChangeSetIds(clock, new SecureRandom());
    }

    @Singleton
    DynamoPriceChanges priceChanges(
            QueryDb db, PriceBook book, AuditTrail audit, TableClock clock, ChangesConfig config) {
        return new DynamoPriceChanges(db, book, audit, clock, config.shards());
    }

    @Singleton
    DynamoChangeSets dynamoChangeSets(QueryDb db, DynamoPriceHistory history, ChangesConfig config) {
        return new DynamoChangeSets(db, config.shards(), history.keptFor());
    }

    @Singleton
    DynamoChangeLines dynamoChangeLines(QueryDb db, DynamoPriceHistory history) {
        return new DynamoChangeLines(db, history.keptFor());
    }

    @Singleton
    DynamoChangeWrites changeWrites(PriceBook book, DynamoPriceChanges changes, TableClock clock) {
        return new DynamoChangeWrites(book, changes, clock);
    }

    @Singleton
    ChangeSetTransactions changeSetTransactions(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoPriceChanges changes,
            DynamoChangeWrites writes,
            Stores stores,
            TableClock clock) {
        return new ChangeSetTransactions(sets, lines, changes, writes, stores, clock);
    }

    @Singleton
    ChangeSetPreviews changeSetPreviews(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoPriceChanges changes,
            PriceBook book,
            ChangeSetIds ids,
            ChangesConfig config) {
        var sources = new LineSources(sets, lines, changes, book);
        return new ChangeSetPreviews(sets, lines, sources, book, ids, config);
    }

    @Singleton
    ChunkWriter chunkWriter(
            QueryDb db,
            DynamoPriceChanges changes,
            DynamoChangeWrites writes,
            PriceBook book,
            AuditTrail audit,
            TableClock clock) {
        return new ChunkWriter(changes, writes, new DynamoPriceLoads(db, book.versions(), audit), book, clock);
    }

    @Singleton
    ChangeSetRuns changeSetRuns(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            ChangeSetPreviews previews,
            ChunkWriter writer,
            TableClock clock,
            ChangesConfig config) {
        return new ChangeSetRuns(sets, lines, previews, new ChunkRunner(lines, config.chunksAtOnce()), writer, clock);
    }

    @Singleton
    @Named("prices")
    TaskWork changeSetWork(ChangeSetRuns runs) {
        return runs.work();
    }

    @Singleton
    ChangeSetTasks changeSetTasks(
            TaskSubmission submission,
            TaskReads tasks,
            TaskWorkers workers,
            ChangeSetRuns runs,
            DynamoChangeSets sets,
            ChangesConfig config) {
        return new ChangeSetTasks(submission, tasks, workers, runs, sets, config.inline());
    }

    @Singleton
    ChangeSetDrafts changeSetDrafts(
            QueryDb db,
            DynamoChangeSets sets,
            ChangeSetPreviews previews,
            ChangeSetTasks tasks,
            ChangeSetIds ids,
            ChangesConfig config) {
        return new ChangeSetDrafts(sets, previews, tasks, new IdempotencyKeys(db, "changeSets"), ids, config);
    }

    @Singleton
    ChangeSets changeSets(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            ChangeSetTransactions transactions,
            ChangeSetTasks tasks,
            Stores stores,
            TableClock clock) {
        return new ChangeSets(sets, lines, transactions, tasks, stores, clock);
    }

    @Singleton
    ChangeSetLines changeSetLines(DynamoChangeSets sets, DynamoChangeLines lines, Stores stores, TableClock clock) {
        return new ChangeSetLines(sets, lines, stores, clock);
    }

    @Singleton
    ChangeBatches changeBatches(
            DynamoPriceChanges changes, DynamoChangeSets sets, Stores stores, TableClock clock, ChangesConfig config) {
        return new ChangeBatches(changes, sets, stores, clock, config);
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
            ChangeSetDrafts drafts,
            ChangeSets sets,
            ChangeSetLines lines,
            ChangeBatches batches,
            PriceHistory history,
            Pricing pricing) {
        return new ChangesGraphQl(drafts, sets, lines, batches, history, pricing);
    }
}
