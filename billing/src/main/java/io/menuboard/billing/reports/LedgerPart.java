package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.ControlTotals;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction.Place;
import java.util.Map;

/**
 * The lines of one quarter hour in the ledger of a run: those of a quarter of its range, or late ones of an earlier one.
 *
 * @param offset bytes of the ledger before them
 * @param length their bytes
 * @param partitions what they are in each shard of the quarter that has any
 * @param index where its lines are; {@link LineIndex#NONE} of what versions without an index wrote
 */
record LedgerPart(
        RunId run,
        Quarter quarter,
        boolean late,
        long offset,
        long length,
        Map<Integer, LedgerPartition> partitions,
        LineIndex index) {
    LedgerPart {
        partitions = Map.copyOf(partitions);
    }

    /** Control totals of what it has of a shard. */
    ControlTotals totals(int shard) {
        var lines = partitions.get(shard);
        return lines == null ? ControlTotals.NONE : lines.totals();
    }

    /** Range of the ledger in which a line with that place is, if it is in this part. */
    LineIndex.Range around(Place place) {
        return index.around(place, length).after(offset);
    }
}
