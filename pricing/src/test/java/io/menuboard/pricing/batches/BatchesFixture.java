package io.menuboard.pricing.batches;

import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import java.time.Clock;
import java.time.Duration;

/** Batches on a test's own table, wired as {@link BatchesFactory} does. */
public final class BatchesFixture {
    private static final BatchesConfig CONFIG = new BatchesConfig(2, 4, Duration.ofMinutes(5));

    public final DynamoPendingChanges pending;
    public final DynamoPriceBatches stored;
    public final DynamoBatchApplier applier;
    private final PriceBook book;
    private final Clock clock;

    public BatchesFixture(QueryDb db, PriceBook book, PriceRevisions revisions, Clock clock) {
        this.book = book;
        this.clock = clock;
        pending = new DynamoPendingChanges(db);
        stored = new DynamoPriceBatches(db, CONFIG.shards());
        applier = new DynamoBatchApplier(db, stored, pending, book, revisions, clock);
    }

    public ChangeBatches batches(BatchedChangeSets sets) {
        return new ChangeBatches(applier, stored, pending, sets, book.stores(), clock);
    }

    /** Number of batches that were overdue. */
    public int reconcile(BatchSchedules schedules, BatchedChangeSets sets) {
        return reconciler(schedules, sets).reconcile();
    }

    PriceReconciler reconciler(BatchSchedules schedules, BatchedChangeSets sets) {
        return new PriceReconciler(batches(sets), stored, schedules, sets, clock, CONFIG);
    }

    public ChangeHandler waker(BatchSchedules schedules) {
        return new BatchWaker(stored, schedules);
    }

    /** The batch that an item is, by its key. */
    public static PriceBatch batchAt(Key key) {
        return DynamoPriceBatches.batchAt(key);
    }
}
