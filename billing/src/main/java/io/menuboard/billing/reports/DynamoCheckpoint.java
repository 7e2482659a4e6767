package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The checkpoint of reports in the table: {@code BILLRUN}/{@code CHECKPOINT}, and {@code BILLRUN}/{@code SETTLED} beside it.
 * Thread-safe.
 */
final class DynamoCheckpoint {
    private static final Key CHECKPOINT = new Key(DynamoRuns.BILLRUN, "CHECKPOINT");
    private static final Key SETTLED = new Key(DynamoRuns.BILLRUN, "SETTLED");
    private static final String INTERVAL = "intervalMinutes";
    private static final String FROM = "from";
    private static final String HELD = "held";
    private static final String DIFFERING = "differing";
    private static final String UP_TO = "upTo";
    private static final String OPEN = "open";
    private static final int RACES = 32;

    private final QueryDb db;
    private final AuditTrail audit;
    private final Duration defaultInterval;

    DynamoCheckpoint(QueryDb db, AuditTrail audit, Duration defaultInterval) {
        this.db = db;
        this.audit = audit;
        this.defaultInterval = defaultInterval;
    }

    /** Strongly consistent: one read unit. Empty before anything was to be billed. */
    Optional<Checkpoint> find() {
        return db.get(CHECKPOINT, Consistency.STRONG).map(item -> db.read(item, this::checkpoint));
    }

    private Checkpoint checkpoint(Item item) {
        return new Checkpoint(
                Quarter.parse(UP_TO, item.string(UP_TO)),
                item.findString(OPEN).map(RunId::parse).orElse(null),
                item.findNumber(INTERVAL)
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

    /**
     * Sets it, with an audit record of what it was. Six write units.
     *
     * @param known the checkpoint, as far as is known
     */
    void setInterval(Checkpoint known, Duration interval, Actor actor) {
        var former = known;
        for (var races = 0; ; races++) {
            try {
                setInterval(former.interval(), interval, actor);
                return;
            } catch (ConditionFailed e) {
                if (races == RACES) {
                    throw e;
                }
                // Somebody else has set it meanwhile, and the record is to say from what it was changed.
                former = e.current(CHECKPOINT)
                        .map(item -> db.read(item, this::checkpoint))
                        .orElseThrow(() -> e);
            }
        }
    }

    private void setInterval(Duration before, Duration after, Actor actor) {
        var isStill = Condition.equal(INTERVAL, before.toMinutes());
        var details = Map.of("before", before.toString(), "after", after.toString());
        db.transact(List.of(
                Update.of(CHECKPOINT)
                        .set(INTERVAL, after.toMinutes())
                        .when(Condition.exists())
                        .when(before.equals(defaultInterval) ? isStill.or(Condition.absent(INTERVAL)) : isStill),
                audit.write(actor, "BILLING", "run interval set", details)));
    }

    /** Has the run begin at the checkpoint, where no other one is open and it is still there. */
    static Write open(RunId run) {
        return Update.of(CHECKPOINT)
                .set(OPEN, run.toString())
                .when(Condition.equal(UP_TO, run.from().label()))
                .when(Condition.absent(OPEN));
    }

    /** Moves the checkpoint to the end of the run, which is the open one. */
    static Write close(RunId run) {
        return Update.of(CHECKPOINT)
                .set(UP_TO, run.to().label())
                .remove(OPEN)
                .when(Condition.equal(OPEN, run.toString()));
    }

    /**
     * Quarter hours that are done with.
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
        return db.get(SETTLED, Consistency.STRONG).map(item -> db.read(item, DynamoCheckpoint::settled));
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
                    Condition.absent(FROM)
                            .or(Condition.atMost(FROM, settled.from().label())
                                    .and(Condition.atMost(UP_TO, settled.upTo().label()))));
        } catch (ConditionFailed _) {
            // Somebody who came later was faster.
        }
    }
}
