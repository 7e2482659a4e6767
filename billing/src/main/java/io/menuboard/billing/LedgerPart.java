package io.menuboard.billing;

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
        Map<Integer, Tally> partitions,
        LineIndex index) {
    LedgerPart {
        partitions = Map.copyOf(partitions);
    }

    long lines() {
        return partitions.values().stream().mapToLong(Tally::count).sum();
    }
}
