package io.menuboard.billing.reports;

import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.billing.transactions.ArrivedTransactions;
import io.menuboard.billing.transactions.BillingStart;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.PageLimits;
import io.menuboard.messaging.PeriodicWork;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskWork;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Wires reports, which need somewhere to be. Their instants go by the clock of the table, which instances agree on. */
@Factory
final class ReportsFactory {

    @Singleton
    DynamoRuns runs(QueryDb db, AuditTrail audit, ReportsConfig config) {
        return new DynamoRuns(db, audit, config.interval());
    }

    @Singleton
    BillingStart start(DynamoRuns runs, TableClock clock, ReportsConfig config) {
        return () -> runs.begin(Quarter.of(clock.instant().minus(config.lag())));
    }

    @Singleton
    DynamoQuarters quarters(QueryDb db, ArrivedTransactions arrived) {
        return new DynamoQuarters(db, arrived);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    LedgerLines ledgerLines(
            ArrivedTransactions arrived, DynamoQuarters quarters, CommissionRules rules, ReportFiles files) {
        return new LedgerLines(arrived, quarters, rules, files);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    ReportRuns reportRuns(
            DynamoRuns runs,
            DynamoQuarters quarters,
            LedgerLines lines,
            ReportFiles files,
            TaskSubmission submission,
            TaskReads tasks,
            TableClock clock,
            ReportsConfig config) {
        return new ReportRuns(runs, quarters, lines, files, submission, tasks, clock, config);
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
    PeriodicWork schedule(ReportRuns runs, ReportsConfig config) {
        return new PeriodicWork("billing", config.checkEvery(), runs::due);
    }

    @Singleton
    ReportsGraphQl reportsGraphQl(@Nullable ReportRuns runs, @Nullable Reports reports, PageLimits limits) {
        return new ReportsGraphQl(runs, reports, limits);
    }

    @Singleton
    @Named("billingLookBack")
    SharedSetting billingLookBack(ReportsConfig config) {
        return SharedSetting.equal("menuboard.billing.look-back", config.lookBack());
    }

    @Singleton
    @Named("reportsQuery")
    TypeRuntimeWiring reportsQuery(ReportsGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("reportsMutation")
    TypeRuntimeWiring reportsMutation(ReportsGraphQl graphQl) {
        return graphQl.mutation();
    }

    @Singleton
    @Named("reportedTransaction")
    TypeRuntimeWiring reportedTransaction(ReportsGraphQl graphQl) {
        return graphQl.transaction();
    }

    @Singleton
    @Named("billingCheckpoint")
    TypeRuntimeWiring billingCheckpoint(ReportsGraphQl graphQl) {
        return graphQl.checkpoint();
    }

    @Singleton
    @Named("reportRun")
    TypeRuntimeWiring reportRun(ReportsGraphQl graphQl) {
        return graphQl.reportRun();
    }

    @Singleton
    @Named("quarterReconciliation")
    TypeRuntimeWiring quarterReconciliation() {
        return ReportsGraphQl.reconciliation();
    }

    @Singleton
    @Named("reportRunConnection")
    TypeRuntimeWiring reportRunConnection() {
        return ReportsGraphQl.connection("ReportRunConnection");
    }

    @Singleton
    @Named("agencyTotalsConnection")
    TypeRuntimeWiring agencyTotalsConnection() {
        return ReportsGraphQl.connection("AgencyTotalsConnection");
    }

    @Singleton
    @Named("reportLineConnection")
    TypeRuntimeWiring reportLineConnection() {
        return ReportsGraphQl.connection("ReportLineConnection");
    }
}
