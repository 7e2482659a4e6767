package io.menuboard.billing.reports;

import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums of some lines of one currency. Sums have the currency's scale, and any number of digits.
 *
 * @param lines how many they are, late ones included
 * @param lateLines how many of them are late
 */
public record Totals(long lines, long lateLines, Currency currency, BigDecimal amount, BigDecimal agencyShare) {

    public BigDecimal houseShare() {
        return amount.subtract(agencyShare);
    }

    /** Totals of the two sets of lines together, which are of the same currency. */
    Totals plus(Totals other) {
        return new Totals(
                lines + other.lines,
                lateLines + other.lateLines,
                currency,
                amount.add(other.amount),
                agencyShare.add(other.agencyShare));
    }

    static Totals of(LedgerLine line) {
        var amount = line.transaction().amount();
        return new Totals(
                1,
                line.late() ? 1 : 0,
                amount.currency(),
                amount.amount(),
                line.transaction().agencyShare().amount());
    }

    /** One for each currency, by code. */
    static List<Totals> sum(Collection<Totals> totals) {
        var sums = new TreeMap<String, Totals>();
        totals.forEach(each -> sums.merge(each.currency.getCurrencyCode(), each, Totals::plus));
        return new ArrayList<>(sums.values());
    }

    /** Writes totals as attributes of an item: {@code {lines} {lateLines} {amount} {agencyShare}} by currency. */
    static Map<String, String> written(Collection<Totals> totals) {
        var written = new TreeMap<String, String>();
        totals.forEach(each -> written.put(
                each.currency.getCurrencyCode(),
                each.lines + " " + each.lateLines + " " + each.amount.toPlainString() + " "
                        + each.agencyShare.toPlainString()));
        return written;
    }

    /** Undoes {@link #written}. */
    static List<Totals> read(Map<String, String> written) {
        return written.entrySet().stream()
                .map(entry -> {
                    var currency = Money.currencyOf(entry.getKey());
                    var parts = entry.getValue().split(" ", -1);
                    return new Totals(
                            Long.parseLong(parts[0]),
                            Long.parseLong(parts[1]),
                            currency,
                            new BigDecimal(parts[2]),
                            new BigDecimal(parts[3]));
                })
                .toList();
    }
}
