package io.menuboard.billing;

import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many transactions, and what they add up to in each currency.
 *
 * @param sums by currency code
 * @param sha256 of their lines in the ledger, in hexadecimal; null where no ledger is meant
 */
record Tally(
        long count, Map<String, BigDecimal> sums, @Nullable String sha256) {
    static final Tally NONE = new Tally(0, Map.of(), null);

    Tally {
        sums = Map.copyOf(sums);
    }

    /** Both together, of no ledger. */
    Tally plus(Tally other) {
        var both = new TreeMap<>(sums);
        other.sums.forEach((currency, sum) -> both.merge(currency, sum, BigDecimal::add));
        return new Tally(count + other.count, both, null);
    }

    /** Whether both have as many transactions, which add up to the same. */
    boolean agreesWith(Tally other) {
        return count == other.count
                && sums.keySet().equals(other.sums.keySet())
                && sums.entrySet().stream()
                        .allMatch(sum -> sum.getValue().compareTo(other.sums.get(sum.getKey())) == 0);
    }

    /** {@code {count} {sha256} EUR=4.50 USD=3.00} */
    String written() {
        var text = new StringBuilder().append(count).append(' ').append(sha256);
        new TreeMap<>(sums)
                .forEach((currency, sum) ->
                        text.append(' ').append(currency).append('=').append(sum.toPlainString()));
        return text.toString();
    }

    /** Undoes {@link #written}. */
    static Tally read(String written) {
        var parts = written.split(" ", -1);
        var sums = new TreeMap<String, BigDecimal>();
        for (var i = 2; i < parts.length; i++) {
            sums.put(parts[i].substring(0, 3), new BigDecimal(parts[i].substring(4)));
        }
        return new Tally(Long.parseLong(parts[0]), sums, parts[1]);
    }
}
