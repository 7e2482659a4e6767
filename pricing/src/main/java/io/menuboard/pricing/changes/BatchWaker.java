package io.menuboard.pricing.changes;

import io.menuboard.messaging.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import java.util.Set;

/**
 * Has every batch woken when its time has come. What the batch is now decides, not what the record says it was: records
 * may come again, after later ones, and at the same time. A schedule of a batch that is gone does no harm.
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
        if (!scheduled(batch)) {
            schedules.cancel(batch);
            // Whoever has made the batch again in the meantime may have been told so before this schedule was removed.
            scheduled(batch);
        }
    }

    /** Whether there is such a batch, which then has a schedule. */
    private boolean scheduled(PriceBatch batch) {
        var found = changes.find(batch);
        found.ifPresent(there -> schedules.schedule(there.batch(), there.at()));
        return found.isPresent();
    }
}
