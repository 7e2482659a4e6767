package io.menuboard.pricing;

import java.time.Instant;

/** Every schedule is lost. */
final class NoSchedules implements BatchSchedules {
    @Override
    public void schedule(PriceBatch batch, Instant at) {}

    @Override
    public void cancel(PriceBatch batch) {}

    @Override
    public boolean isScheduled(PriceBatch batch) {
        return false;
    }
}
