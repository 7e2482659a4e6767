package io.menuboard.pricing.batches;

import java.time.Instant;

/** Port: one-time schedules of batches. Every method may be called again without harm. */
public interface BatchSchedules {

    /** Lets the batch be due at that instant, once; at once where that is so soon, or past, that a schedule is no use. */
    void schedule(PriceBatch batch, Instant at);

    /** Removes the batch's schedule, if there is one. */
    void cancel(PriceBatch batch);

    /** True while the batch has a schedule that has not fired. */
    boolean isScheduled(PriceBatch batch);
}
