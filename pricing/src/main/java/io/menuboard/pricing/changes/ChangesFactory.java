package io.menuboard.pricing.changes;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.People;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.approvals.DynamoApprovalQueue;
import io.menuboard.pricing.batches.ChangeConcurrency;
import io.menuboard.pricing.batches.DynamoBatchApplier;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.chunks.ChunkPlans;
import io.menuboard.pricing.chunks.DynamoPriceLoads;
import io.menuboard.pricing.revisions.DynamoPriceLog;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires price changes. Their instants go by server time, which instances agree on. */
@Factory
final class ChangesFactory {
    private static final Logger log = LoggerFactory.getLogger(ChangesFactory.class);

    @Singleton
    ChangeSetIds changeSetIds(TableClock clock) {
        return new ChangeSetIds(clock, new SecureRandom());
    }

    @Singleton
    DynamoChangeSets dynamoChangeSets(
            QueryDb db, DynamoPriceHistory history, ChangeConcurrency concurrency, AuditTrail audit, TableClock clock) {
        return new DynamoChangeSets(
                db, concurrency.shards(), history.keptFor(), new DynamoChangeSetAudit(audit, clock));
    }

    @Singleton
    DynamoChangeLines dynamoChangeLines(QueryDb db, DynamoPriceHistory history) {
        return new DynamoChangeLines(db, history.keptFor());
    }

    @Singleton
    AccessibleSets accessibleSets(DynamoChangeSets sets, DynamoChangeLines lines, CurrentAccess current) {
        return new AccessibleSets(sets, lines, current);
    }

    @Singleton
    DynamoChunkTransactions chunkTransactions(
            QueryDb db,
            DynamoPriceBatches batches,
            DynamoChangeSets sets,
            PriceRevisions revisions,
            DynamoPriceLog priceLog) {
        return new DynamoChunkTransactions(db, batches, sets, revisions, priceLog);
    }

    @Singleton
    ChangeSetTransactions changeSetTransactions(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoChunkTransactions transactions,
            ChunkPlans plans,
            Stores stores,
            TableClock clock) {
        return new ChangeSetTransactions(sets, lines, transactions, plans, stores, clock);
    }

    @Singleton
    ChangeSetPreviews changeSetPreviews(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            DynamoBatchApplier batches,
            PriceBook book,
            ChangeSetIds ids,
            ChangesConfig config) {
        var sources = new LineSources(sets, lines, batches, book);
        return new ChangeSetPreviews(sets, lines, sources, book, ids, config);
    }

    @Singleton
    ChunkWriter chunkWriter(
            DynamoChunkTransactions transactions,
            ChunkPlans plans,
            DynamoPriceLoads loads,
            PriceBook book,
            TableClock clock) {
        return new ChunkWriter(transactions, plans, loads, book, clock);
    }

    @Singleton
    ChangeSetRuns changeSetRuns(
            AccessibleSets sets,
            ChangeSetPreviews previews,
            ChunkWriter writer,
            TableClock clock,
            ChangeConcurrency concurrency) {
        return new ChangeSetRuns(
                sets, previews, new ChunkRunner(sets.lines(), concurrency.chunksAtOnce()), writer, clock);
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
            AccessibleSets sets,
            ChangeSetPreviews previews,
            ChangeSetTransactions transactions,
            ChangeSetTasks tasks,
            ChangeSetIds ids) {
        return new ChangeSetDrafts(sets, previews, transactions, tasks, new IdempotencyKeys(db, "changeSets"), ids);
    }

    /** @param signIn whether people sign in: who does not cannot be a second person */
    @Singleton
    ChangeSetApprovals changeSetApprovals(
            QueryDb db,
            AccessibleSets sets,
            ChangesConfig config,
            People people,
            TableClock clock,
            @Value("${menuboard.sign-in:true}") boolean signIn) {
        var policy = config.approvals();
        if (!signIn && !policy.isNone()) {
            log.warn(
                    "menuboard.pricing.changes.approval-* is set and menuboard.sign-in is false: nobody can approve, so that"
                            + " nothing can be applied which needs approval");
        }
        return new ChangeSetApprovals(sets, new DynamoApprovalQueue(db), policy, people, clock);
    }

    @Singleton
    ChangeSets changeSets(
            AccessibleSets sets,
            ChangeSetApprovals approvals,
            ChangeSetTransactions transactions,
            ChangeSetTasks tasks,
            Stores stores,
            TableClock clock) {
        return new ChangeSets(sets, approvals, transactions, tasks, stores, clock);
    }

    @Singleton
    ChangeSetLines changeSetLines(AccessibleSets sets, Stores stores, TableClock clock) {
        return new ChangeSetLines(sets, stores, clock);
    }

    @Singleton
    @Named("changeShards")
    SharedSetting shards(ChangeConcurrency concurrency) {
        return SharedSetting.neverLowered("menuboard.pricing.changes.shards", concurrency.shards());
    }

    @Singleton
    @Named("approvalLines")
    SharedSetting approvalLines(ChangesConfig config) {
        return approval("lines", config.approvals().lines());
    }

    @Singleton
    @Named("approvalPercent")
    SharedSetting approvalPercent(ChangesConfig config) {
        return approval("percent", config.approvals().percent());
    }

    @Singleton
    @Named("approvalProducts")
    SharedSetting approvalProducts(ChangesConfig config) {
        var products = config.approvals().products();
        return approval("products", products.isEmpty() ? null : String.join(",", new TreeSet<>(products)));
    }

    /** A bound of what needs no approval: the instance that is asked to apply a set goes by its own. */
    private static SharedSetting approval(String bound, @Nullable Object value) {
        return SharedSetting.equal("menuboard.pricing.changes.approval-" + bound, value == null ? "none" : value);
    }

    @Singleton
    GraphQlModule changesGraphQl(
            ChangeSets sets,
            ChangeSetApprovals approvals,
            ChangeSetLines lines,
            PriceHistory history,
            Pricing pricing,
            Stores stores) {
        return new ChangesGraphQl(sets, approvals, lines, history, pricing, stores);
    }

    @Singleton
    GraphQlModule changeSetMutationsGraphQl(ChangeSetDrafts drafts, ChangeSets sets, ChangeSetApprovals approvals) {
        return new ChangeSetMutationsGraphQl(drafts, sets, approvals);
    }
}
