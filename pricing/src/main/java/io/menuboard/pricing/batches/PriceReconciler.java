package io.menuboard.pricing.batches;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts right what went wrong with batches: applies those that are overdue, and schedules those that should be. */
public final class PriceReconciler {
    private static final Access SYSTEM = Access.ofSystem("price reconciler", Actor.Source.SCHEDULER);

    private static final Logger log = LoggerFactory.getLogger(PriceReconciler.class);

    /**
     * Time that a batch may be overdue before it is applied here, and before its time in which it is left to the message that
     * is in flight: its consumer is given the time.
     */
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** A missing schedule is also found in time by the next instance, should one reconciler die. */
    private static final int PERIODS_AHEAD = 3;

    private static final int PERIODS_VALID = 3;

    /** Longest outage that is made up for. */
    private static final int DAYS_BACK = 31;

    /**
     * A batch stays listed where the clock of its store had it when it was last changed. Where the store has moved east since, it
     * is due before that, by as much as zones are apart: 26 hours at the most.
     */
    private static final int DAYS_AHEAD = 2;

    private final ChangeBatches batches;
    private final DynamoPriceBatches stored;
    private final BatchSchedules schedules;
    private final BatchedChangeSets sets;
    private final Clock clock;
    private final BatchesConfig config;

    private volatile @Nullable Found last;

    PriceReconciler(
            ChangeBatches batches,
            DynamoPriceBatches stored,
            BatchSchedules schedules,
            BatchedChangeSets sets,
            Clock clock,
            BatchesConfig config) {
        this.batches = batches;
        this.stored = stored;
        this.schedules = schedules;
        this.sets = sets;
        this.clock = clock;
        this.config = config;
    }

    /**
     * Findings of one run.
     *
     * @param overdueBatches batches that were not applied in time, and that the run has applied
     * @param stuckSets sets in progress, or being previewed, that no task works on: their task is dead, cancelled or gone
     */
    public record Found(Instant at, int overdueBatches, int stuckSets) {}

    void run() {
        var overdue = reconcile(); // before what may fail: histories and events wait for it
        last = new Found(clock.instant(), overdue, sets.countStuck());
    }

    /** Findings of this instance's last run, if that is not long ago: another instance may have run since. */
    public Optional<Found> lately() {
        return Optional.ofNullable(last).filter(found -> found.at()
                .plus(config.reconcileEvery().multipliedBy(PERIODS_VALID))
                .isAfter(clock.instant()));
    }

    /**
     * Applies what is overdue, and schedules what is soon due, whatever was lost on the way. One batch that fails keeps no
     * other one waiting, and one that only another version can read is left to that. Times are those of
     * the zones that the stores have now. Half a read unit for each of 34 days, shard and 4 KB, about 15 batches, and for each
     * store of these batches that is not remembered; and a request for each batch that is soon due.
     *
     * @return number of batches that were overdue, without those whose store has moved again meanwhile
     */
    int reconcile() {
        var now = clock.instant();
        var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        var listed = batches.atTheirTimes(
                SYSTEM,
                today.minusDays(DAYS_BACK)
                        .datesUntil(today.plusDays(DAYS_AHEAD + 1))
                        .flatMap(stored::of)
                        .toList());
        var overdue = apply(listed.stream()
                .filter(batch -> batch.at().plus(GRACE).isBefore(now))
                .toList());
        var soon = now.plus(config.reconcileEvery().multipliedBy(PERIODS_AHEAD));
        schedule(listed.stream()
                .filter(batch ->
                        batch.at().minus(GRACE).isAfter(now) && batch.at().isBefore(soon.plus(GRACE)))
                .toList());
        return overdue;
    }

    private void schedule(List<ScheduledBatch> due) {
        Concurrently.forEach(config.chunksAtOnce(), due, scheduled -> {
            var batch = scheduled.batch();
            try {
                schedules.schedule(batch, scheduled.at());
            } catch (RuntimeException e) {
                // The edge of one batch: the next runs try again, and apply it once it is overdue.
                QueryDbException.warn(
                        log,
                        e,
                        "batch not scheduled: store={} channel={} effectiveDate={}",
                        batch.store(),
                        batch.channel(),
                        batch.effectiveDate());
            }
        });
    }

    /** The number of those that are overdue, also where they could not be applied: a remembered store may have an old clock. */
    private int apply(List<ScheduledBatch> listed) {
        var unreadable = new LongAdder();
        var early = new LongAdder();
        Concurrently.forEach(config.chunksAtOnce(), listed, scheduled -> {
            var batch = scheduled.batch();
            try {
                if (batches.apply(SYSTEM, batch) instanceof DueBatches.Due.NotDueYet) {
                    early.increment();
                    return;
                }
                log.warn(
                        "batch is overdue: store={} channel={} effectiveDate={}",
                        batch.store(),
                        batch.channel(),
                        batch.effectiveDate());
            } catch (UnreadableItem _) {
                unreadable.increment();
            } catch (RuntimeException e) {
                // The edge of one batch: the others are overdue, too, and more are soon due.
                log.error(
                        "overdue batch not applied: store={} channel={} effectiveDate={}",
                        batch.store(),
                        batch.channel(),
                        batch.effectiveDate(),
                        e);
            }
        });
        if (unreadable.sum() > 0) {
            log.warn("overdue batches are left to instances of another version: count={}", unreadable);
        }
        return listed.size() - early.intValue();
    }
}
