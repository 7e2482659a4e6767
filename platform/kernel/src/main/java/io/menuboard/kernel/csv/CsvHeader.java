package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The first row of a file, which says what stands where. */
public final class CsvHeader {
    private CsvHeader() {}

    /**
     * Where each column stands, from 0, whatever the header's case and order.
     *
     * @param label what the file is called in messages
     * @throws InvalidInput {@code INVALID_HEADER}, saying what is allowed, for a column that is unknown, twice there or
     *     missing
     */
    public static Map<String, Integer> positions(
            String label, List<String> columns, List<String> required, List<String> header) {
        var names = new HashMap<String, String>();
        columns.forEach(column -> names.put(column.toLowerCase(Locale.ROOT), column));
        if (header.size() == 1 && header.getFirst().indexOf('\t') >= 0) {
            throw invalid(label, columns, required, "its columns are not separated by commas or semicolons");
        }
        var positions = new HashMap<String, Integer>();
        for (var i = 0; i < header.size(); i++) {
            var column = names.get(header.get(i).strip().toLowerCase(Locale.ROOT));
            if (column == null) {
                throw invalid(
                        label,
                        columns,
                        required,
                        "column " + (i + 1) + " is '" + shortened(header.get(i)) + "', which is unknown");
            }
            if (positions.putIfAbsent(column, i) != null) {
                throw invalid(label, columns, required, "column " + column + " is there twice");
            }
        }
        for (var column : required) {
            if (!positions.containsKey(column)) {
                throw invalid(label, columns, required, "column " + column + " is missing");
            }
        }
        return positions;
    }

    private static InvalidInput invalid(String label, List<String> columns, List<String> required, String problem) {
        return new InvalidInput(
                "INVALID_HEADER",
                "header",
                "The header of the " + label + " file cannot be used: " + problem + ". Allowed are "
                        + String.join(", ", columns) + "; required are " + String.join(", ", required));
    }

    private static String shortened(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}
