package io.menuboard.kernel.csv;

import java.util.List;

/** One row of a CSV file that is not blank, as far as it can be read. */
public sealed interface CsvRow {

    /** Position in the file as a spreadsheet shows it, from 1; a row with line breaks in quotes counts once. */
    int number();

    /**
     * A row that has fields.
     *
     * @param malformed whether the row is not UTF-8; what could not be read stands as {@code U+FFFD} in the values
     */
    record Fields(int number, List<String> values, boolean malformed) implements CsvRow {
        public Fields {
            values = List.copyOf(values);
        }
    }

    /**
     * A row that has no fields because it cannot be taken apart.
     *
     * @param start what it begins with, for people to recognise it
     */
    record Broken(int number, String start, Defect defect) implements CsvRow {}

    /** Reason why a row cannot be parsed. */
    enum Defect {
        /** A quote is not closed, or something follows the closing one. */
        QUOTING,
        /** Longer than the reader allows. */
        TOO_LONG
    }
}
