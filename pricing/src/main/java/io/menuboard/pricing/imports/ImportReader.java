package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvFormat;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.CsvTable;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a file chunk by chunk: its rows, their drafts, and which keys come twice. Never has more than the chunk that it is
 * reading in memory, and 24 to 72 bytes for every row before it. Not thread-safe.
 */
final class ImportReader<D extends RowDraft> implements Closeable {
    /** After so many bytes a chunk ends with the row that it has, however few rows those are: several are in memory at once. */
    static final int CHUNK_BYTES = 1 << 20;

    private final ImportFormat<D> format;
    private final CsvTable table;
    private final int chunkRows;
    private final SeenRows seen = new SeenRows();

    private ImportReader(ImportFormat<D> format, CsvTable table, int chunkRows) {
        this.format = format;
        this.table = table;
        this.chunkRows = chunkRows;
    }

    /**
     * Some rows in the order of the file.
     *
     * @param drafts of those rows that have fields, with their problems so far
     * @param bytesRead of the file, up to the end of these rows
     */
    record Chunk<D extends RowDraft>(List<CsvRecord> rows, List<D> drafts, long bytesRead) {}

    /** Reads the header, and refuses what {@link CsvTable#open} refuses. */
    static <D extends RowDraft> ImportReader<D> open(
            ImportKind kind, ImportFormat<D> format, InputStream in, ImportConfig config) throws IOException {
        var csv = new CsvFormat(
                kind.label(),
                kind.columns(),
                kind.required(),
                config.maxRows(),
                config.maxRowBytes(),
                ImportReader::broken);
        return new ImportReader<>(format, CsvTable.open(csv, in), config.chunkRows());
    }

    /** The next rows; empty at the end of the file, or once it has had as many rows as it may. */
    Optional<Chunk<D>> next() throws IOException {
        var read = new ArrayList<CsvRecord>();
        var drafts = new ArrayList<D>();
        var begin = table.bytesRead();
        while (read.size() < chunkRows && table.bytesRead() - begin < CHUNK_BYTES) {
            var next = table.next();
            if (next.isEmpty()) {
                break;
            }
            var row = next.get();
            read.add(row);
            if (row.hasFields()) {
                var draft = format.draft(row);
                drafts.add(format.after(draft, seen));
                refuseDuplicate(draft);
            }
        }
        return read.isEmpty() ? Optional.empty() : Optional.of(new Chunk<>(read, drafts, table.bytesRead()));
    }

    /** Tells whether the file has more rows than it may, so that it was not read to its end. */
    boolean isCutOff() {
        return table.isCutOff();
    }

    @Override
    public void close() throws IOException {
        table.close();
    }

    private void refuseDuplicate(D draft) {
        var key = draft.key();
        if (key == null) {
            return;
        }
        var row = draft.row();
        var first = seen.firstRow(key, row.number());
        if (first != 0) {
            row.refuse(new InvalidInput(
                    "DUPLICATE",
                    draft.keyColumn(),
                    "repeats row " + first + ": a file must have " + draft.keyRule() + " once"));
        }
    }

    private static InvalidInput broken(CsvRow.Defect defect) {
        return switch (defect) {
            case QUOTING ->
                new InvalidInput(
                        "BROKEN_QUOTING",
                        CsvRecord.WHOLE_ROW,
                        "must close each quoted field with a quote before the next comma or line, and double quotes"
                                + " inside; reading went on with the next line");
            case TOO_LONG ->
                new InvalidInput(
                        "ROW_TOO_LONG",
                        CsvRecord.WHOLE_ROW,
                        "must not be longer than menuboard.import.max-row-bytes allows");
        };
    }
}
