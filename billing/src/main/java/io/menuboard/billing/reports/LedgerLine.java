package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Commission;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvFormulas;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of a report.
 *
 * @param late whether its transaction arrived in a quarter hour that an earlier report had closed
 */
public record LedgerLine(Transaction transaction, boolean late) {
    /** Columns of the CSV files, in their order. */
    static final List<String> COLUMNS = with(Transaction.COLUMNS, List.of("late", "quarterHour", "shard", "place"));

    /** The cells of its row. */
    List<?> cells() {
        var place = transaction.place();
        return with(transaction.cells(), List.of(late, place.quarter(), place.shard(), place.sortKey()));
    }

    private static <T> List<T> with(List<T> head, List<? extends T> tail) {
        var both = new ArrayList<>(head);
        both.addAll(tail);
        return List.copyOf(both);
    }

    /** Undoes {@link #cells}, but for who recorded the transaction. */
    static LedgerLine of(List<String> cells) {
        var row = cells.iterator();
        var id = new TransactionId(text(row.next()));
        var agency = new AgencyId(text(row.next()));
        var product = text(row.next());
        var customer = text(row.next());
        var currency = Money.currencyOf(row.next());
        var amount = new Money(new BigDecimal(row.next()), currency);
        var rate = new BigDecimal(row.next());
        var rule = orNull(text(row.next()));
        var commission = new Commission(rate, Rounding.valueOf(row.next()), rule);
        var agencyShare = new Money(new BigDecimal(row.next()), currency);
        row.next(); // the house's share follows from the two
        var occurredAt = Instant.parse(text(row.next()));
        var corrects = orNull(text(row.next()));
        var late = Boolean.parseBoolean(row.next());
        var place = new Place(Quarter.parse("quarterHour", row.next()), Integer.parseInt(row.next()), row.next());
        return new LedgerLine(
                new Transaction(
                        id,
                        agency,
                        product,
                        customer,
                        amount,
                        occurredAt,
                        commission,
                        agencyShare,
                        corrects == null ? null : new TransactionId(corrects),
                        null,
                        place),
                late);
    }

    private static @Nullable String orNull(String value) {
        return value.isEmpty() ? null : value;
    }

    private static String text(String cell) {
        return CsvFormulas.strip(cell);
    }
}
