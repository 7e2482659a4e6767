package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvFormulas;
import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.DecimalComma;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One row of an imported file and everything that is wrong with it. Used by one thread at a time. */
final class ImportRow {
    /** The field of a problem that no single column has. */
    static final String WHOLE_ROW = "row";

    private static final String REPLACEMENT = "\uFFFD";

    private final ImportColumns columns;
    private final int number;
    private final List<String> values;
    private final boolean malformed;
    private final List<ImportRejection> problems = new ArrayList<>();

    private ImportRow(ImportColumns columns, int number, List<String> values, boolean malformed) {
        this.columns = columns;
        this.number = number;
        this.values = values;
        this.malformed = malformed;
    }

    static ImportRow of(ImportColumns columns, CsvRow row) {
        return switch (row) {
            case CsvRow.Fields(var number, var values, var malformed) -> fields(columns, number, values, malformed);
            case CsvRow.Broken(var number, var start, var defect) -> broken(columns, number, start, defect);
        };
    }

    private static ImportRow fields(ImportColumns columns, int number, List<String> values, boolean malformed) {
        if (values.size() == columns.count()) {
            return new ImportRow(columns, number, values, malformed);
        }
        var row = new ImportRow(columns, number, List.of(), malformed);
        row.refuse(
                WHOLE_ROW,
                String.join(",", values),
                "row must have " + columns.count() + " columns as the header does, not " + values.size(),
                "WRONG_COLUMN_COUNT");
        return row;
    }

    private static ImportRow broken(ImportColumns columns, int number, String start, CsvRow.Defect defect) {
        var row = new ImportRow(columns, number, List.of(), false);
        switch (defect) {
            case QUOTING ->
                row.refuse(
                        WHOLE_ROW,
                        start,
                        "row must close each quoted field with a quote before the next comma or line, and double quotes"
                                + " inside; reading went on with the next line",
                        "BROKEN_QUOTING");
            case TOO_LONG ->
                row.refuse(
                        WHOLE_ROW,
                        start,
                        "row must not be longer than menuboard.import.max-row-bytes allows",
                        "ROW_TOO_LONG");
        }
        return row;
    }

    /** Stands for the first row that a file may not have, and those after it. */
    static ImportRow tooMany(ImportColumns columns, int number, int maxRows) {
        var row = new ImportRow(columns, number, List.of(), false);
        row.refuse(
                WHOLE_ROW,
                "",
                "row is one more than the " + maxRows + " that a file may have; it and all after it were not read",
                "TOO_MANY_ROWS");
        return row;
    }

    int number() {
        return number;
    }

    /** Whether there are fields to read. */
    boolean hasFields() {
        return !values.isEmpty();
    }

    ImportColumns columns() {
        return columns;
    }

    List<ImportRejection> problems() {
        return problems;
    }

    /** Whether the column is absent or empty in this row. */
    boolean isEmpty(String column) {
        return value(column).isEmpty();
    }

    /** What the row has there; empty for an absent column. */
    String value(String column) {
        var position = columns.positions().get(column);
        return position == null ? "" : CsvFormulas.strip(values.get(position));
    }

    /**
     * What the row has there, a number, as {@link Money#decimal} reads it.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on the column
     */
    String number(String column) {
        return columns.decimalCommas() ? DecimalComma.toPoint(column, value(column)) : value(column);
    }

    /** The fields as they are in the file, for people to recognise the row. */
    String text() {
        return String.join(",", values);
    }

    /** What {@code parse} makes of a column that must have a value; empty, with the problem noted, where it refuses. */
    <T> Optional<T> required(String column, Function<String, T> parse) {
        if (value(column).isBlank()) {
            refuse(column, value(column), column + " must not be blank", "BLANK");
            return Optional.empty();
        }
        return read(column, parse);
    }

    /** As {@link #required}, but {@code otherwise} where the row has nothing there. */
    <T> Optional<T> optional(String column, Function<String, T> parse, T otherwise) {
        return isEmpty(column) ? Optional.of(otherwise) : read(column, parse);
    }

    private <T> Optional<T> read(String column, Function<String, T> parse) {
        var value = value(column);
        if (malformed && value.contains(REPLACEMENT)) {
            refuse(column, value, column + " must be UTF-8", "NOT_UTF8");
            return Optional.empty();
        }
        return check(column, () -> parse.apply(value));
    }

    /** What {@code made} gives; empty, with the problem noted on {@code column}, where it refuses. */
    <T> Optional<T> check(String column, Check<T> made) {
        try {
            return Optional.of(made.get());
        } catch (InvalidInput e) {
            refuse(column, e);
            return Optional.empty();
        }
    }

    /** What {@code made} gives; empty, with the problem noted on the column that it names, where it refuses. */
    <T> Optional<T> checked(Check<T> made) {
        try {
            return Optional.of(made.get());
        } catch (InvalidInput e) {
            refuse(e.field(), e);
            return Optional.empty();
        }
    }

    /** For what a preview of it found. */
    void refuse(ChangeLine found) {
        var message = String.valueOf(found.message());
        var named = message.substring(0, Math.max(0, message.indexOf(' ')));
        var column = columns.has(named) ? named : WHOLE_ROW;
        refuse(
                column,
                column.equals(WHOLE_ROW) ? text() : value(column),
                column.equals(WHOLE_ROW) ? "row cannot change its price: " + message : message,
                found.finding() == Finding.NOT_FOUND ? "NOT_FOUND" : "INVALID_CHANGE");
    }

    void refuse(String column, InvalidInput e) {
        // The value's own name for the field may differ from the column's: a store's id is "store" elsewhere.
        refuse(column, value(column), e.renamed(column).getMessage(), e.code());
    }

    void refuse(String field, String value, String rule, String code) {
        problems.add(new ImportRejection(columns.kind(), number, field, value, rule, code));
    }

    /** Makes a value or throws {@link InvalidInput}. */
    @FunctionalInterface
    interface Check<T> {
        T get();
    }

    /** What was read of a row, before it is known whether it is right. */
    interface Draft {
        ImportRow row();

        /** Equal for rows of one file that would write the same item; null while parts of it are wrong. */
        @Nullable
        String key();

        /** The column that is named when the key is there twice. */
        String keyColumn();

        /** What may be there only once. */
        String keyRule();
    }
}
