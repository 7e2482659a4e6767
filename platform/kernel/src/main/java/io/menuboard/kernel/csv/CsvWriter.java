package io.menuboard.kernel.csv;

import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
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

    /** Numbers are written as such, negative ones too, so that a spreadsheet can add them up; anything else as text. */
    public void row(List<?> cells) throws IOException {
        printer.printRecord(cells.stream().map(CsvWriter::cell));
    }

    private static String cell(Object value) {
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case Number number -> number.toString();
            default -> CsvFormulas.neutralise(value.toString());
        };
    }

    @Override
    public void close() throws IOException {
        printer.close();
    }
}
