package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file with a header, row by row; {@link CsvRows} says of what kind, and how much memory that needs. Not
 * thread-safe; what it says of its columns may be asked by any thread.
 */
public final class CsvTable implements Closeable {
    private final CsvFormat format;
    private final CsvRows rows;
    private final Map<String, Integer> positions;
    private int count;
    private boolean cutOff;

    private CsvTable(CsvFormat format, CsvRows rows, Map<String, Integer> positions) {
        this.format = format;
        this.rows = rows;
        this.positions = Map.copyOf(positions);
    }

    /**
     * Reads the header, whatever its case and order.
     *
     * @param in closed with this; the caller's to close where this is refused
     * @throws InvalidInput {@code EMPTY_FILE}, {@code NOT_CSV}, {@code NOT_UTF8} or {@code INVALID_HEADER}: nothing of
     *     the file can be used
     */
    public static CsvTable open(CsvFormat format, InputStream in) throws IOException {
        var rows = new CsvRows(in, format.maxRowBytes());
        rows.skip(CsvSignature.check(format, rows.peek(CsvSignature.LENGTH)));
        var header = rows.next().orElseThrow(() -> CsvSignature.empty(format));
        return new CsvTable(
                format,
                rows,
                CsvHeader.positions(
                        format,
                        switch (header) {
                            case CsvRow.Fields(var _, var values, var _) -> values;
                            case CsvRow.Broken(var _, var start, var _) -> List.of(start);
                        }));
    }

    /** The next row that is not blank; empty at the end of the file, and after the first row too many, which is refused. */
    public Optional<CsvRecord> next() throws IOException {
        if (cutOff) {
            return Optional.empty();
        }
        return rows.next().map(row -> {
            cutOff = count++ == format.maxRows();
            return cutOff ? CsvRecord.tooMany(this, row.number()) : CsvRecord.of(this, row);
        });
    }

    /** Tells whether the file has more rows than it may, so that it was not read to its end. */
    public boolean isCutOff() {
        return cutOff;
    }

    public boolean has(String column) {
        return positions.containsKey(column);
    }

    /** Bytes of the file that have become rows. */
    public long bytesRead() {
        return rows.bytesRead();
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }

    CsvFormat format() {
        return format;
    }

    int columnCount() {
        return positions.size();
    }

    /** Position of the column, from 0; null for an absent one. */
    @Nullable
    Integer position(String column) {
        return positions.get(column);
    }

    boolean hasDecimalCommas() {
        return rows.hasSemicolons();
    }
}
