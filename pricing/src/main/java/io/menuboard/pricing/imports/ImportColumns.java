package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvHeader;
import java.util.List;
import java.util.Map;

/**
 * Which column of a file stands where.
 *
 * @param positions from 0, by name
 * @param count number of columns
 * @param decimalCommas whether numbers may have a comma before their decimals
 */
record ImportColumns(ImportKind kind, Map<String, Integer> positions, int count, boolean decimalCommas) {

    ImportColumns {
        positions = Map.copyOf(positions);
    }

    /**
     * Reads a header, whatever its case and order.
     *
     * @throws InvalidInput {@code INVALID_HEADER}, saying what is allowed, for a column that is unknown, twice there or
     *     missing
     */
    static ImportColumns of(ImportKind kind, List<String> header, boolean decimalCommas) {
        var positions = CsvHeader.positions(kind.label(), kind.columns(), kind.required(), header);
        return new ImportColumns(kind, positions, header.size(), decimalCommas);
    }

    /** Whether the file leaves out columns that it may have. */
    boolean incomplete() {
        return count < kind.columns().size();
    }

    boolean has(String column) {
        return positions.containsKey(column);
    }
}
