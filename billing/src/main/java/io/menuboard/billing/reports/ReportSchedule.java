package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.BillingStart;
import io.menuboard.billing.transactions.DynamoQuarterCounters;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides from the checkpoint which range comes next, and when. Thread-safe. */
final class ReportSchedule implements BillingStart {
    private final DynamoCheckpoint checkpoints;
    private final DynamoQuarterCounters counters;
    private final Clock clock;
    private final ReportsConfig config;

    /** @param clock one that instances agree on, as far as they can */
    ReportSchedule(DynamoCheckpoint checkpoints, DynamoQuarterCounters counters, Clock clock, ReportsConfig config) {
        this.checkpoints = checkpoints;
        this.counters = counters;
        this.clock = clock;
        this.config = config;
    }

    @Override
    public void begin() {
        checkpoints.begin(lastClosed());
    }

    /** Does {@link ReportRuns#checkpoint}. */
    Checkpoint checkpoint() {
        var known = checkpoints.find();
        if (known.isPresent()) {
            return known.get();
        }
        begin();
        return checkpoints.find().orElseThrow();
    }

    /** The quarter hour up to which everything can be closed now. */
    private Quarter lastClosed() {
        return Quarter.of(clock.instant().minus(config.lag()));
    }

    /** Does {@link ReportRuns#overdue}. */
    Duration overdue() {
        return Duration.between(nextDue(), clock.instant());
    }

    /** Does {@link ReportRuns#nextDue}. */
    Instant nextDue() {
        var checkpoint = checkpoint();
        var from = checkpoint.upTo();
        var covered = from.start().plus(checkpoint.interval());
        var month = Quarter.of(from.month().plusMonths(1)).start();
        return (covered.isBefore(month) ? covered : month).plus(config.lag());
    }

    /** Does {@link ReportRuns#setInterval}. */
    Checkpoint setInterval(Duration interval, Actor actor) {
        if (!ReportsConfig.isInterval(interval)) {
            throw new InvalidInput(
                    "INVALID_INTERVAL", "interval", "must be 15 minutes to 24 hours, in steps of 15 minutes");
        }
        checkpoints.setInterval(checkpoint(), interval, actor);
        return checkpoint();
    }

    /**
     * The range that would be closed now from there; empty where there is nothing to close. Of each of its quarter hours a read unit,
     * and one for each shard.
     */
    Optional<RunId> next(Quarter from) {
        var end = end(from);
        return end.compareTo(from) > 0 ? Optional.of(new RunId(from, fitting(from, end))) : Optional.empty();
    }

    /** The end, or the quarter hour that would make it more than a run may have; the first one is in it whatever it has. */
    private Quarter fitting(Quarter from, Quarter end) {
        var lines = counters.count(from);
        for (var quarter = from.next(); quarter.compareTo(end) < 0; quarter = quarter.next()) {
            lines += counters.count(quarter);
            if (lines > config.maxRunLines()) {
                return quarter;
            }
        }
        return end;
    }

    /** No run is of two months, so that a month's statement is whole runs. */
    private Quarter end(Quarter from) {
        var longest = from.plus(ReportsConfig.LONGEST.dividedBy(Quarter.LENGTH));
        var month = Quarter.of(from.month().plusMonths(1));
        return Stream.of(lastClosed(), longest, month)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Tells whether a run that begins at the checkpoint is due: its interval can be closed, or the month is over. */
    boolean isDue(Checkpoint checkpoint) {
        var closed = lastClosed();
        var from = checkpoint.upTo();
        var waited = Duration.between(from.start(), closed.start());
        var monthIsOver = Quarter.of(from.month().plusMonths(1)).compareTo(closed) <= 0;
        return waited.compareTo(checkpoint.interval()) >= 0 || monthIsOver;
    }
}
