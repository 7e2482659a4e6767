package io.menuboard.billing.reports;

import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Expression;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs in the table: {@code BILLRUN}/{@code CHECKPOINT}, and beside it {@code AGAIN#{run}} for each run of which another
 * version is being made, and {@code SETTLED}; {@code BILLRUN#{run}}/{@code META}, which decides who makes which version; and beside it what each version has, {@code V0001} as a whole, {@code V0001#AGENCY#{agency}} for each agency, and
 * {@code V0002#PART#{quarter}} for each part of its ledger.
 * Thread-safe.
 */
final class DynamoRuns {
    private static final String BILLRUN = "BILLRUN";
    private static final Key CHECKPOINT = new Key(BILLRUN, "CHECKPOINT");
    private static final Key SETTLED = new Key(BILLRUN, "SETTLED");
    private static final String AGAIN = "AGAIN#";
    private static final String FROM = "from";
    private static final String HELD = "held";
    private static final String DIFFERING = "differing";
    private static final String RUNS = "BILLRUNS";
    private static final String META = "META";
    private static final String UP_TO = "upTo";
    private static final String OPEN = "open";
    private static final String STATUS = "status";
    private static final String VERSION = "version";
    private static final String MAKING = "making";
    private static final String TASK = "task";
    private static final String TOTALS = "totals";

    private static final int SAVED_TOGETHER = 1_000;

    private final QueryDb db;
    private final AuditTrail audit;
    private final Duration defaultInterval;

    DynamoRuns(QueryDb db, AuditTrail audit, Duration defaultInterval) {
        this.db = db;
        this.audit = audit;
        this.defaultInterval = defaultInterval;
    }

    // ---- checkpoint

    /** Strongly consistent: one read unit. Empty before anything was to be billed. */
    Optional<Checkpoint> checkpoint() {
        return db.get(CHECKPOINT, Consistency.STRONG).map(item -> db.read(item, this::checkpoint));
    }

    private Checkpoint checkpoint(Item item) {
        return new Checkpoint(
                Quarter.parse(UP_TO, item.string(UP_TO)),
                item.findString(OPEN).map(RunId::parse).orElse(null),
                item.findNumber("intervalMinutes")
                        .map(minutes -> Duration.ofMinutes(minutes.longValue()))
                        .orElse(defaultInterval));
    }

    /** Makes reports begin there, unless they have begun. One write unit. */
    void begin(Quarter first) {
        try {
            db.save(
                    Item.at(CHECKPOINT)
                            .type("billingCheckpoint")
                            .string(UP_TO, first.label())
                            .build(),
                    SaveMode.INIT);
        } catch (AlreadyExists _) {
            // They have begun.
        }
    }

    void setInterval(Duration interval, Actor actor) {
        db.transact(List.of(
                Write.update(
                        CHECKPOINT,
                        Expression.of("SET intervalMinutes = :minutes").number(":minutes", interval.toMinutes()),
                        Expression.of("attribute_exists(pk)")),
                audit.write(actor, "BILLING", "set interval", Map.of("interval", interval.toString()))));
    }

    /**
     * Which quarter hours are done with.
     *
     * @param from the first in which a run may still find something late: those before it are sealed, and reports have
     *     all of them
     * @param upTo the checkpoint at which that was looked at last
     * @param held after how many runs {@code from} was sealed and still differed
     * @param differing quarter hours, of those before it and within twice the look-back, of which reports had not what came in
     */
    record Settled(Quarter from, Quarter upTo, int held, int differing) {}

    /** Strongly consistent: one read unit. Empty before it was looked at. */
    Optional<Settled> settled() {
        return db.get(SETTLED, Consistency.STRONG).map(item -> db.read(item, DynamoRuns::settled));
    }

    private static Settled settled(Item item) {
        return new Settled(
                Quarter.parse(FROM, item.string(FROM)),
                Quarter.parse(UP_TO, item.string(UP_TO)),
                (int) item.integer(HELD),
                (int) item.integer(DIFFERING));
    }

    /** Notes it, unless more is settled already. One write unit. */
    void settle(Settled settled) {
        var item = Item.at(SETTLED)
                .type("billingSettled")
                .string(FROM, settled.from().label())
                .string(UP_TO, settled.upTo().label())
                .number(HELD, settled.held())
                .number(DIFFERING, settled.differing())
                .build();
        try {
            db.save(
                    item,
                    Expression.of("attribute_not_exists(#from) OR (#from <= :from AND #upTo <= :upTo)")
                            .name("#from", FROM)
                            .name("#upTo", UP_TO)
                            .string(":from", settled.from().label())
                            .string(":upTo", settled.upTo().label()));
        } catch (ConditionFailed _) {
            // Somebody who came later was faster.
        }
    }

    // ---- runs

    /** Opens a run from the checkpoint on; false where another one is open, or has moved it. Ten write units. */
    boolean open(RunId id, Instant now, Actor actor) {
        return decides(List.of(
                Write.update(
                        CHECKPOINT,
                        Expression.of("SET #open = :run").name("#open", OPEN).string(":run", id.toString()),
                        Expression.of("#upTo = :from AND attribute_not_exists(#open)")
                                .name("#upTo", UP_TO)
                                .name("#open", OPEN)
                                .string(":from", id.from().label())),
                Write.put(
                        Item.at(meta(id))
                                .type("billingRun")
                                .index(RUNS, id.toString())
                                .string(STATUS, Status.RUNNING.name())
                                .number(VERSION, 0)
                                .number(MAKING, 1)
                                .string("startedAt", now.toString())
                                .string("startedBy", actor.name())
                                .build(),
                        SaveMode.INIT),
                audit.write(actor, "BILLRUN#" + id, "open", Map.of())));
    }

    /** Begins another version; false where the run is not as given any more. */
    boolean reopen(ReportRun run, Instant now, Actor actor) {
        return decides(List.of(
                Write.update(
                        meta(run.id()),
                        Expression.of("SET #status = :running, #making = :making, startedAt = :now, startedBy = :actor"
                                        + " REMOVE #task")
                                .name("#status", STATUS)
                                .name("#making", MAKING)
                                .name("#task", TASK)
                                .string(":running", Status.RUNNING.name())
                                .number(":making", run.making() + 1)
                                .string(":now", now.toString())
                                .string(":actor", actor.name()),
                        Expression.of("#status = :committed AND #making = :made")
                                .string(":committed", Status.COMMITTED.name())
                                .number(":made", run.making())),
                Write.put(
                        Item.at(again(run.id()))
                                .type("billingRunAgain")
                                .number(MAKING, run.making() + 1)
                                .build(),
                        SaveMode.ANY),
                audit.write(
                        actor,
                        "BILLRUN#" + run.id(),
                        "run again",
                        Map.of(VERSION, Integer.toString(run.making() + 1)))));
    }

    /** Those of which another version is being made, or was, by an instance that does not know this list: one read unit. */
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
        db.delete(again(run.id()), Expression.of("making = :making").number(":making", run.making()));
    }

    /** Notes which task makes the version, where it is still being made, by the task of the run as given. Two write units. */
    void setTask(ReportRun run, TaskId task) {
        var condition = Expression.of("#making = :making AND #status = :running")
                .name("#making", MAKING)
                .name("#status", STATUS)
                .number(":making", run.making())
                .string(":running", Status.RUNNING.name());
        var before = run.task();
        try {
            db.update(
                    meta(run.id()),
                    Expression.of("SET #task = :task").name("#task", TASK).string(":task", task.value()),
                    condition.and(
                            before == null
                                    ? Expression.of("attribute_not_exists(#task)")
                                    : Expression.of("#task = :before").string(":before", before.value())),
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
        var totals = Totals.written(result.totals());
        var meta = Write.update(
                meta(run.id()),
                Expression.of("SET #status = :committed, #version = :making, committedAt = :now, agencies = :agencies,"
                                + " #totals = :totals")
                        .name("#status", STATUS)
                        .name("#version", VERSION)
                        .name("#totals", TOTALS)
                        .string(":committed", Status.COMMITTED.name())
                        .number(":making", run.making())
                        .string(":now", result.committedAt().toString())
                        .number(":agencies", result.agencies())
                        .stringMap(":totals", totals),
                Expression.of("#status = :running AND #making = :making")
                        .name("#making", MAKING)
                        .string(":running", Status.RUNNING.name()));
        var version = Write.put(
                Item.at(new Key(partition(run.id()), version(run.making())))
                        .type("billingRunVersion")
                        .string("committedAt", result.committedAt().toString())
                        .string("startedBy", run.startedBy())
                        .number("agencies", result.agencies())
                        .stringMap(TOTALS, totals)
                        .build(),
                SaveMode.INIT);
        var checkpoint = Write.update(
                CHECKPOINT,
                Expression.of("SET #upTo = :to REMOVE #open")
                        .name("#upTo", UP_TO)
                        .name("#open", OPEN)
                        .string(":to", run.id().to().label()),
                Expression.of("#open = :run").string(":run", run.id().toString()));
        return decides(List.of(meta, version, run.making() == 1 ? checkpoint : Write.delete(again(run.id()))));
    }

    /** Whether the conditions held. */
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

    /** Latest range first; half a read unit per 4 KB, which is about eight. */
    Page<ReportRun> list(PageRequest page) {
        return db.query(Query.index("report runs", "gsi1", RUNS).reversed(), DynamoRuns::run, page);
    }

    /** What a version of the run had when it was committed; half a read unit. */
    Optional<Result> version(RunId id, int version) {
        return db.get(new Key(partition(id), version(version))).map(item -> db.read(item, DynamoRuns::result));
    }

    // ---- agencies

    /** Two write units for each. Saying it again changes nothing. */
    void saveAgencies(List<AgencyTotals> agencies) {
        // Of a hundred thousand agencies, not all items at once.
        for (var from = 0; from < agencies.size(); from += SAVED_TOGETHER) {
            saveSome(agencies.subList(from, Math.min(from + SAVED_TOGETHER, agencies.size())));
        }
    }

    private void saveSome(List<AgencyTotals> agencies) {
        db.saveBatch(agencies.stream()
                        .map(agency -> new Save(
                                Item.at(new Key(
                                                partition(agency.run()),
                                                agencyPrefix(agency.version()) + agency.agency()))
                                        .type("billingAgencyTotals")
                                        .index(
                                                "BILLAGENCY#" + agency.agency(),
                                                agency.run() + "#" + version(agency.version()))
                                        .stringMap(TOTALS, Totals.written(agency.totals()))
                                        .build(),
                                SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    /** By agency; half a read unit per 4 KB, which is about twenty. */
    Page<AgencyTotals> agencies(RunId run, int version, PageRequest page) {
        return db.query(
                Query.table("agencies of a run", partition(run)).beginsWith(agencyPrefix(version)),
                DynamoRuns::agencyTotals,
                page);
    }

    Optional<AgencyTotals> agency(RunId run, int version, AgencyId agency) {
        return db.get(new Key(partition(run), agencyPrefix(version) + agency)).map(this::readTotals);
    }

    /** In the order of runs and versions, those not committed included, to be added up, so that none is left out; half a read unit per 4 KB, about twenty. */
    Stream<AgencyTotals> ofAgency(AgencyId agency, YearMonth from, YearMonth to) {
        return db.all(Query.index("reports of an agency", "gsi1", "BILLAGENCY#" + agency)
                        .between(
                                Quarter.of(from).label(),
                                Quarter.of(to.plusMonths(1)).label()))
                .map(this::readTotals);
    }

    private AgencyTotals readTotals(Item item) {
        return db.read(item, DynamoRuns::agencyTotals);
    }

    // ---- parts of ledgers

    /**
     * Says where in the ledger of a version from 2 on the lines of which quarter hour are; of version 1, what is reported of a
     * quarter hour says it. A write unit or two for each. Saying it again changes nothing.
     */
    void saveParts(int version, List<LedgerPart> parts) {
        db.saveBatch(parts.stream()
                        .map(part -> Item.at(part(part.run(), version, part.quarter()))
                                .type("billingLedgerPart")
                                .number("offset", part.offset())
                                .number("length", part.length())
                                .string("index", part.index().written())
                                .build())
                        .map(item -> new Save(item, SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    /** Where in the ledger of that version a line is, if it is in it; half a read unit. Empty where nobody has said it. */
    Optional<LineIndex.Range> around(RunId run, int version, Place place) {
        return db.get(part(run, version, place.quarter()))
                .map(part -> db.read(part, item -> {
                    var range = LineIndex.read(item.string("index")).around(place, item.integer("length"));
                    var offset = item.integer("offset");
                    return new LineIndex.Range(offset + range.from(), offset + range.to());
                }));
    }

    // ---- items

    private static Key part(RunId run, int version, Quarter quarter) {
        return new Key(partition(run), version(version) + "#PART#" + quarter.label());
    }

    private static Key meta(RunId id) {
        return new Key(partition(id), META);
    }

    private static Key again(RunId id) {
        return new Key(BILLRUN, AGAIN + id);
    }

    private static String partition(RunId id) {
        return "BILLRUN#" + id;
    }

    private static String version(int version) {
        return String.format(Locale.ROOT, "V%04d", version);
    }

    private static String agencyPrefix(int version) {
        return version(version) + "#AGENCY#";
    }

    private static ReportRun run(Item item) {
        var version = (int) item.integer(VERSION);
        return new ReportRun(
                RunId.parse(item.key().partition().substring("BILLRUN#".length())),
                Status.valueOf(item.string(STATUS)),
                version,
                (int) item.integer(MAKING),
                Instant.parse(item.string("startedAt")),
                item.string("startedBy"),
                item.findString(TASK).map(TaskId::new).orElse(null),
                version == 0 ? null : result(item));
    }

    private static Result result(Item item) {
        return new Result(
                Instant.parse(item.string("committedAt")),
                (int) item.integer("agencies"),
                Totals.read(item.stringMap(TOTALS)));
    }

    private static AgencyTotals agencyTotals(Item item) {
        var sort = item.key().sort();
        return new AgencyTotals(
                RunId.parse(item.key().partition().substring("BILLRUN#".length())),
                Integer.parseInt(sort.substring(1, 5)),
                new AgencyId(sort.substring(agencyPrefix(1).length())),
                Totals.read(item.stringMap(TOTALS)));
    }
}
