package io.menuboard.kernel;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes CSV (RFC 4180) that people may open in a spreadsheet and that the import reads: {@link CsvFormulas} is applied.
 * Not thread-safe.
 */
public final class CsvWriter implements Closeable {
    private final CSVPrinter printer;

    /** @param out closed with this, if it can be */
    public CsvWriter(Appendable out) throws IOException {
        printer = new CSVPrinter(out, CSVFormat.RFC4180);
    }

    public void row(List<String> cells) throws IOException {
        printer.printRecord(cells.stream().map(CsvFormulas::neutralise));
    }

    @Override
    public void close() throws IOException {
        printer.close();
    }
}
