package io.menuboard.billing.reports;

import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.CsvRows;
import io.menuboard.querydb.UnreadableItem;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads lines of a ledger, or of an agency's file, as they are consumed. Not thread-safe. */
final class LedgerReader implements Closeable {
    /** Six fields of 64 characters, four bytes each and quoted, and the rest. */
    static final int MAX_ROW_BYTES = 4096;

    private final CsvRows rows;

    private LedgerReader(CsvRows rows) {
        this.rows = rows;
    }

    /** A whole file, its header first; closed with the reader. */
    static LedgerReader file(InputStream in) throws IOException {
        var reader = part(in);
        reader.rows.next();
        return reader;
    }

    /** A part of a file that begins with a line. */
    static LedgerReader part(InputStream in) {
        return new LedgerReader(new CsvRows(in, MAX_ROW_BYTES));
    }

    Optional<LedgerLine> next() throws IOException {
        return rows.next().map(row -> switch (row) {
            case CsvRow.Fields(var _, var values, var _) ->
                UnreadableItem.read("a line of a ledger", () -> LedgerLine.of(values));
            case CsvRow.Broken broken -> throw new IllegalStateException("a ledger has a broken line: " + broken);
        });
    }

    /** Bytes that have become lines. */
    long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }
}
