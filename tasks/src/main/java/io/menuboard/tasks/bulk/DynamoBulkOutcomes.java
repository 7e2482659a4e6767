package io.menuboard.tasks.bulk;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.atMost;
import static io.menuboard.querydb.Condition.equal;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Outcomes of bulk operations as items {@code TASK#{operation}}/{@code OUTCOME#{task}}. They expire. An attempt at an
 * operation that another one has overtaken changes none of what that has written.
 */
final class DynamoBulkOutcomes {
    private static final String OUTCOME = "OUTCOME#";
    private static final String ATTEMPT = "attempt";
    private static final int AT_ONCE = 25;

    private final QueryDb db;
    private final Duration keptFor;

    DynamoBulkOutcomes(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /**
     * Writes that this attempt at the operation is about to change these. One write unit each.
     *
     * @return those that it may change: the others have their outcome, or a later attempt is about to change them
     */
    List<Task> begin(Task operation, List<Task> tasks, Instant now) {
        var mayBegin = absent().or(isOpenFor(operation));
        var begun =
                Concurrently.map(AT_ONCE, tasks, task -> write(operation, BulkOutcome.open(task.id()), now, mayBegin));
        var each = begun.iterator();
        return tasks.stream().filter(_ -> each.next()).toList();
    }

    /** Writes what became of tasks, unless a later attempt has begun with them, or says that already. One write unit each. */
    void save(Task operation, List<BulkOutcome> outcomes, Instant now) {
        Concurrently.forEach(AT_ONCE, outcomes, outcome -> write(operation, outcome, now, isOpenFor(operation)));
    }

    /** Says in the transaction that changes a task that it is changed, unless another attempt has taken over, or it has its outcome. */
    DynamoTasks.Beside changed(Task operation, TaskId task, Instant now) {
        var changed = new BulkOutcome(task, true, null);
        return new DynamoTasks.Beside(List.of(update(operation, changed, now, isOpenFor(operation))));
    }

    /** Begun by this attempt or one before; earlier versions did not write by which. */
    private static Condition isOpenFor(Task operation) {
        return equal("message", BulkOutcome.OPEN).and(absent(ATTEMPT).or(atMost(ATTEMPT, operation.attempt())));
    }

    /** False where the condition does not hold. */
    private boolean write(Task operation, BulkOutcome outcome, Instant now, Condition condition) {
        try {
            // Where nobody heard of it: an open one is written again, and another one stays.
            db.update(update(operation, outcome, now, condition), _ -> false);
            return true;
        } catch (ConditionFailed _) {
            return false;
        }
    }

    private Update update(Task operation, BulkOutcome outcome, Instant now, Condition condition) {
        return Update.of(key(operation.id(), outcome.task()))
                .type("bulkOutcome")
                .set("changed", outcome.changed())
                .setOrRemove("message", outcome.message())
                .set(ATTEMPT, operation.attempt())
                .ttl(now.plus(keptFor))
                .when(condition);
    }

    Page<BulkOutcome> page(TaskId operation, PageRequest page) {
        return db.query(list(operation), page).map(DynamoBulkOutcomes::outcome);
    }

    /** All of them, as they are consumed. */
    Stream<BulkOutcome> all(TaskId operation) {
        return db.all(list(operation)).map(DynamoBulkOutcomes::outcome);
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
