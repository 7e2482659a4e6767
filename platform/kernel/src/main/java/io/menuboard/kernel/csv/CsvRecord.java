package io.menuboard.kernel.csv;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** One row of a {@link CsvTable}, and everything that is wrong with it. Used by one thread at a time. */
public final class CsvRecord {
    /** The field of a problem that no single column has. */
    public static final String WHOLE_ROW = "row";

    private static final String REPLACEMENT = "\uFFFD";

    private final CsvTable table;
    private final int number;
    private final List<String> values;
    private final boolean malformed;
    private final List<CsvProblem> problems = new ArrayList<>();

    private CsvRecord(CsvTable table, int number, List<String> values, boolean malformed) {
        this.table = table;
        this.number = number;
        this.values = values;
        this.malformed = malformed;
    }

    static CsvRecord of(CsvTable table, CsvRow row) {
        return switch (row) {
            case CsvRow.Fields(var number, var values, var malformed) -> fields(table, number, values, malformed);
            case CsvRow.Broken(var number, var start, var defect) ->
                refused(table, number, start, table.format().broken().apply(defect));
        };
    }

    private static CsvRecord fields(CsvTable table, int number, List<String> values, boolean malformed) {
        return values.size() == table.columnCount()
                ? new CsvRecord(table, number, values, malformed)
                : refused(
                        table,
                        number,
                        String.join(",", values),
                        new InvalidInput(
                                "WRONG_COLUMN_COUNT",
                                WHOLE_ROW,
                                "must have " + table.columnCount() + " columns as the header does, not "
                                        + values.size()));
    }

    /** Stands for the first row that a file may not have, and those after it. */
    static CsvRecord tooMany(CsvTable table, int number) {
        return refused(
                table,
                number,
                "",
                new InvalidInput(
                        "TOO_MANY_ROWS",
                        WHOLE_ROW,
                        "is one more than the " + table.format().maxRows()
                                + " that a file may have; it and all after it were not read"));
    }

    private static CsvRecord refused(CsvTable table, int number, String value, InvalidInput reason) {
        var row = new CsvRecord(table, number, List.of(), false);
        row.refuse(WHOLE_ROW, value, reason.getMessage(), reason.code());
        return row;
    }

    /** Position in the file, as in {@link CsvProblem#row}. */
    public int number() {
        return number;
    }

    /** Tells whether there are fields to read; where there are none, {@link #problems} says why. */
    public boolean hasFields() {
        return !values.isEmpty();
    }

    /** Tells whether the row is not UTF-8; a field is as far as it is without {@code U+FFFD}. */
    public boolean isMalformed() {
        return malformed;
    }

    /** Everything that is wrong with the row so far, in the order in which it was found. */
    public List<CsvProblem> problems() {
        return List.copyOf(problems);
    }

    /** Tells whether nothing is wrong with the row so far. */
    public boolean isValid() {
        return problems.isEmpty();
    }

    /** Tells whether the file has the column, be it empty in this row. */
    public boolean has(String column) {
        return table.has(column);
    }

    /** Tells whether the column is absent or empty in this row. */
    public boolean isEmpty(String column) {
        return value(column).isEmpty();
    }

    /** The text in a column; empty for an absent one. */
    public String value(String column) {
        var position = table.position(column);
        return position == null || !hasFields() ? "" : CsvFormulas.strip(values.get(position));
    }

    /**
     * The number in a column, in the form that {@link Money#decimal} reads.
     *
     * @throws InvalidInput {@code INVALID_AMOUNT} on the column
     */
    public String decimal(String column) {
        return table.hasDecimalCommas() ? DecimalComma.toPoint(column, value(column)) : value(column);
    }

    /**
     * The amount in a column, of a currency that is known by now.
     *
     * @param amount the number that {@link #decimal} says
     * @throws InvalidInput for what {@link Money} refuses; {@code INVALID_AMOUNT} on the column for {@code 1,000} in a file with
     *     decimal commas, where the currency has fewer than three decimals: it may mean 1 or 1000
     */
    public Money money(String column, BigDecimal amount, Currency currency) {
        if (table.hasDecimalCommas()) {
            DecimalComma.refuseThousands(column, value(column), currency);
        }
        return new Money(amount, currency);
    }

    /** The fields as they are in the file, for people to recognise the row. */
    public String text() {
        return String.join(",", values);
    }

    /** The result of {@code parse} for a column that must have a value; empty, with the problem noted, where it refuses. */
    public <T> Optional<T> required(String column, Function<String, T> parse) {
        if (value(column).isBlank()) {
            refuse(column, new InvalidInput("BLANK", column, "must not be blank"));
            return Optional.empty();
        }
        return read(column, parse);
    }

    /** Reads a column as {@link #required} does, but gives {@code otherwise} where the row has nothing there. */
    public <T> Optional<T> optional(String column, Function<String, T> parse, T otherwise) {
        return isEmpty(column) ? Optional.of(otherwise) : read(column, parse);
    }

    private <T> Optional<T> read(String column, Function<String, T> parse) {
        var value = value(column);
        if (malformed && value.contains(REPLACEMENT)) {
            refuse(column, new InvalidInput("NOT_UTF8", column, "must be UTF-8"));
            return Optional.empty();
        }
        return check(column, () -> parse.apply(value));
    }

    /** The value made; empty, with the problem noted on {@code column}, where that throws {@link InvalidInput}. */
    public <T> Optional<T> check(String column, Supplier<T> made) {
        try {
            return Optional.of(made.get());
        } catch (InvalidInput e) {
            refuse(column, e);
            return Optional.empty();
        }
    }

    /** The value made; empty, with the problem noted on the column that it names, where that throws {@link InvalidInput}. */
    public <T> Optional<T> check(Supplier<T> made) {
        try {
            return Optional.of(made.get());
        } catch (InvalidInput e) {
            refuse(e);
            return Optional.empty();
        }
    }

    /** Notes a problem on the column that it names. */
    public void refuse(InvalidInput reason) {
        refuse(reason.field(), reason);
    }

    private void refuse(String column, InvalidInput reason) {
        // The value's own name for the field may differ from the column's: a store's id is "store" elsewhere.
        refuse(column, value(column), reason.renamed(column).getMessage(), reason.code());
    }

    /** Notes a problem; the parameters are those of {@link CsvProblem}. */
    public void refuse(String field, String value, String rule, String code) {
        problems.add(new CsvProblem(number, field, value, rule, code));
    }
}
