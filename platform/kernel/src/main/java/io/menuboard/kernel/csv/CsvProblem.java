package io.menuboard.kernel.csv;

import io.menuboard.kernel.Texts;

/**
 * One thing that is wrong with one row of a file.
 *
 * @param row position in the file as a spreadsheet shows it: the header is row 1, a line break in quotes starts no row
 * @param field the column, or {@link CsvRecord#WHOLE_ROW}
 * @param value what the file has there, at most 200 characters of it
 * @param rule what it breaks, naming the field
 * @param code the rule, stable: clients branch on it
 */
public record CsvProblem(int row, String field, String value, String rule, String code) {
    private static final int MAX_VALUE = 200;

    public CsvProblem {
        if (value.length() > MAX_VALUE) {
            value = Texts.cut(value, MAX_VALUE - 1) + "…";
        }
    }
}
