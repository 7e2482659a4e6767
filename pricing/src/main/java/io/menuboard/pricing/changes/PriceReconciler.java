package io.menuboard.pricing.changes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks every so often, in turn with the other instances, for what went wrong on the way; see {@link ChangeBatches}. */
public final class PriceReconciler {
    private static final int PERIODS_VALID = 3;

    private final ChangeBatches batches;
    private final ChangeSets sets;
    private final BatchSchedules schedules;
    private final Clock clock;
    private final Duration every;

    private volatile @Nullable Found last;

    PriceReconciler(ChangeBatches batches, ChangeSets sets, BatchSchedules schedules, Clock clock, Duration every) {
        this.batches = batches;
        this.sets = sets;
        this.schedules = schedules;
        this.clock = clock;
        this.every = every;
    }

    /**
     * What a look showed.
     *
     * @param overdueBatches of which nobody was told in time, and which were applied therefore
     * @param stuckSets sets in progress of which nobody goes on: their task is dead, cancelled or gone
     */
    public record Found(Instant at, int overdueBatches, int stuckSets) {}

    void run() {
        var stuck = sets.countStuck();
        last = new Found(clock.instant(), batches.reconcile(schedules), stuck);
    }

    /** What this instance found the last time, if that is not long ago: another one may have its turn since. */
    public Optional<Found> lately() {
        return Optional.ofNullable(last)
                .filter(found ->
                        found.at().plus(every.multipliedBy(PERIODS_VALID)).isAfter(clock.instant()));
    }
}
