package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The first row of a file, which says what stands where. */
final class CsvHeader {
    private CsvHeader() {}

    /**
     * The position of each column, from 0, whatever the header's case and order.
     *
     * @throws InvalidInput {@code INVALID_HEADER}, saying what is allowed, for a column that is unknown, twice there or
     *     missing
     */
    static Map<String, Integer> positions(CsvFormat format, List<String> header) {
        var names = new HashMap<String, String>();
        format.columns().forEach(column -> names.put(column.toLowerCase(Locale.ROOT), column));
        if (header.size() == 1 && header.getFirst().indexOf('\t') >= 0) {
            throw invalid(format, "its columns are not separated by commas or semicolons");
        }
        var positions = new HashMap<String, Integer>();
        for (var i = 0; i < header.size(); i++) {
            var column = names.get(header.get(i).strip().toLowerCase(Locale.ROOT));
            if (column == null) {
                throw invalid(format, "column " + (i + 1) + " is '" + shortened(header.get(i)) + "', which is unknown");
            }
            if (positions.putIfAbsent(column, i) != null) {
                throw invalid(format, "column " + column + " is there twice");
            }
        }
        for (var column : format.required()) {
            if (!positions.containsKey(column)) {
                throw invalid(format, "column " + column + " is missing");
            }
        }
        return positions;
    }

    private static InvalidInput invalid(CsvFormat format, String problem) {
        return new InvalidInput(
                "INVALID_HEADER",
                "header",
                "The header of the " + format.label() + " file cannot be used: " + problem + ". Allowed are "
                        + String.join(", ", format.columns()) + "; required are "
                        + String.join(", ", format.required()));
    }

    private static String shortened(String text) {
        return text.length() > 60 ? Texts.cut(text, 60) + "…" : text;
    }
}
