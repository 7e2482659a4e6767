package io.menuboard.pricing.imports;

import java.util.List;

/**
 * One thing that is wrong with one row of an imported file. A row may have several.
 *
 * @param row position in the file as a spreadsheet shows it: the header is row 1, a line break in quotes starts no row
 * @param field the column, or {@code row} where it is the row as a whole
 * @param value what the file has there, at most {@value #MAX_VALUE} characters of it
 * @param rule what it breaks, naming the field
 * @param code the rule, stable: clients branch on it
 */
public record ImportRejection(ImportKind file, int row, String field, String value, String rule, String code) {
    /** What {@link #cells} are. */
    public static final List<String> COLUMNS = List.of("row", "field", "value", "rule", "code", "file");

    private static final int MAX_VALUE = 200;

    public ImportRejection {
        if (value.length() > MAX_VALUE) {
            var cut = Character.isHighSurrogate(value.charAt(MAX_VALUE - 2)) ? MAX_VALUE - 2 : MAX_VALUE - 1;
            value = value.substring(0, cut) + "…";
        }
    }

    /** A row of a report, in the order of {@link #COLUMNS}. */
    public List<String> cells() {
        return List.of(Integer.toString(row), field, value, rule, code, file.label());
    }
}
