package io.menuboard.billing.reports;

import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.ReadAgain;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs in the table: {@code BILLRUN#{run}}/{@code META}, which decides who makes which version, beside it {@code V0001} for
 * each version that was committed, and {@code BILLRUN}/{@code AGAIN#{run}} for each run of which another version is being
 * made. A transition of a run is saved where the run is still as it was before. Thread-safe.
 */
final class DynamoRuns {
    static final String BILLRUN = "BILLRUN";

    private static final String AGAIN = "AGAIN#";
    private static final String RUNS = "BILLRUNS";
    private static final String META = "META";
    private static final String STATUS = "status";
    private static final String VERSION = "version";
    private static final String MAKING = "making";
    private static final String STARTED_AT = "startedAt";
    private static final String STARTED_BY = "startedBy";
    private static final String COMMITTED_AT = "committedAt";
    private static final String TASK = "task";
    private static final String AGENCIES = "agencies";
    private static final String TOTALS = "totals";

    /** More runs than are committed while an index is behind. */
    private static final int LATEST = 3;

    private final QueryDb db;
    private final AuditTrail audit;

    DynamoRuns(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /** Opens a run from the checkpoint on; false where another one is open, or has moved it. Ten write units. */
    boolean open(RunId id, Instant now, Actor actor) {
        var run = ReportRun.opened(id, now, actor);
        return decides(List.of(
                DynamoCheckpoint.open(id),
                Write.put(
                        Item.at(meta(id))
                                .type("billingRun")
                                .index(RUNS, id.toString())
                                .string(STATUS, run.status().name())
                                .number(VERSION, run.effectiveVersion())
                                .number(MAKING, run.latestVersion())
                                .string(STARTED_AT, run.startedAt().toString())
                                .string(STARTED_BY, run.startedBy().text())
                                .build(),
                        SaveMode.INIT),
                audit.write(actor, partition(id), "report run begun", Map.of())));
    }

    /** Begins another version; false where the run is not as given any more. */
    boolean reopen(ReportRun run, Instant now, Actor actor) {
        var next = run.reopened(now, actor);
        return decides(List.of(
                Update.of(meta(run.id()))
                        .set(STATUS, next.status().name())
                        .set(MAKING, next.latestVersion())
                        .set(STARTED_AT, next.startedAt().toString())
                        .set(STARTED_BY, next.startedBy().text())
                        .remove(TASK)
                        .when(isStill(run)),
                Write.put(
                        Item.at(again(run.id()))
                                .type("billingRunAgain")
                                .number(MAKING, next.latestVersion())
                                .build(),
                        SaveMode.ANY),
                audit.write(
                        actor,
                        partition(run.id()),
                        "report run begun again",
                        Map.of(VERSION, Integer.toString(next.latestVersion())))));
    }

    /** Has somebody else answer for the version that is being made, where nobody has done so before. Six write units. */
    void takeOver(ReportRun run, Actor actor) {
        decides(List.of(
                Update.of(meta(run.id()))
                        .set(STARTED_BY, actor.text())
                        .when(isStill(run))
                        .when(isStillBy(run)),
                audit.write(
                        actor,
                        partition(run.id()),
                        "report run taken over",
                        Map.of("from", run.startedBy().name()))));
    }

    /**
     * Gives up the version that is being made, which is not the first one; false where the run is not as given any more. Eight
     * write units.
     */
    boolean giveUp(ReportRun run, String reason) {
        var next = run.givenUp();
        return decides(List.of(
                Update.of(meta(run.id()))
                        .set(STATUS, next.status().name())
                        .when(isStill(run))
                        .when(isStillBy(run)),
                Write.delete(again(run.id())),
                audit.write(
                        run.startedBy(),
                        partition(run.id()),
                        "report run given up",
                        Map.of(VERSION, Integer.toString(next.latestVersion()), "reason", reason))));
    }

    private static Condition isStillBy(ReportRun run) {
        return Condition.equal(STARTED_BY, run.startedBy().text());
    }

    /** The life cycle is where it was when the run was read. */
    private static Condition isStill(ReportRun run) {
        return Condition.equal(STATUS, run.status().name()).and(Condition.equal(MAKING, run.latestVersion()));
    }

    /** Runs of which another version is being made, or was, by an instance that does not know this list: one read unit. */
    List<RunId> reopened() {
        return db.load(BILLRUN, Consistency.STRONG).stream()
                .filter(item -> item.key().sort().startsWith(AGAIN))
                .flatMap(item ->
                        db
                                .readable(
                                        item,
                                        again -> RunId.parse(again.key().sort().substring(AGAIN.length())))
                                .stream())
                .toList();
    }

    /** Takes a run off the list of {@link #reopened}, unless yet another version is being made. One write unit. */
    void made(ReportRun run) {
        db.delete(again(run.id()), Condition.equal(MAKING, run.latestVersion()));
    }

    /** Notes which task makes the version, where it is still being made, by the task of the run as given. Two write units. */
    void setTask(ReportRun run, TaskId task) {
        var next = run.madeBy(task);
        try {
            db.update(
                    Update.of(meta(run.id()))
                            .set(TASK, Objects.requireNonNull(next.task()).value())
                            .when(isStill(run))
                            .when(
                                    run.task() == null
                                            ? Condition.absent(TASK)
                                            : Condition.equal(TASK, run.task().value())),
                    current -> true);
        } catch (ConditionFailed _) {
            // It is made, or another task has noted itself.
        }
    }

    /**
     * Makes the version count, and closes the range if it is the first: both or neither. False where somebody has done so
     * before. Twelve write units.
     */
    boolean commit(ReportRun run, Result result) {
        var next = run.committed(result);
        var totals = Totals.written(result.totals());
        var meta = Update.of(meta(run.id()))
                .set(STATUS, next.status().name())
                .set(VERSION, next.effectiveVersion())
                .set(COMMITTED_AT, result.committedAt().toString())
                .set(AGENCIES, result.agencies())
                .set(TOTALS, totals)
                .when(isStill(run));
        var version = Write.put(
                Item.at(new Key(partition(run.id()), version(next.effectiveVersion())))
                        .type("billingRunVersion")
                        .string(COMMITTED_AT, result.committedAt().toString())
                        .string(STARTED_BY, run.startedBy().text())
                        .number(AGENCIES, result.agencies())
                        .stringMap(TOTALS, totals)
                        .build(),
                SaveMode.INIT);
        return decides(List.of(
                meta,
                version,
                run.isFirstVersion() ? DynamoCheckpoint.close(run.id()) : Write.delete(again(run.id()))));
    }

    /** Makes all writes, and tells whether their conditions held. */
    private boolean decides(List<Write> writes) {
        try {
            db.transact(writes);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    /** Strongly consistent: one read unit. */
    Optional<ReportRun> find(RunId id) {
        return db.get(meta(id), Consistency.STRONG).map(item -> db.read(item, DynamoRuns::run));
    }

    /** One that the checkpoint has open: as {@link #find}, and again where it is just being opened and not seen yet. */
    ReportRun findOpen(RunId id) {
        return ReadAgain.until(() -> find(id), Optional::isPresent)
                .orElseThrow(() -> new IllegalStateException("the checkpoint has a run open that is not there: " + id));
    }

    /** Those that there are, as {@link #find}. */
    List<ReportRun> findAll(List<RunId> ids) {
        return db.getBatch(ids.stream().map(DynamoRuns::meta).toList(), Consistency.STRONG).stream()
                .flatMap(Optional::stream)
                .map(item -> db.read(item, DynamoRuns::run))
                .toList();
    }

    /** The run whose range begins there; half a read unit. The index knows a run some moments after it was opened. */
    Optional<ReportRun> beginningAt(Quarter from) {
        return db.all(Query.index("report runs", "gsi1", RUNS).beginsWith(from.label() + "-"))
                .findFirst()
                .map(item -> db.read(item, DynamoRuns::run));
    }

    /** Latest range first; half a read unit per 4 KB, which is about eight. */
    Page<ReportRun> list(PageRequest page) {
        return db.query(Query.index("report runs", "gsi1", RUNS).reversed(), DynamoRuns::run, page);
    }

    /** Those of the latest runs that are of these months, as {@link #find}; half a read unit more. */
    List<ReportRun> latest(YearMonth from, YearMonth to) {
        return findAll(list(PageRequest.forward(LATEST, null)).nodes().stream()
                .map(ReportRun::id)
                .filter(run -> !run.month().isBefore(from) && !run.month().isAfter(to))
                .toList());
    }

    /** Contents of a version of the run that was committed; strongly consistent: one read unit. */
    Optional<Result> version(RunId id, int version) {
        return db.get(new Key(partition(id), version(version)), Consistency.STRONG)
                .map(item -> db.read(item, DynamoRuns::result));
    }

    private static Key meta(RunId id) {
        return new Key(partition(id), META);
    }

    private static Key again(RunId id) {
        return new Key(BILLRUN, AGAIN + id);
    }

    static String partition(RunId id) {
        return "BILLRUN#" + id;
    }

    static String version(int version) {
        return String.format(Locale.ROOT, "V%04d", version);
    }

    static RunId id(Item item) {
        return RunId.parse(item.key().partition().substring("BILLRUN#".length()));
    }

    private static ReportRun run(Item item) {
        var version = (int) item.integer(VERSION);
        return new ReportRun(
                id(item),
                Status.valueOf(item.string(STATUS)),
                version,
                (int) item.integer(MAKING),
                Instant.parse(item.string(STARTED_AT)),
                Actor.parse(item.string(STARTED_BY)),
                item.findString(TASK).map(TaskId::new).orElse(null),
                version == 0 ? null : result(item));
    }

    private static Result result(Item item) {
        return new Result(
                Instant.parse(item.string(COMMITTED_AT)),
                (int) item.integer(AGENCIES),
                Totals.read(item.stringMap(TOTALS)));
    }
}
