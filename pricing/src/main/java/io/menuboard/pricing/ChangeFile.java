package io.menuboard.pricing;

import io.menuboard.kernel.CsvFormulas;
import io.menuboard.kernel.CsvHeader;
import io.menuboard.kernel.CsvRow;
import io.menuboard.kernel.CsvRows;
import io.menuboard.querydb.InvalidInput;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads files of price changes: CSV with a header, one rule in each row. Thread-safe. */
public final class ChangeFile {
    /** Every column that a file may have. */
    public static final List<String> COLUMNS =
            List.of("store", "channel", "product", "combo", "option", "operation", "amount", "percent", "ending");

    /** The columns that a file must have. */
    public static final List<String> REQUIRED = List.of("store", "operation");

    private static final String LABEL = "changes";
    private static final String WHOLE_ROW = "row";
    private static final int MAX_ROW_BYTES = 16 * 1024;

    private final ChangeFileConfig config;

    ChangeFile(ChangeFileConfig config) {
        this.config = config;
    }

    /**
     * What was read.
     *
     * @param rules of the rows that are right, in their order
     * @param wrong what is wrong with the others; where there is anything, nobody should use the rules
     */
    public record Read(List<ChangeRule> rules, List<Wrong> wrong) {
        public Read {
            rules = List.copyOf(rules);
            wrong = List.copyOf(wrong);
        }
    }

    /**
     * What is wrong with one row.
     *
     * @param row as a spreadsheet counts, from 1; the header is the first
     * @param column the column, or {@code row}
     * @param rule for people, with the column's name
     */
    public record Wrong(int row, String column, String rule, String code) {}

    public int maxRows() {
        return config.maxRows();
    }

    public long maxBytes() {
        return config.maxBytes();
    }

    /**
     * Reads all of it.
     *
     * @param bytes how long it is
     * @throws InvalidInput {@code FILE_TOO_LARGE}, {@code TOO_MANY_ROWS}, {@code NO_ROWS}, {@code EMPTY_FILE},
     *     {@code NOT_CSV} or {@code NOT_UTF8} on {@code file}, or {@code INVALID_HEADER} on {@code header}: nothing of it
     *     can be used
     */
    public Read read(InputStream in, long bytes) throws IOException {
        if (bytes > config.maxBytes()) {
            throw new InvalidInput(
                    "FILE_TOO_LARGE", "file", "file must have at most " + config.maxBytes() + " bytes, not " + bytes);
        }
        try (var rows = new CsvRows(in, MAX_ROW_BYTES)) {
            rows.skip(ImportReader.checkedSignature(LABEL, REQUIRED, rows.peek(ImportReader.SIGNATURE_LENGTH)));
            var header = rows.next().orElseThrow(() -> ImportReader.empty(LABEL, REQUIRED));
            var names =
                    switch (header) {
                        case CsvRow.Fields(var _, var values, var _) -> values;
                        case CsvRow.Broken(var _, var start, var _) -> List.of(start);
                    };
            return read(rows, CsvHeader.positions(LABEL, COLUMNS, REQUIRED, names));
        }
    }

    private Read read(CsvRows rows, Map<String, Integer> positions) throws IOException {
        var rules = new ArrayList<ChangeRule>();
        var wrong = new ArrayList<Wrong>();
        var count = 0;
        for (var next = rows.next(); next.isPresent(); next = rows.next()) {
            count++;
            if (count > config.maxRows()) {
                throw new InvalidInput(
                        "TOO_MANY_ROWS",
                        "file",
                        "file must have at most " + config.maxRows() + " rows below its header");
            }
            switch (next.get()) {
                case CsvRow.Fields(var number, var values, var malformed) -> {
                    var row = new Row(number, positions, values, wrong);
                    var rule = row.isWellFormed(malformed) ? row.rule() : null;
                    if (rule != null) {
                        rules.add(rule);
                    }
                }
                case CsvRow.Broken(var number, var _, var defect) ->
                    wrong.add(
                            switch (defect) {
                                case QUOTING ->
                                    new Wrong(
                                            number,
                                            WHOLE_ROW,
                                            "row must close each quoted field with a quote before the next comma or line",
                                            "BROKEN_QUOTING");
                                case TOO_LONG ->
                                    new Wrong(
                                            number,
                                            WHOLE_ROW,
                                            "row must have at most " + MAX_ROW_BYTES + " bytes",
                                            "ROW_TOO_LONG");
                            });
            }
        }
        if (count == 0) {
            throw new InvalidInput("NO_ROWS", "file", "file must have a row below its header");
        }
        return new Read(rules, wrong);
    }

    /** One row, and where to say what is wrong with it. */
    private record Row(int number, Map<String, Integer> positions, List<String> values, List<Wrong> wrong) {

        boolean isWellFormed(boolean malformed) {
            if (malformed) {
                refuse(new InvalidInput("NOT_UTF8", WHOLE_ROW, "row must be UTF-8"));
            } else if (values.size() != positions.size()) {
                refuse(new InvalidInput(
                        "WRONG_COLUMN_COUNT",
                        WHOLE_ROW,
                        "row must have " + positions.size() + " columns as the header does, not " + values.size()));
            }
            return !malformed && values.size() == positions.size();
        }

        /** Null, with everything that is wrong noted, where there is none. */
        @Nullable
        ChangeRule rule() {
            var store = read("store", StoreId::new);
            var channel = read("channel", text -> text.isEmpty() ? Channel.ALL : new Channel(text));
            var subject = subject();
            var operation =
                    read("operation", text -> PriceOperation.of(value("operation"), value("amount"), value("percent")));
            var ending = value("ending").isEmpty() ? null : read("ending", PriceEnding::new);
            if (store == null
                    || channel == null
                    || subject == null
                    || operation == null
                    || (ending == null && !value("ending").isEmpty())) {
                return null;
            }
            return read(
                    "ending",
                    _ -> new ChangeRule(
                            new StoreSelection.Listed(List.of(store)),
                            List.of(subject),
                            List.of(channel),
                            operation,
                            ending));
        }

        private @Nullable PriceSubject subject() {
            if (value("combo").isEmpty() && value("option").isEmpty()) {
                var product = read("product", ProductId::new);
                return product == null ? null : new PriceSubject.Product(product);
            }
            if (!value("product").isEmpty()) {
                refuse(new InvalidInput(
                        "PRODUCT_AND_COMBO",
                        "product",
                        "product must be empty where the row has a combo or an option: a row is one price"));
                return null;
            }
            var combo = read("combo", ComboId::new);
            var option = read("option", OptionId::new);
            return combo == null || option == null ? null : new PriceSubject.Swap(combo, option);
        }

        private String value(String column) {
            var position = positions.get(column);
            return position == null
                    ? ""
                    : CsvFormulas.strip(values.get(position)).strip();
        }

        private <T> @Nullable T read(String column, Function<String, T> parse) {
            try {
                return parse.apply(value(column));
            } catch (InvalidInput e) {
                refuse(e);
                return null;
            }
        }

        private void refuse(InvalidInput why) {
            wrong.add(new Wrong(number, why.field(), why.getMessage(), why.code()));
        }
    }
}
