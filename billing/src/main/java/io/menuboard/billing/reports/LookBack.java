package io.menuboard.billing.reports;

import io.menuboard.billing.reports.DynamoCheckpoint.Settled;
import io.menuboard.billing.transactions.Quarter;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closed quarter hours in which runs look for late transactions. Thread-safe. */
final class LookBack {
    private static final Logger log = LoggerFactory.getLogger(LookBack.class);

    /** Number of runs that may have begun before a quarter hour was sealed, and one more. */
    private static final int RUNS_TO_MEND = 3;

    private final DynamoCheckpoint checkpoints;
    private final DynamoQuarters quarters;
    private final long length;

    LookBack(DynamoCheckpoint checkpoints, DynamoQuarters quarters, ReportsConfig config) {
        this.checkpoints = checkpoints;
        this.quarters = quarters;
        this.length = config.quartersBack();
    }

    /**
     * Counts the quarter hours that differ, and seals those that leave the look-back: one that is sealed and differs stays
     * in it for some runs, which report what arrived there however late (ADR 21). After each run once, a read unit for each
     * quarter hour of twice the look-back, and one for each shard of it; two write units for each counter of each quarter
     * hour that is sealed.
     */
    void settle(Quarter upTo) {
        var before = checkpoints.settled();
        if (before.filter(settled -> settled.upTo().compareTo(upTo) >= 0).isPresent()) {
            return;
        }
        var first = upTo.plus(-2 * length);
        var usual = upTo.plus(-length);
        var from = before.map(Settled::from).orElse(first);
        var held = 0;
        var differing = 0;
        for (var quarter = earliest(from, first); quarter.compareTo(upTo) < 0; quarter = quarter.next()) {
            var leaves = quarter.equals(from) && quarter.compareTo(usual) < 0;
            if (leaves) {
                quarters.seal(quarter);
            }
            var counts = quarters.findCommitted(quarter, Optional.of(upTo));
            if (leaves) {
                held = counts.unreported().isEmpty() ? 0 : heldBefore(before, quarter) + 1;
                if (held > RUNS_TO_MEND) {
                    log.error("no report has all of a quarter hour: quarter={}", quarter);
                    held = 0;
                }
                from = held == 0 ? quarter.next() : from;
            }
            if (!counts.allIngested().agreesWith(counts.allReported())) {
                differing++;
            }
        }
        if (differing > 0) {
            log.warn("quarter hours differ: count={} before={}", differing, upTo);
        }
        checkpoints.settle(new Settled(from, upTo, held, differing));
    }

    private static int heldBefore(Optional<Settled> before, Quarter quarter) {
        return before.filter(settled -> settled.from().equals(quarter))
                .map(Settled::held)
                .orElse(0);
    }

    private static Quarter earliest(Quarter one, Quarter other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** The first quarter hour in which a run looks for late transactions. */
    Quarter begin(RunId run) {
        var usual = run.from().plus(-length);
        return checkpoints
                .settled()
                .map(settled -> earliest(settled.from(), usual))
                .orElse(usual);
    }

    /** Does {@link ReportRuns#differingQuarterHours}. */
    int differingQuarterHours() {
        return checkpoints.settled().map(Settled::differing).orElse(0);
    }
}
