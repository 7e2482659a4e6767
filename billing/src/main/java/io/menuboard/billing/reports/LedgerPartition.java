package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.ControlTotals;
import java.math.BigDecimal;
import java.util.TreeMap;

/**
 * The lines that a part of a ledger has of one shard of its quarter hour.
 *
 * @param sha256 of the lines, in hexadecimal
 */
record LedgerPartition(ControlTotals totals, String sha256) {

    /** {@code {count} {sha256} EUR=4.50 USD=3.00} */
    String written() {
        var text = new StringBuilder().append(totals.count()).append(' ').append(sha256);
        new TreeMap<>(totals.sums())
                .forEach((currency, sum) ->
                        text.append(' ').append(currency).append('=').append(sum.toPlainString()));
        return text.toString();
    }

    /** Undoes {@link #written}. */
    static LedgerPartition read(String written) {
        var parts = written.split(" ", -1);
        var sums = new TreeMap<String, BigDecimal>();
        for (var i = 2; i < parts.length; i++) {
            sums.put(parts[i].substring(0, 3), new BigDecimal(parts[i].substring(4)));
        }
        return new LedgerPartition(new ControlTotals(Long.parseLong(parts[0]), sums), parts[1]);
    }
}
