package io.menuboard.billing.transactions;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

/** Wires transactions. Their instants go by the clock of the table, which instances agree on. */
@Factory
final class TransactionsFactory {

    @Singleton
    DynamoQuarterCounters quarterCounters(QueryDb db, TransactionsConfig config) {
        return new DynamoQuarterCounters(db, new SecureRandom(), config);
    }

    @Singleton
    DynamoTransactions dynamoTransactions(
            QueryDb db, TableClock clock, DynamoQuarterCounters counters, TransactionsConfig config) {
        return new DynamoTransactions(db, clock, new SecureRandom(), counters, config.lag());
    }

    @Singleton
    CommissionRules commissionRules(QueryDb db, AuditTrail audit, TableClock clock) {
        return new DynamoCommissionRules(db, audit, clock);
    }

    @Singleton
    Transactions transactions(
            DynamoTransactions transactions,
            CommissionRules rules,
            QueryDb db,
            BillingStart reports,
            TableClock clock,
            TransactionsConfig config) {
        return new Transactions(transactions, rules, new DynamoAgencies(db), reports, clock, config.maxRecord());
    }

    @Singleton
    TransactionFile transactionFile(Transactions transactions, TransactionsConfig config) {
        return new TransactionFile(transactions, config);
    }

    @Singleton
    GraphQlModule transactionsGraphQl(Transactions transactions, CommissionRules rules) {
        return new TransactionsGraphQl(transactions, rules);
    }

    @Singleton
    @Named("billingShards")
    SharedSetting billingShards(TransactionsConfig config) {
        return SharedSetting.neverLowered("menuboard.billing.shards", config.shards());
    }

    @Singleton
    @Named("billingSlots")
    SharedSetting billingSlots(TransactionsConfig config) {
        return SharedSetting.neverLowered("menuboard.billing.slots", config.slots());
    }
}
