package io.menuboard.billing.reports;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.workers.TaskWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** An instance of billing on a test's table, wired as {@link ReportsFactory} does. */
final class BillingFixture {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    static final Instant NOW = MovingClock.START;

    private static final Config CONFIG = new Config(2, 2, Duration.ofHours(1));

    private final ReportSchedule schedule;
    final TransactionsFixture sold;
    final DynamoQuarters quarters;
    final DynamoCheckpoint checkpoint;
    final DynamoRuns dynamoRuns;
    final DynamoRunVersions versions;
    final RunMaker maker;
    final CommissionRules rules;
    final Transactions billing;
    final ReportRuns runs;
    final Reports reports;
    final Reconciliations reconciliations;
    final AuditTrail audit;
    final TasksInstance tasks;

    /** Everybody may do everything, unless a test says otherwise. */
    CurrentAccess current = CurrentAccess.EVERYTHING;

    BillingFixture(QueryDb db, Clock clock, ReportFiles files) {
        this(db, clock, files, CONFIG);
    }

    BillingFixture(QueryDb db, Clock clock, ReportFiles files, Config config) {
        audit = new AuditTrail(db, clock, new Random(3), new AuditTrail.Settings(1, Duration.ofDays(30)));
        var reporting = new ReportsConfig(
                Duration.ofMinutes(15),
                Duration.ofMinutes(15),
                config.lookBack(),
                config.maxRunLines(),
                Duration.ofSeconds(30));
        checkpoint = new DynamoCheckpoint(db, audit, reporting.interval());
        dynamoRuns = new DynamoRuns(db, audit);
        versions = new DynamoRunVersions(db);
        sold = TransactionsFixture.of(db, audit, clock, config.shards(), config.slots(), this::begin);
        schedule = new ReportSchedule(checkpoint, sold.counters, clock, reporting);
        quarters = new DynamoQuarters(db, sold.counters);
        rules = sold.rules;
        billing = sold.transactions;
        var lookBack = new LookBack(checkpoint, quarters, reporting);
        var lines = new LedgerLines(sold.arrived, quarters, rules, files, lookBack);
        tasks = TasksFixture.tasks(db, clock);
        maker = new RunMaker(versions, quarters, lines, files, clock);
        runs = new ReportRuns(
                dynamoRuns,
                new VisibleRuns(dynamoRuns, versions),
                new RunTasks(dynamoRuns, tasks.submission(), tasks.reads(), this::current, clock),
                schedule,
                lookBack,
                clock);
        reports = new Reports(dynamoRuns, versions, checkpoint, quarters, files);
        reconciliations = new Reconciliations(checkpoint, quarters);
    }

    private void begin() {
        schedule.begin();
    }

    private Access current(Actor actor) {
        return current.of(actor);
    }

    /** Settings that tests vary. */
    record Config(int shards, int slots, Duration lookBack, long maxRunLines) {
        Config(int shards, int slots, Duration lookBack) {
            this(shards, slots, lookBack, 5_000_000);
        }
    }

    /** Records, and expects that all are recorded. */
    List<Transaction> recorded(RecordTransaction... commands) {
        return recorded(List.of(commands));
    }

    List<Transaction> recorded(List<RecordTransaction> commands) {
        return sold.recorded(commands);
    }

    TaskWork work() {
        return new RunWork(dynamoRuns, maker, this::current).work();
    }

    /** Makes the open run, and those that are due after it, here and now. */
    void run() throws InterruptedException {
        while (runs.runNow(GRACE) instanceof RunResult.Started(var run)) {
            make(run);
        }
    }

    void make(ReportRun run) throws InterruptedException {
        dynamoRuns.commit(run, maker.make(run, _ -> {}));
    }

    ReportRun find(RunId id) {
        return runs.find(GRACE, id).orElseThrow();
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

    static RunId run(String from, String to) {
        return RunId.parse("20360615" + from + "-20360615" + to);
    }
}
