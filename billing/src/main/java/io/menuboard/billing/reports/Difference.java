package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lines in which two versions of a run differ: a CSV file. Both have their lines in the same order. */
final class Difference {
    static final List<String> COLUMNS = List.of(
            "transaction",
            "agency",
            "currency",
            "amount",
            "change",
            "rateBefore",
            "rateAfter",
            "agencyShareBefore",
            "agencyShareAfter");

    private Difference() {}

    /** The lines of {@code after} are some of those of {@code before}, or all, with whatever values. */
    static void write(LedgerReader before, LedgerReader after, ReportFile out) throws IOException {
        var csv = new CsvBytes();
        out.add(csv.of(COLUMNS));
        var next = after.next();
        for (var line = before.next(); line.isPresent(); line = before.next()) {
            var old = line.get().transaction();
            if (next.isEmpty() || !next.get().transaction().id().equals(old.id())) {
                out.add(csv.of(cells(old, "removed", null)));
                continue;
            }
            var now = next.get().transaction();
            if (!next.get().equals(line.get())) {
                out.add(csv.of(cells(old, "changed", now)));
            }
            next = after.next();
        }
        if (next.isPresent()) {
            throw new IllegalStateException("a later version has a line more: " + next.get());
        }
    }

    private static List<?> cells(Transaction before, String change, @Nullable Transaction after) {
        var now = Optional.ofNullable(after);
        return List.of(
                before.id(),
                before.agency(),
                before.amount().currency(),
                before.amount().amount(),
                change,
                before.commission().rate(),
                now.<Object>map(transaction -> transaction.commission().rate()).orElse(""),
                before.agencyShare().amount(),
                now.<Object>map(transaction -> transaction.agencyShare().amount())
                        .orElse(""));
    }
}
