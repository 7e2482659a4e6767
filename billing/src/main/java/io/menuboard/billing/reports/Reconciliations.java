package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.billing.reports.DynamoQuarters.Counts;
import io.menuboard.billing.transactions.ControlTotals;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.querydb.requests.Concurrently;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares what was recorded with what was reported. To read that takes {@link Permission#BILLING_READ} for all agencies. Thread-safe. */
public final class Reconciliations {
    private static final int QUARTERS_AT_ONCE = 8;

    private final DynamoCheckpoint checkpoints;
    private final DynamoQuarters quarters;

    Reconciliations(DynamoCheckpoint checkpoints, DynamoQuarters quarters) {
        this.checkpoints = checkpoints;
        this.quarters = quarters;
    }

    /**
     * Control totals of one quarter hour: what came in against what committed runs have reported.
     *
     * @param closed whether a committed run has closed it
     * @param ingested sums by currency code
     * @param reported sums by currency code
     * @param runs that have its transactions
     */
    public record Reconciliation(
            Quarter quarter,
            boolean closed,
            long ingestedCount,
            Map<String, BigDecimal> ingested,
            long reportedCount,
            Map<String, BigDecimal> reported,
            List<RunId> runs) {

        /** Tells whether reports have all that came in, and nothing else; true of what is still open. */
        public boolean agrees() {
            return !closed
                    || new ControlTotals(ingestedCount, ingested)
                            .agreesWith(new ControlTotals(reportedCount, reported));
        }
    }

    /**
     * Reconciliations of all agencies by quarter hour, from one to before another; for each a read unit, and one for each shard.
     *
     * @throws io.menuboard.access.Denied for who may see one agency only
     */
    public List<Reconciliation> reconcile(Access access, Quarter from, Quarter to) {
        access.requireForAll(Permission.BILLING_READ);
        var upTo = checkpoints.find().map(Checkpoint::upTo);
        return Concurrently.map(
                        QUARTERS_AT_ONCE, from.until(to).toList(), quarter -> quarters.findCommitted(quarter, upTo))
                .stream()
                .map(counts -> reconciliation(counts, upTo))
                .toList();
    }

    private static Reconciliation reconciliation(Counts counts, Optional<Quarter> upTo) {
        var ingested = counts.allIngested();
        var reported = counts.allReported();
        return new Reconciliation(
                counts.quarter(),
                upTo.filter(end -> counts.quarter().compareTo(end) < 0).isPresent(),
                ingested.count(),
                ingested.sums(),
                reported.count(),
                reported.sums(),
                counts.reported().stream().map(LedgerPart::run).toList());
    }
}
