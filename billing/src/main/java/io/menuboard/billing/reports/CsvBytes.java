package io.menuboard.billing.reports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.kernel.csv.CsvWriter;
import java.io.IOException;
import java.util.List;

/** Rows of CSV files as bytes, line break included; no line break is within, because no id has one. Not thread-safe. */
final class CsvBytes {
    private final StringBuilder row = new StringBuilder(512);
    private final CsvWriter csv;

    CsvBytes() throws IOException {
        csv = new CsvWriter(row);
    }

    byte[] of(List<?> cells) throws IOException {
        row.setLength(0);
        csv.row(cells);
        return row.toString().getBytes(UTF_8);
    }
}
