package io.menuboard.billing.transactions;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Transactions on a test's table, wired as {@link TransactionsFactory} does. */
public final class TransactionsFixture {
    public static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    public static final PageRequest PAGE = PageRequest.forward(2_000, null);

    /** Most transactions of one write. */
    public static final int CHUNK = DynamoTransactions.CHUNK;

    static final TransactionsConfig CONFIG = config(2, 2);

    public final ArrivedTransactions arrived;
    public final DynamoQuarterCounters counters;
    public final Transactions transactions;
    public final CommissionRules rules;
    final AuditTrail audit;

    TransactionsFixture(QueryDb db, Clock clock) {
        this(
                db,
                new AuditTrail(db, clock, new Random(3), new AuditTrail.Settings(1, Duration.ofDays(30))),
                clock,
                CONFIG,
                () -> {});
    }

    private TransactionsFixture(
            QueryDb db, AuditTrail audit, Clock clock, TransactionsConfig config, BillingStart reports) {
        counters = new DynamoQuarterCounters(db, new SecureRandom(), config);
        var dynamo = new DynamoTransactions(db, clock, new SecureRandom(), counters, config.lag());
        arrived = dynamo;
        this.audit = audit;
        rules = new DynamoCommissionRules(db, audit, clock);
        transactions = new Transactions(dynamo, rules, new DynamoAgencies(db), reports, clock, config.maxRecord());
    }

    /** With as many shards, and counters of each. */
    public static TransactionsFixture of(
            QueryDb db, AuditTrail audit, Clock clock, int shards, int slots, BillingStart reports) {
        return new TransactionsFixture(db, audit, clock, config(shards, slots), reports);
    }

    private static TransactionsConfig config(int shards, int slots) {
        return new TransactionsConfig(shards, slots, 1_000, Duration.ofMinutes(15), 1_000, 1_000_000);
    }

    /** Records, and expects that all are recorded. */
    public List<Transaction> recorded(RecordTransaction... commands) {
        return recorded(List.of(commands));
    }

    public List<Transaction> recorded(List<RecordTransaction> commands) {
        return transactions.record(GRACE, commands).stream()
                .map(outcome -> switch (outcome) {
                    case RecordOutcome.Recorded(var transaction) -> transaction;
                    default -> throw new AssertionError(outcome);
                })
                .toList();
    }

    public static RecordTransaction sale(String id, String agency, String amount) {
        return command(id, agency, amount, "0.15", null, null);
    }

    public static RecordTransaction refund(String id, String agency, String amount, String corrects) {
        return command(id, agency, amount, "0.15", null, corrects);
    }

    public static RecordTransaction byRule(String id, String agency, String amount, String rule) {
        return command(id, agency, amount, null, rule, null);
    }

    public static RecordTransaction command(
            String id,
            String agency,
            String amount,
            @Nullable String rate,
            @Nullable String rule,
            @Nullable String corrects) {
        return new RecordTransaction(
                new TransactionId(id),
                new AgencyId(agency),
                "HAMBURGER",
                "customer 7",
                money(amount),
                Instant.parse("2036-06-15T11:58:03.250Z"),
                rate == null ? null : new BigDecimal(rate),
                rule,
                corrects == null ? null : new TransactionId(corrects));
    }

    /** {@code 4.50} are euros, {@code 450 JPY} is what it says. */
    public static Money money(String amount) {
        var parts = amount.split(" ", -1);
        return new Money(new BigDecimal(parts[0]), Money.currencyOf(parts.length == 1 ? "EUR" : parts[1]));
    }
}
