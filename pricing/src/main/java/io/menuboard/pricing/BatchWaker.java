package io.menuboard.pricing;

import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import java.util.Set;

/**
 * Has every batch woken when its time has come. What the batch is now decides, not what the record says it was: records
 * may come again, and after later ones.
 */
final class BatchWaker implements ChangeHandler {
    private final DynamoPriceChanges changes;
    private final BatchSchedules schedules;

    BatchWaker(DynamoPriceChanges changes, BatchSchedules schedules) {
        this.changes = changes;
        this.schedules = schedules;
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoPriceChanges.BATCH);
    }

    @Override
    public void handle(ChangeRecord record) {
        var batch = DynamoPriceChanges.batchAt(record.key());
        var before = record.before();
        var after = record.after();
        if (before != null && after != null && before.string("gsi1sk").equals(after.string("gsi1sk"))) {
            return; // more or fewer changes at the same instant: it is woken already
        }
        changes.find(batch)
                .ifPresentOrElse(found -> schedules.schedule(found.batch(), found.at()), () -> schedules.cancel(batch));
    }
}
