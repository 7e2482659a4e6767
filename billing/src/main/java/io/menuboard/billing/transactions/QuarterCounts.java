package io.menuboard.billing.transactions;

import io.menuboard.querydb.Item;
import java.util.List;
import java.util.Map;

/**
 * Control totals of a quarter hour.
 *
 * @param byShard of shards that have transactions
 * @param beside items of the quarter hour's partition that are no counters: what reports note there comes with the same
 *     read
 */
public record QuarterCounts(Map<Integer, ControlTotals> byShard, List<Item> beside) {
    public QuarterCounts {
        byShard = Map.copyOf(byShard);
        beside = List.copyOf(beside);
    }
}
