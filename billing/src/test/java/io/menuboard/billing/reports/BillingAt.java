package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transactions;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TasksInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Transactions at any time one likes, on the table of an application that goes by the real one: what tests and samples of other
 * modules have recorded and reported before now. Not thread-safe.
 */
public final class BillingAt {
    private static final int SHARDS = 4;
    private static final int SLOTS = 8;
    private static final ReportsConfig CONFIG = new ReportsConfig(
            Duration.ofHours(1), Duration.ofMinutes(15), Duration.ofHours(24), 5_000_000, Duration.ofSeconds(30));

    private static final long BETWEEN_LOOKS = 5_000;

    private final QueryDb db;
    private final MovingClock clock;
    private final Transactions billing;
    private final DynamoCheckpoint checkpoint;
    private final DynamoRuns dynamoRuns;
    private final ReportSchedule schedule;
    private final ReportRuns runs;
    private final RunMaker maker;

    /** @param now until {@link #setTime} says otherwise */
    public BillingAt(QueryDb db, AuditTrail audit, TasksInstance tasks, ReportFiles files, Instant now) {
        this.db = db;
        clock = new MovingClock(now);
        checkpoint = new DynamoCheckpoint(db, audit, CONFIG.interval());
        dynamoRuns = new DynamoRuns(db, audit);
        var versions = new DynamoRunVersions(db);
        var sold = TransactionsFixture.of(db, audit, clock, SHARDS, SLOTS, this::beginReports);
        schedule = new ReportSchedule(checkpoint, sold.counters, clock, CONFIG);
        billing = sold.transactions;
        var quarters = new DynamoQuarters(db, sold.counters);
        var lookBack = new LookBack(checkpoint, quarters, CONFIG);
        var lines = new LedgerLines(sold.arrived, quarters, sold.rules, files, lookBack);
        maker = new RunMaker(versions, quarters, lines, files, clock);
        runs = new ReportRuns(
                dynamoRuns,
                new VisibleRuns(dynamoRuns, versions),
                new RunTasks(dynamoRuns, tasks.submission(), tasks.reads(), CurrentAccess.EVERYTHING, clock),
                schedule,
                lookBack,
                clock);
    }

    private void beginReports() {
        schedule.begin();
    }

    public void setTime(Instant now) {
        clock.set(now);
    }

    /** Makes reports begin there, where the application has not reported anything yet. */
    public void begin() {
        db.save(
                Item.at(new Key("BILLRUN", "CHECKPOINT"))
                        .type("billingCheckpoint")
                        .string("upTo", Quarter.of(clock.instant()).label())
                        .build(),
                SaveMode.ANY);
    }

    /** Has no run look for late transactions before that. */
    public void settle(Quarter from) {
        checkpoint.settle(new DynamoCheckpoint.Settled(from, from, 0, 0));
    }

    public Transactions billing() {
        return billing;
    }

    public ReportRuns runs() {
        return runs;
    }

    /** Makes the reports of everything that can be closed, here and now. */
    public ReportRun report(Access access) {
        return made(runs.runNow(access), _ -> {});
    }

    /**
     * As {@link #report}, and answers how many bytes of heap were in use after a collection, the most that was seen; zero
     * for a run of few lines.
     */
    public long heapOfReport(Access access) {
        var most = new AtomicLong();
        made(runs.runNow(access), progress -> {
            if (progress.done() % BETWEEN_LOOKS == 0) {
                System.gc();
                var runtime = Runtime.getRuntime();
                most.accumulateAndGet(runtime.totalMemory() - runtime.freeMemory(), Math::max);
            }
        });
        return most.get();
    }

    /** Makes another version of a run, here and now. */
    public ReportRun reportAgain(Access access, RunId id) {
        return made(runs.runAgain(access, id), _ -> {});
    }

    /** Gives up the version of a run that is being made, as its task does where who asked for it may not run billing any more. */
    public void giveUp(RunId id) {
        dynamoRuns.giveUp(dynamoRuns.find(id).orElseThrow(), "may not run billing any more");
    }

    private ReportRun made(RunResult result, Consumer<TaskProgress> progress) {
        var run =
                switch (result) {
                    case RunResult.Started(var started) -> started;
                    case RunResult.AlreadyStarted(var running) -> running;
                    case RunResult.NothingToReport _, RunResult.NotFound _ ->
                        throw new IllegalStateException(result.toString());
                };
        try {
            dynamoRuns.commit(run, maker.make(run, progress));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return dynamoRuns.find(run.id()).orElseThrow();
    }
}
