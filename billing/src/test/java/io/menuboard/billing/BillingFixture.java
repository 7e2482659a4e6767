package io.menuboard.billing;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.Tasks;
import io.menuboard.tasks.TasksFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An instance of billing on a test's table, wired as {@link BillingFactory} does. */
final class BillingFixture {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    static final Instant NOW = MovingClock.START;

    static final Actor GRACE = new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE);
    static final PageRequest PAGE = PageRequest.forward(2_000, null);
    static final BillingConfig CONFIG = config(2, 2, Duration.ofHours(1));

    final DynamoTransactions transactions;
    final DynamoQuarters quarters;
    final DynamoRuns dynamoRuns;
    final CommissionRules rules;
    final Billing billing;
    final LedgerLines lines;
    final ReportRuns runs;
    final Reports reports;
    final AuditTrail audit;
    final Tasks tasks;

    BillingFixture(QueryDb db, Clock clock, ReportFiles files) {
        this(db, clock, files, CONFIG);
    }

    BillingFixture(QueryDb db, Clock clock, ReportFiles files, BillingConfig config) {
        transactions = new DynamoTransactions(db, clock, new SecureRandom(), config);
        quarters = new DynamoQuarters(db, config);
        audit = new AuditTrail(db, clock, new Random(3), new AuditTrail.Settings(1, Duration.ofDays(30)));
        rules = new CommissionRules(db, audit);
        dynamoRuns = new DynamoRuns(db, audit, config.interval());
        billing = new Billing(transactions, rules, dynamoRuns, new Agencies(db), clock, config);
        lines = new LedgerLines(transactions, quarters, rules, files);
        tasks = TasksFixture.tasks(db, clock);
        runs = new ReportRuns(dynamoRuns, quarters, lines, files, tasks, clock, config);
        reports = new Reports(dynamoRuns, quarters, files);
    }

    static BillingConfig config(int shards, int slots, Duration lookBack) {
        return new BillingConfig(
                shards,
                slots,
                1_000,
                Duration.ofMinutes(15),
                Duration.ofMinutes(15),
                lookBack,
                Duration.ofSeconds(30),
                1_000,
                1_000_000);
    }

    // ---- doing

    /** Records, and expects that all are recorded. */
    List<Transaction> recorded(RecordTransaction... commands) {
        return recorded(List.of(commands));
    }

    List<Transaction> recorded(List<RecordTransaction> commands) {
        return billing.record(commands, GRACE).stream()
                .map(outcome -> switch (outcome) {
                    case RecordOutcome.Recorded(var transaction) -> transaction;
                    default -> throw new AssertionError(outcome);
                })
                .toList();
    }

    /** Makes the open run, and those that are due after it, here and now. */
    void run() throws InterruptedException {
        while (runs.runNow(GRACE) instanceof RunResult.Started(var run)) {
            make(run);
        }
    }

    void make(ReportRun run) throws InterruptedException {
        runs.make(run, _ -> {});
    }

    ReportRun find(RunId id) {
        return runs.find(id).orElseThrow();
    }

    /** What the version that counts has. */
    ReportRun.Result result(RunId id) {
        return Objects.requireNonNull(find(id).result());
    }

    /** The lines of a version, as its ledger says. */
    static List<LedgerLine> ledger(ReportFiles files, RunId run, int version) {
        try (var reader = LedgerReader.file(
                files.open(new RunFiles(run, version).ledger()).orElseThrow())) {
            var lines = new ArrayList<LedgerLine>();
            for (var line = reader.next(); line.isPresent(); line = reader.next()) {
                lines.add(line.get());
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- making

    static RecordTransaction sale(String id, String agency, String amount) {
        return command(id, agency, amount, "0.15", null, null);
    }

    static RecordTransaction refund(String id, String agency, String amount, String corrects) {
        return command(id, agency, amount, "0.15", null, corrects);
    }

    static RecordTransaction byRule(String id, String agency, String amount, String rule) {
        return command(id, agency, amount, null, rule, null);
    }

    static RecordTransaction command(
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
    static Money money(String amount) {
        var parts = amount.split(" ", -1);
        return new Money(new BigDecimal(parts[0]), Money.currencyOf(parts.length == 1 ? "EUR" : parts[1]));
    }

    static RunId run(String from, String to) {
        return RunId.parse("20360615" + from + "-20360615" + to);
    }
}
