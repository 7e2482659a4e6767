package io.menuboard.kernel.csv;

import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes CSV (RFC 4180) that people may open in a spreadsheet and that the import reads: {@link CsvFormulas} is applied, but in
 * files that programs alone read. Not thread-safe.
 */
public final class CsvWriter implements Closeable {
    private final CSVPrinter printer;
    private final UnaryOperator<String> text;

    /** @param out closed with this, if it can be */
    public CsvWriter(Appendable out) throws IOException {
        this(out, CsvFormulas::neutralise);
    }

    private CsvWriter(Appendable out, UnaryOperator<String> text) throws IOException {
        this.printer = new CSVPrinter(out, CSVFormat.RFC4180);
        this.text = text;
    }

    /** Writes text as it is, for programs, which know no apostrophe before it. */
    public static CsvWriter forPrograms(Appendable out) throws IOException {
        return new CsvWriter(out, text -> text);
    }

    /** Numbers are written as such, negative ones too, so that a spreadsheet can add them up; anything else as text. */
    public void row(List<?> cells) throws IOException {
        printer.printRecord(cells.stream().map(this::cell));
    }

    private String cell(Object value) {
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case Number number -> number.toString();
            default -> text.apply(value.toString());
        };
    }

    @Override
    public void close() throws IOException {
        printer.close();
    }
}
