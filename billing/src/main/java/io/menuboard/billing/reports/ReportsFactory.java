package io.menuboard.billing.reports;

import io.menuboard.access.CurrentAccess;
import io.menuboard.billing.transactions.ArrivedTransactions;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.DynamoQuarterCounters;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.workers.TaskWork;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Wires reports, which need somewhere to be. Their instants go by the clock of the table, which instances agree on. */
@Factory
final class ReportsFactory {

    @Singleton
    DynamoCheckpoint dynamoCheckpoint(QueryDb db, AuditTrail audit, ReportsConfig config) {
        return new DynamoCheckpoint(db, audit, config.interval());
    }

    @Singleton
    DynamoRuns dynamoRuns(QueryDb db, AuditTrail audit) {
        return new DynamoRuns(db, audit);
    }

    @Singleton
    DynamoRunVersions versions(QueryDb db) {
        return new DynamoRunVersions(db);
    }

    @Singleton
    DynamoQuarters quarters(QueryDb db, DynamoQuarterCounters counters) {
        return new DynamoQuarters(db, counters);
    }

    @Singleton
    ReportSchedule schedule(
            DynamoCheckpoint checkpoint, DynamoQuarterCounters counters, TableClock clock, ReportsConfig config) {
        return new ReportSchedule(checkpoint, counters, clock, config);
    }

    @Singleton
    LookBack lookBack(DynamoCheckpoint checkpoint, DynamoQuarters quarters, ReportsConfig config) {
        return new LookBack(checkpoint, quarters, config);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    RunMaker runMaker(
            DynamoRunVersions versions,
            DynamoQuarters quarters,
            ArrivedTransactions arrived,
            CommissionRules rules,
            ReportFiles files,
            LookBack lookBack,
            TableClock clock) {
        var lines = new LedgerLines(arrived, quarters, rules, files, lookBack);
        return new RunMaker(versions, quarters, lines, files, clock);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    RunTasks runTasks(
            DynamoRuns runs, TaskSubmission submission, TaskReads tasks, CurrentAccess current, TableClock clock) {
        return new RunTasks(runs, submission, tasks, current, clock);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    ReportRuns reportRuns(
            DynamoRuns runs,
            DynamoRunVersions versions,
            RunTasks tasks,
            ReportSchedule schedule,
            LookBack lookBack,
            TableClock clock) {
        return new ReportRuns(runs, new VisibleRuns(runs, versions), tasks, schedule, lookBack, clock);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    Reports reports(
            DynamoRuns runs,
            DynamoRunVersions versions,
            DynamoCheckpoint checkpoint,
            DynamoQuarters quarters,
            @Named("downloads") ReportFiles files) {
        return new Reports(runs, versions, checkpoint, quarters, files);
    }

    @Singleton
    @Requires(beans = ReportFiles.class)
    Reconciliations reconciliations(DynamoCheckpoint checkpoint, DynamoQuarters quarters) {
        return new Reconciliations(checkpoint, quarters);
    }

    @Singleton
    @Named("billing")
    @Requires(beans = ReportFiles.class)
    TaskWork work(DynamoRuns runs, RunMaker maker, CurrentAccess current) {
        return new RunWork(runs, maker, current).work();
    }

    @Singleton
    @Named("billing")
    @Requires(beans = ReportFiles.class)
    PeriodicJob periodically(ReportRuns runs, ReportsConfig config) {
        return new PeriodicJob("billing", config.checkEvery(), runs::due);
    }

    @Singleton
    GraphQlModule reportsGraphQl(
            Transactions transactions,
            @Nullable ReportRuns runs,
            @Nullable Reports reports,
            @Nullable Reconciliations reconciliations) {
        return new ReportsGraphQl(transactions, runs, reports, reconciliations);
    }

    @Singleton
    GraphQlModule reportMutationsGraphQl(@Nullable ReportRuns runs) {
        return new ReportMutationsGraphQl(runs);
    }

    @Singleton
    @Named("billingLookBack")
    SharedSetting billingLookBack(ReportsConfig config) {
        return SharedSetting.equal("menuboard.billing.look-back", config.lookBack());
    }
}
