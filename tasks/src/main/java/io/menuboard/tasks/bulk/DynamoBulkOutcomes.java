package io.menuboard.tasks.bulk;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Outcomes of bulk operations as items {@code TASK#{operation}}/{@code OUTCOME#{task}}. They expire. */
final class DynamoBulkOutcomes {
    private static final String OUTCOME = "OUTCOME#";

    private final QueryDb db;
    private final Duration keptFor;

    DynamoBulkOutcomes(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /** Writes that these are about to be changed. One write unit each. */
    void begin(TaskId operation, List<Task> tasks, Instant now) {
        save(operation, tasks.stream().map(task -> BulkOutcome.open(task.id())).toList(), now);
    }

    /** One write unit each. */
    void save(TaskId operation, List<BulkOutcome> outcomes, Instant now) {
        db.saveBatch(outcomes.stream()
                        .map(outcome -> new Save(item(operation, outcome, now), SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    /** Those of them that have none yet, or an open one. One read unit each. */
    List<Task> unsettled(TaskId operation, List<Task> tasks) {
        var keys = tasks.stream().map(task -> key(operation, task.id())).toList();
        var known = db.getBatch(keys, Consistency.STRONG).iterator();
        return tasks.stream()
                .filter(_ -> known.next().map(item -> outcome(item).isOpen()).orElse(true))
                .toList();
    }

    Page<BulkOutcome> page(TaskId operation, PageRequest page) {
        return db.query(list(operation), page).map(DynamoBulkOutcomes::outcome);
    }

    /** All of them, as they are consumed. */
    Stream<BulkOutcome> all(TaskId operation) {
        return db.all(list(operation)).map(DynamoBulkOutcomes::outcome);
    }

    private Item item(TaskId operation, BulkOutcome outcome, Instant now) {
        var item = Item.at(key(operation, outcome.task()))
                .type("bulkOutcome")
                .flag("changed", outcome.changed())
                .ttl(now.plus(keptFor));
        if (outcome.message() != null) {
            item.string("message", outcome.message());
        }
        return item.build();
    }

    private static Key key(TaskId operation, TaskId task) {
        return new Key("TASK#" + operation, OUTCOME + task);
    }

    private static Query list(TaskId operation) {
        return Query.table("bulkOutcomes", "TASK#" + operation).beginsWith(OUTCOME);
    }

    private static BulkOutcome outcome(Item item) {
        return new BulkOutcome(
                new TaskId(item.key().sort().substring(OUTCOME.length())),
                item.flag("changed"),
                item.findString("message").orElse(null));
    }
}
