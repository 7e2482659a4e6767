package io.menuboard.pricing.batches;

import io.menuboard.messaging.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import java.util.Set;

/**
 * Schedules each batch for its time. The batch as it is now decides, not as the record has it: records may be delivered
 * again, after later ones, and at the same time. A schedule of a batch that is gone does no harm.
 */
final class BatchWaker implements ChangeHandler {
    private final DynamoPriceBatches batches;
    private final BatchSchedules schedules;

    BatchWaker(DynamoPriceBatches batches, BatchSchedules schedules) {
        this.batches = batches;
        this.schedules = schedules;
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoPriceBatches.TYPE);
    }

    @Override
    public void handle(ChangeRecord record) {
        var batch = DynamoPriceBatches.batchAt(record.key());
        if (DynamoPriceBatches.isAtSameInstant(record)) {
            return; // more or fewer changes: it is scheduled already
        }
        if (!scheduled(batch)) {
            schedules.cancel(batch);
            // It may have been made and scheduled again before this schedule was removed.
            scheduled(batch);
        }
    }

    /** Schedules the batch; false where there is none. */
    private boolean scheduled(PriceBatch batch) {
        var found = batches.find(batch);
        found.ifPresent(there -> schedules.schedule(there.batch(), there.at()));
        return found.isPresent();
    }
}
