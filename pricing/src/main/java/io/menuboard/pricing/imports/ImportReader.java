package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.CsvRows;
import io.menuboard.pricing.changes.SeenKeys;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a file chunk by chunk: its header, its rows, what they say, and which keys come twice. Never has more than the
 * chunk that it is reading in memory, and 24 to 72 bytes for every row before it. Not thread-safe.
 */
final class ImportReader<D extends ImportRow.Draft> implements Closeable {
    static final int SIGNATURE_LENGTH = 4096;

    private final ImportFormat<D> format;
    private final ImportConfig config;
    private final CsvRows rows;
    private final ImportColumns columns;
    private final SeenKeys keys = new SeenKeys();
    private int count;
    private boolean cutOff;

    private ImportReader(ImportFormat<D> format, ImportConfig config, CsvRows rows, ImportColumns columns) {
        this.format = format;
        this.config = config;
        this.rows = rows;
        this.columns = columns;
    }

    /**
     * Some rows in the order of the file.
     *
     * @param drafts of those rows that have fields, with their problems so far
     * @param bytesRead of the file, up to the end of these rows
     */
    record Chunk<D extends ImportRow.Draft>(List<ImportRow> rows, List<D> drafts, long bytesRead) {}

    /**
     * Reads the header.
     *
     * @throws InvalidInput {@code EMPTY_FILE}, {@code NOT_CSV}, {@code NOT_UTF8} or {@code INVALID_HEADER}: nothing of
     *     the file can be used
     */
    static <D extends ImportRow.Draft> ImportReader<D> open(
            ImportKind kind, ImportFormat<D> format, InputStream in, ImportConfig config) throws IOException {
        var rows = new CsvRows(in, config.maxRowBytes());
        rows.skip(checkedSignature(kind.label(), kind.required(), rows.peek(SIGNATURE_LENGTH)));
        var header = rows.next().orElseThrow(() -> empty(kind.label(), kind.required()));
        return switch (header) {
            case CsvRow.Fields(var _, var values, var _) ->
                new ImportReader<>(format, config, rows, ImportColumns.of(kind, values, rows.hasSemicolons()));
            case CsvRow.Broken(var _, var start, var _) ->
                new ImportReader<>(format, config, rows, ImportColumns.of(kind, List.of(start), false));
        };
    }

    /** The next rows; empty at the end of the file, or once it has had as many rows as it may. */
    Optional<Chunk<D>> next() throws IOException {
        var read = new ArrayList<ImportRow>();
        var drafts = new ArrayList<D>();
        while (read.size() < config.chunkRows() && !cutOff) {
            var next = rows.next();
            if (next.isEmpty()) {
                break;
            }
            if (count == config.maxRows()) {
                cutOff = true;
                read.add(ImportRow.tooMany(columns, next.get().number(), config.maxRows()));
                break;
            }
            count++;
            var row = ImportRow.of(columns, next.get());
            read.add(row);
            if (row.hasFields()) {
                var draft = format.draft(row);
                refuseDuplicate(draft);
                drafts.add(draft);
            }
        }
        return read.isEmpty() ? Optional.empty() : Optional.of(new Chunk<>(read, drafts, rows.bytesRead()));
    }

    /** Whether the file has more rows than it may, so that it was not read to its end. */
    boolean cutOff() {
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        rows.close();
    }

    private void refuseDuplicate(D draft) {
        var key = draft.key();
        if (key == null) {
            return;
        }
        var row = draft.row();
        var first = keys.firstRow(key, row.number());
        if (first != 0) {
            var column = draft.keyColumn();
            row.refuse(
                    column,
                    row.value(column),
                    column + " repeats row " + first + ": a file must have " + draft.keyRule() + " once",
                    "DUPLICATE");
        }
    }

    /** The number of bytes before the header, once it is clear that the file is text. */
    static int checkedSignature(String label, List<String> required, byte[] head) {
        if (head.length == 0) {
            throw empty(label, required);
        }
        if (startsWith(head, 'P', 'K', 3, 4)) {
            throw notCsv(label, "NOT_CSV", "is a zip archive or an Excel workbook (.xlsx)");
        }
        if (startsWith(head, 0xD0, 0xCF, 0x11, 0xE0)) {
            throw notCsv(label, "NOT_CSV", "is an Excel workbook (.xls)");
        }
        if (startsWith(head, 0x1F, 0x8B)) {
            throw notCsv(label, "NOT_CSV", "is compressed");
        }
        if (startsWith(head, 0xFF, 0xFE) || startsWith(head, 0xFE, 0xFF)) {
            throw notCsv(label, "NOT_UTF8", "is UTF-16");
        }
        for (var next : head) {
            if (next == 0) {
                throw notCsv(label, "NOT_UTF8", "is UTF-16 or no text at all");
            }
        }
        return startsWith(head, 0xEF, 0xBB, 0xBF) ? 3 : 0;
    }

    private static boolean startsWith(byte[] head, int... signature) {
        for (var i = 0; i < signature.length; i++) {
            if (i == head.length || Byte.toUnsignedInt(head[i]) != signature[i]) {
                return false;
            }
        }
        return true;
    }

    static InvalidInput empty(String label, List<String> required) {
        return new InvalidInput(
                "EMPTY_FILE",
                "file",
                "The " + label + " file is empty: its first row must be a header with at least "
                        + String.join(", ", required));
    }

    private static InvalidInput notCsv(String label, String code, String problem) {
        return new InvalidInput(code, "file", "The " + label + " file " + problem + "; save it as CSV in UTF-8");
    }
}
