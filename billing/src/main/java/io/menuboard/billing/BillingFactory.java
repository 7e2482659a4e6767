package io.menuboard.billing;

import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.PeriodicWork;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableClock;
import io.menuboard.tasks.TaskWork;
import io.menuboard.tasks.Tasks;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Wires billing. Its instants go by the clock of the table, which instances agree on. Reports need somewhere to be. */
@Factory
final class BillingFactory {

    @Singleton
    DynamoTransactions transactions(QueryDb db, TableClock clock, BillingConfig config) {
        return new DynamoTransactions(db, clock, new SecureRandom(), config.shards(), config.slots());
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
    DynamoQuarters quarters(QueryDb db) {
        return new DynamoQuarters(db);
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
    @Requires(beans = ReportFiles.class)
    LedgerLines ledgerLines(
            DynamoTransactions transactions,
            DynamoQuarters quarters,
            CommissionRules rules,
            ReportFiles files,
            BillingConfig config) {
        return new LedgerLines(
                transactions, quarters, rules, files, config.lookBack().dividedBy(Quarter.LENGTH));
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
    Reports reports(DynamoRuns runs, DynamoQuarters quarters, LedgerLines lines, ReportFiles files) {
        return new Reports(runs, quarters, lines, files);
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
}
