package io.menuboard.billing.transactions;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/**
 * Number of some transactions, and what they add up to in each currency: two sets with the same control totals are taken
 * for the same.
 *
 * @param sums by currency code
 */
public record ControlTotals(long count, Map<String, BigDecimal> sums) {
    /** Control totals of no transactions. */
    public static final ControlTotals NONE = new ControlTotals(0, Map.of());

    public ControlTotals {
        sums = Map.copyOf(sums);
    }

    /** Both sets together. */
    public ControlTotals plus(ControlTotals other) {
        var both = new TreeMap<>(sums);
        other.sums.forEach((currency, sum) -> both.merge(currency, sum, BigDecimal::add));
        return new ControlTotals(count + other.count, both);
    }

    /** Tells whether both have as many transactions, which add up to the same. */
    public boolean agreesWith(ControlTotals other) {
        return count == other.count
                && sums.keySet().equals(other.sums.keySet())
                && sums.entrySet().stream()
                        .allMatch(sum -> sum.getValue().compareTo(other.sums.get(sum.getKey())) == 0);
    }
}
