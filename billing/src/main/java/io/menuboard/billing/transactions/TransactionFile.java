package io.menuboard.billing.transactions;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvFormulas;
import io.menuboard.kernel.csv.CsvHeader;
import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.CsvRows;
import io.menuboard.kernel.csv.DecimalComma;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the transactions of a CSV file (RFC 4180, UTF-8): the columns of a report's file, as far as a sender knows them,
 * so that a report can be recorded elsewhere. Rows that break a rule are told and the others recorded; the same file again
 * changes nothing. Thread-safe.
 */
public final class TransactionFile {
    /** In the order of examples; a file may have them in any order. */
    public static final List<String> COLUMNS = List.of(
            "transaction",
            "agency",
            "product",
            "customer",
            "currency",
            "amount",
            "commissionRate",
            "commissionRule",
            "occurredAt",
            "corrects");

    /** Of them, one of the two that say the commission is needed besides, and nothing to correct. */
    public static final List<String> REQUIRED =
            List.of("transaction", "agency", "product", "customer", "currency", "amount", "occurredAt");

    private static final String WHOLE_ROW = "row";
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int MAX_ROW_BYTES = 8 * 1024;
    private static final int MOST_KEPT = 10_000;

    private final Transactions transactions;
    private final TransactionsConfig config;

    TransactionFile(Transactions transactions, TransactionsConfig config) {
        this.transactions = transactions;
        this.config = config;
    }

    /** Most rows of a file, its header not counted. */
    public int maxRows() {
        return config.fileMaxRows();
    }

    /** Longest file. */
    public int maxBytes() {
        return config.fileMaxBytes();
    }

    /**
     * Why a row was not recorded.
     *
     * @param row as a spreadsheet shows it: the header is row 1
     * @param field the column, or {@code row} where it is the row as a whole
     * @param value what the file has there
     * @param rule what it breaks, naming the field
     * @param code the rule, stable
     */
    public record Rejection(int row, String field, String value, String rule, String code) {}

    /**
     * What became of a file.
     *
     * @param rejections of rejected rows, at most 10,000, in the order of rows
     */
    public record Recorded(long recorded, long replayed, long rejected, List<Rejection> rejections) {
        public Recorded {
            rejections = List.copyOf(rejections);
        }

        public long rows() {
            return recorded + replayed + rejected;
        }
    }

    /**
     * Records what is in the file, {@code menuboard.billing.max-record} rows at a time; the stream is read to its end, and
     * stays open.
     *
     * @throws InvalidInput {@code INVALID_HEADER} or {@code EMPTY_FILE} on {@code file}; nothing is recorded. For a file
     *     with more rows than {@link #maxRows}, the first one too many is rejected, and those after it are not read
     */
    public Recorded record(InputStream in, Actor actor) throws IOException {
        // Closing is the caller's: the stream is the request's.
        var rows = new CsvRows(in, MAX_ROW_BYTES);
        if (Arrays.equals(rows.peek(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
            rows.skip(BYTE_ORDER_MARK.length);
        }
        var header =
                rows.next().orElseThrow(() -> new InvalidInput("EMPTY_FILE", "file", "must have a header and rows"));
        var reading = new Reading(positions(header), rows.hasSemicolons(), actor);
        for (var row = rows.next(); row.isPresent(); row = rows.next()) {
            if (!reading.take(row.get())) {
                break;
            }
        }
        return reading.ended();
    }

    private static Map<String, Integer> positions(CsvRow header) {
        var names = header instanceof CsvRow.Fields(var _, var values, var _) ? values : List.of("?");
        return CsvHeader.positions("transactions", COLUMNS, REQUIRED, names);
    }

    /** One file while it is read. */
    private final class Reading {
        private final Map<String, Integer> positions;
        private final boolean decimalCommas;
        private final Actor actor;
        private final List<CsvRow> pending = new ArrayList<>();
        private final List<Rejection> rejections = new ArrayList<>();
        private long taken;
        private long recorded;
        private long replayed;
        private long rejected;

        Reading(Map<String, Integer> positions, boolean decimalCommas, Actor actor) {
            this.positions = positions;
            this.decimalCommas = decimalCommas;
            this.actor = actor;
        }

        /** False for the first row too many. */
        boolean take(CsvRow row) {
            if (taken == config.fileMaxRows()) {
                reject(
                        row.number(),
                        WHOLE_ROW,
                        "",
                        "row is one more than the " + config.fileMaxRows()
                                + " that a file may have; it and all after it were not read",
                        "TOO_MANY_ROWS");
                return false;
            }
            taken++;
            pending.add(row);
            if (pending.size() == config.maxRecord()) {
                flush();
            }
            return true;
        }

        Recorded ended() {
            flush();
            return new Recorded(recorded, replayed, rejected, rejections);
        }

        private void flush() {
            var outcomes = transactions.recordEach(
                    pending.stream()
                            .<Supplier<RecordTransaction>>map(row -> () -> command(row))
                            .toList(),
                    actor);
            for (var i = 0; i < outcomes.size(); i++) {
                var row = pending.get(i);
                switch (outcomes.get(i)) {
                    case RecordOutcome.Recorded _ -> recorded++;
                    case RecordOutcome.Replayed _ -> replayed++;
                    case RecordOutcome.Conflict(var existing, var _) ->
                        reject(
                                row.number(),
                                "transaction",
                                existing.id().value(),
                                "transaction must be another one than that recorded, which is of agency "
                                        + existing.agency() + " over "
                                        + existing.amount().amount().toPlainString() + " "
                                        + existing.amount().currency(),
                                "ID_TAKEN");
                    case RecordOutcome.Refused(var reason) ->
                        reject(
                                row.number(),
                                reason.field(),
                                value(row, reason.field()),
                                reason.getMessage(),
                                reason.code());
                    case RecordOutcome.NotSaved(var id) ->
                        reject(
                                row.number(),
                                "transaction",
                                id.value(),
                                "transaction may not be recorded: record the file again",
                                "NOT_SAVED");
                }
            }
            pending.clear();
        }

        private void reject(int row, String field, String value, String rule, String code) {
            rejected++;
            if (rejections.size() < MOST_KEPT) {
                rejections.add(new Rejection(row, field, value, rule, code));
            }
        }

        private RecordTransaction command(CsvRow row) {
            if (row instanceof CsvRow.Fields(var _, var values, var malformed)) {
                if (values.size() != positions.size()) {
                    throw new InvalidInput(
                            "WRONG_COLUMN_COUNT",
                            WHOLE_ROW,
                            "must have " + positions.size() + " columns as the header does, not " + values.size());
                }
                if (malformed) {
                    throw new InvalidInput("NOT_UTF8", WHOLE_ROW, "must be UTF-8");
                }
            } else {
                throw new InvalidInput(
                        "BROKEN_ROW",
                        WHOLE_ROW,
                        "must have at most " + MAX_ROW_BYTES
                                + " bytes, and close each quoted field before the next comma or line");
            }
            var amount = decimal("amount", value(row, "amount"));
            return new RecordTransaction(
                    new TransactionId(value(row, "transaction")),
                    new AgencyId(value(row, "agency")),
                    value(row, "product"),
                    value(row, "customer"),
                    new Money(amount, Money.currencyOf(value(row, "currency"))),
                    instant(value(row, "occurredAt")),
                    optional(row, "commissionRate", rate -> decimal("commissionRate", rate)),
                    optional(row, "commissionRule", Function.identity()),
                    optional(row, "corrects", id -> {
                        try {
                            return new TransactionId(id);
                        } catch (InvalidInput e) {
                            throw e.renamed("corrects");
                        }
                    }));
        }

        private <T> @Nullable T optional(CsvRow row, String column, Function<String, T> read) {
            var value = value(row, column);
            return value.isEmpty() ? null : read.apply(value);
        }

        private BigDecimal decimal(String column, String value) {
            return Money.decimal(column, decimalCommas ? DecimalComma.toPoint(column, value) : value);
        }

        /** What the row has there; empty for an absent column. */
        private String value(CsvRow row, String column) {
            var position = positions.get(column);
            return position != null
                            && row instanceof CsvRow.Fields(var _, var values, var _)
                            && position < values.size()
                    ? CsvFormulas.strip(values.get(position))
                    : "";
        }
    }

    private static Instant instant(String text) {
        try {
            return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeException _) {
            throw new InvalidInput(
                    "INVALID_INSTANT",
                    "occurredAt",
                    "must be an ISO-8601 date and time with its offset, such as 2026-11-22T00:15:00Z");
        }
    }
}
