package io.menuboard.billing;

import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.PageLimits;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.PeriodicWork;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.Tasks;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** Wires billing. Its instants go by the clock of the table, which instances agree on. Reports need somewhere to be. */
@Factory
final class BillingFactory {

    @Singleton
    DynamoTransactions transactions(QueryDb db, TableClock clock, BillingConfig config) {
        return new DynamoTransactions(db, clock, new SecureRandom(), config);
    }

    @Singleton
    CommissionRules commissionRules(QueryDb db, AuditTrail audit) {
        return new CommissionRules(db, audit);
    }

    @Singleton
    DynamoRuns runs(QueryDb db, AuditTrail audit, BillingConfig config) {
        return new DynamoRuns(db, audit, config.interval());
    }

    @Singleton
    DynamoQuarters quarters(QueryDb db, BillingConfig config) {
        return new DynamoQuarters(db, config);
    }

    @Singleton
    Billing billing(
            DynamoTransactions transactions,
            CommissionRules rules,
            DynamoRuns runs,
            QueryDb db,
            TableClock clock,
            BillingConfig config) {
        return new Billing(transactions, rules, runs, new Agencies(db), clock, config);
    }

    @Singleton
    TransactionFile transactionFile(Billing billing, BillingConfig config) {
        return new TransactionFile(billing, config);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    LedgerLines ledgerLines(
            DynamoTransactions transactions, DynamoQuarters quarters, CommissionRules rules, ReportFiles files) {
        return new LedgerLines(transactions, quarters, rules, files);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    ReportRuns reportRuns(
            DynamoRuns runs,
            DynamoQuarters quarters,
            LedgerLines lines,
            ReportFiles files,
            Tasks tasks,
            TableClock clock,
            BillingConfig config) {
        return new ReportRuns(runs, quarters, lines, files, tasks, clock, config);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    Reports reports(DynamoRuns runs, DynamoQuarters quarters, @Named("downloads") ReportFiles files) {
        return new Reports(runs, quarters, files);
    }

    @Singleton
    @Named("billing")
    @Requires(beans = ReportFiles.class)
    TaskWork work(ReportRuns runs) {
        return runs.work();
    }

    @Singleton
    @Named("billing")
    @Requires(beans = ReportFiles.class)
    PeriodicWork schedule(ReportRuns runs, BillingConfig config) {
        return new PeriodicWork("billing", config.checkEvery(), runs::due);
    }

    @Singleton
    BillingGraphQl billingGraphQl(
            Billing billing,
            CommissionRules rules,
            @Nullable ReportRuns runs,
            @Nullable Reports reports,
            PageLimits limits) {
        return new BillingGraphQl(billing, rules, runs, reports, limits);
    }

    @Singleton
    @Named("billingShards")
    SharedSetting billingShards(BillingConfig config) {
        return SharedSetting.neverLowered("menuboard.billing.shards", config.shards());
    }

    @Singleton
    @Named("billingSlots")
    SharedSetting billingSlots(BillingConfig config) {
        return SharedSetting.neverLowered("menuboard.billing.slots", config.slots());
    }

    @Singleton
    @Named("billingLookBack")
    SharedSetting billingLookBack(BillingConfig config) {
        return SharedSetting.equal("menuboard.billing.look-back", config.lookBack());
    }

    @Singleton
    @Named("billingQuery")
    TypeRuntimeWiring billingQuery(BillingGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("billingMutation")
    TypeRuntimeWiring billingMutation(BillingGraphQl graphQl) {
        return graphQl.mutation();
    }

    @Singleton
    @Named("billableTransaction")
    TypeRuntimeWiring billableTransaction(BillingGraphQl graphQl) {
        return graphQl.transaction();
    }

    @Singleton
    @Named("agency")
    TypeRuntimeWiring agency() {
        return BillingGraphQl.agency();
    }

    @Singleton
    @Named("billingCheckpoint")
    TypeRuntimeWiring billingCheckpoint(BillingGraphQl graphQl) {
        return graphQl.checkpoint();
    }

    @Singleton
    @Named("reportRun")
    TypeRuntimeWiring reportRun(BillingGraphQl graphQl) {
        return graphQl.reportRun();
    }

    @Singleton
    @Named("quarterReconciliation")
    TypeRuntimeWiring quarterReconciliation() {
        return BillingGraphQl.reconciliation();
    }

    @Singleton
    @Named("billableTransactionConnection")
    TypeRuntimeWiring billableTransactionConnection() {
        return BillingGraphQl.connection("BillableTransactionConnection");
    }

    @Singleton
    @Named("agencyConnection")
    TypeRuntimeWiring agencyConnection() {
        return BillingGraphQl.connection("AgencyConnection");
    }

    @Singleton
    @Named("commissionRuleConnection")
    TypeRuntimeWiring commissionRuleConnection() {
        return BillingGraphQl.connection("CommissionRuleConnection");
    }

    @Singleton
    @Named("reportRunConnection")
    TypeRuntimeWiring reportRunConnection() {
        return BillingGraphQl.connection("ReportRunConnection");
    }

    @Singleton
    @Named("agencyTotalsConnection")
    TypeRuntimeWiring agencyTotalsConnection() {
        return BillingGraphQl.connection("AgencyTotalsConnection");
    }

    @Singleton
    @Named("reportLineConnection")
    TypeRuntimeWiring reportLineConnection() {
        return BillingGraphQl.connection("ReportLineConnection");
    }
}
