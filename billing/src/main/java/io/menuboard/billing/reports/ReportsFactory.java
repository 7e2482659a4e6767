package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.ArrivedTransactions;
import io.menuboard.billing.transactions.BillingStart;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.graphql.GraphQlModule;
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
    GraphQlModule reportsGraphQl(@Nullable ReportRuns runs, @Nullable Reports reports) {
        return new ReportsGraphQl(runs, reports);
    }

    @Singleton
    @Named("billingLookBack")
    SharedSetting billingLookBack(ReportsConfig config) {
        return SharedSetting.equal("menuboard.billing.look-back", config.lookBack());
    }
}
