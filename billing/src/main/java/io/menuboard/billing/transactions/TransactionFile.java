package io.menuboard.billing.transactions;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvFormat;
import io.menuboard.kernel.csv.CsvProblem;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.kernel.csv.CsvRow;
import io.menuboard.kernel.csv.CsvTable;
import io.menuboard.querydb.QueryDbException;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the transactions of a CSV file (RFC 4180, UTF-8) with {@link #COLUMNS}, which are called as those of a report's file.
 * Rows that break a rule are reported and the others recorded; the same file again changes nothing. Thread-safe.
 */
public final class TransactionFile {
    /** Columns in the order of examples; a file may have them in any order. */
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

    /** Columns that a file must have, beside one of the two that say the commission. */
    public static final List<String> REQUIRED =
            List.of("transaction", "agency", "product", "customer", "currency", "amount", "occurredAt");

    private static final Logger log = LoggerFactory.getLogger(TransactionFile.class);
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
     * The result of a file.
     *
     * @param rejections of rejected rows, one of each, at most 10,000, in the order of rows
     */
    public record Recorded(long recorded, long replayed, long rejected, List<CsvProblem> rejections) {
        public Recorded {
            rejections = List.copyOf(rejections);
        }

        public long rows() {
            return recorded + replayed + rejected;
        }
    }

    /**
     * Records what is in the file, {@code menuboard.billing.max-record} rows at a time, and once more at the end what
     * corrects a row that came later; the stream stays open. Where the table fails after the first of them, or saves none of
     * several rows, these rows and all after them are rejected, {@code NOT_SAVED}.
     *
     * @throws io.menuboard.access.Denied without {@link Permission#BILLING_RECORD}
     * @throws InvalidInput as {@link CsvTable#open}, and {@code EMPTY_FILE} for a file without rows; nothing is recorded. For
     *     a file with more rows than {@link #maxRows}, the first one too many is rejected, and those after it are not read
     * @throws QueryDbException where the table fails before any row has its result; nothing is recorded
     */
    public Recorded record(Access access, InputStream in) throws IOException {
        access.requireForAll(Permission.BILLING_RECORD);
        // Closing is the caller's: the stream is the request's.
        var table = CsvTable.open(
                new CsvFormat("transactions", COLUMNS, REQUIRED, maxRows(), MAX_ROW_BYTES, TransactionFile::broken),
                in);
        var row = table.next();
        if (row.isEmpty()) {
            throw new InvalidInput("EMPTY_FILE", "file", "must have rows after its header");
        }
        var reading = new Reading(access);
        while (row.isPresent()) {
            reading.take(row.get());
            row = table.next();
        }
        return reading.ended();
    }

    /** One file while it is read. */
    private final class Reading {
        private final Access access;
        private final List<CsvRecord> pending = new ArrayList<>();

        /** Rows that correct what was not there when it was their turn, and may come later in the file. */
        private final List<CsvRecord> early = new ArrayList<>();

        private final Set<TransactionId> missing = new HashSet<>();
        private final NavigableMap<Integer, CsvProblem> rejections = new TreeMap<>();
        private long recorded;
        private long replayed;
        private long rejected;
        private boolean isRead;
        private boolean tableFailed;

        Reading(Access access) {
            this.access = access;
        }

        void take(CsvRecord row) {
            pending.add(row);
            if (pending.size() == config.maxRecord()) {
                flush();
            }
        }

        Recorded ended() {
            flush();
            isRead = true;
            early.forEach(this::take);
            flush();
            return new Recorded(recorded, replayed, rejected, List.copyOf(rejections.values()));
        }

        private void flush() {
            var readable = pending.stream().filter(CsvRecord::hasFields).toList();
            if (tableFailed) {
                readable.forEach(row -> row.refuse(notSaved()));
            } else {
                record(readable);
            }
            for (var row : pending) {
                if (!row.isValid()) {
                    reject(row.problems().getFirst());
                }
            }
            pending.clear();
        }

        private void record(List<CsvRecord> rows) {
            try {
                var outcomes = transactions.recordEach(
                        access,
                        rows.stream()
                                .<Supplier<RecordTransaction>>map(row -> () -> command(row))
                                .toList(),
                        missing);
                for (var i = 0; i < outcomes.size(); i++) {
                    note(rows.get(i), outcomes.get(i));
                }
                tableFailed = isNothingSaved(outcomes);
            } catch (QueryDbException e) {
                if (recorded + replayed + rejected == 0) {
                    throw e;
                }
                // Rows before have results, which the caller must hear.
                QueryDbException.warn(
                        log, e, "rows of a file not recorded, nor those after them: count={}", rows.size());
                rows.forEach(row -> row.refuse(notSaved()));
                tableFailed = true;
            }
        }

        private static boolean isNothingSaved(List<RecordOutcome> outcomes) {
            var tried = outcomes.stream()
                    .filter(outcome -> !(outcome instanceof RecordOutcome.Refused))
                    .toList();
            // A single one may be what nobody can save, whose file would never be read to its end.
            return tried.size() > 1 && tried.stream().allMatch(RecordOutcome.NotSaved.class::isInstance);
        }

        private void note(CsvRecord row, RecordOutcome outcome) {
            switch (outcome) {
                case RecordOutcome.Recorded _ -> recorded++;
                case RecordOutcome.Replayed _ -> replayed++;
                case RecordOutcome.Conflict(var existing, var _) ->
                    row.refuse(new InvalidInput(
                            "ID_TAKEN",
                            "transaction",
                            "must be another one than that recorded, which is of agency " + existing.agency()
                                    + " over " + existing.amount().amount().toPlainString() + " "
                                    + existing.amount().currency()));
                case RecordOutcome.Refused(var reason) -> {
                    if (!isRead && reason.code().equals(Transactions.CORRECTS_UNKNOWN)) {
                        early.add(row);
                    } else {
                        row.refuse(reason);
                    }
                }
                case RecordOutcome.NotSaved _ -> row.refuse(notSaved());
            }
        }

        private static InvalidInput notSaved() {
            return new InvalidInput("NOT_SAVED", "transaction", "may not be recorded: record the file again");
        }

        private void reject(CsvProblem problem) {
            rejected++;
            rejections.put(problem.row(), problem);
            if (rejections.size() > MOST_KEPT) {
                rejections.pollLastEntry();
            }
        }
    }

    private static InvalidInput broken(CsvRow.Defect defect) {
        return switch (defect) {
            case QUOTING, TOO_LONG ->
                new InvalidInput(
                        "BROKEN_ROW",
                        CsvRecord.WHOLE_ROW,
                        "must have at most " + MAX_ROW_BYTES
                                + " bytes, and close each quoted field before the next comma or line");
        };
    }

    /** The transaction of a row; throws {@link InvalidInput} for the first thing that is wrong with it. */
    private static RecordTransaction command(CsvRecord row) {
        if (row.isMalformed()) {
            throw new InvalidInput("NOT_UTF8", CsvRecord.WHOLE_ROW, "must be UTF-8");
        }
        var amount = Money.decimal("amount", row.decimal("amount"));
        return new RecordTransaction(
                new TransactionId(row.value("transaction")),
                new AgencyId(row.value("agency")),
                row.value("product"),
                row.value("customer"),
                row.money("amount", amount, Money.currencyOf(row.value("currency"))),
                instant(row.value("occurredAt")),
                row.isEmpty("commissionRate") ? null : Money.decimal("commissionRate", row.decimal("commissionRate")),
                row.isEmpty("commissionRule") ? null : row.value("commissionRule"),
                row.isEmpty("corrects") ? null : corrected(row.value("corrects")));
    }

    private static TransactionId corrected(String id) {
        try {
            return new TransactionId(id);
        } catch (InvalidInput e) {
            throw e.renamed("corrects");
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
