package io.menuboard.billing.transactions;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.money;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.billing.transactions.TransactionFile.Recorded;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvProblem;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionFileTest {
    private static final String HEADER =
            "transaction,agency,product,customer,currency,amount,commissionRate,commissionRule,occurredAt,corrects\n";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private TransactionsFixture fixture;
    private TransactionFile file;

    @BeforeEach
    void open() {
        fixture = new TransactionsFixture(table.queryDb(clock), clock);
        file = new TransactionFile(fixture.transactions, TransactionsFixture.CONFIG);
    }

    @Test
    void recordsRowsOnce() throws IOException {
        var text = "\uFEFF" + HEADER
                + "t1,acme,BURGER,ann,EUR,9.99,0.15,,2036-06-15T10:00:00Z,\r\n"
                + "\r\n"
                + "t2,acme,BURGER,ann,EUR,-9.99,0.15,,2036-06-15T12:00:00+02:00,t1\r\n"
                + "'=t3,acme,\"BUR\"\"GER\",'-ann,JPY,450,0,,2036-06-15T10:00:00Z,\r\n";

        assertThat(record(text)).isEqualTo(new Recorded(3, 0, 0, List.of()));
        assertThat(record(text)).isEqualTo(new Recorded(0, 3, 0, List.of()));

        assertThat(fixture.transactions.find(GRACE, new TransactionId("=t3")).orElseThrow())
                .satisfies(transaction -> {
                    assertThat(transaction.product()).isEqualTo("BUR\"GER");
                    assertThat(transaction.customer()).isEqualTo("-ann");
                    assertThat(transaction.amount()).isEqualTo(money("450 JPY"));
                });
    }

    @Test
    void readsAFileOfASpreadsheetThatWritesDecimalCommas() throws IOException {
        var text = HEADER.replace(',', ';') + "t1;acme;BURGER;ann;EUR;9,99;0,125;;2036-06-15T10:00:00Z;\n";

        assertThat(record(text)).isEqualTo(new Recorded(1, 0, 0, List.of()));
        assertThat(fixture.transactions.find(GRACE, new TransactionId("t1")).orElseThrow())
                .satisfies(transaction -> {
                    assertThat(transaction.amount()).isEqualTo(money("9.99 EUR"));
                    assertThat(transaction.commission().rate()).isEqualByComparingTo("0.125");
                });
    }

    @Test
    void tellsWhichRowsBreakWhichRule() throws IOException {
        fixture.recorded(sale("taken", "acme", "1.00"));

        var recorded = record(HEADER
                + "t1,acme,BURGER,ann,EUR,9.999,0.15,,2036-06-15T10:00:00Z,\n"
                + "t2,acme,BURGER,ann,EUR,1,0.15,,yesterday,\n"
                + "t3,acme,BURGER,ann,EUR,1e3,0.15,,2036-06-15T10:00:00Z,\n"
                + "t4,acme,BURGER,ann,XXX,1,0.15,,2036-06-15T10:00:00Z,\n"
                + "t5,acme,BURGER,ann,EUR,1,,none,2036-06-15T10:00:00Z,\n"
                + "t6,acme,BURGER,ann,EUR,1,,,2036-06-15T10:00:00Z,\n"
                + "taken,acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n"
                + "t8,acme\n"
                + "\"t9,acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n"
                + "t10,acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,nobody\n"
                + "t11,acme,BURGER,ann,EUR,1,0.1,,-2036-06-15T10:00:00Z,\n"
                + "good,acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n");

        assertThat(recorded.recorded()).isEqualTo(1);
        assertThat(recorded.rejections())
                .extracting(rejection -> rejection.row() + " " + rejection.field() + " " + rejection.code())
                .containsExactly(
                        "2 amount TOO_MANY_DECIMALS",
                        "3 occurredAt INVALID_INSTANT",
                        "4 amount INVALID_AMOUNT",
                        "5 currency INVALID_CURRENCY",
                        "6 commissionRule UNKNOWN_RULE",
                        "7 commissionRate COMMISSION_REQUIRED",
                        "8 transaction ID_TAKEN",
                        "9 row WRONG_COLUMN_COUNT",
                        "10 row BROKEN_ROW",
                        "11 corrects CORRECTS_UNKNOWN",
                        "12 occurredAt INVALID_INSTANT");
        assertThat(recorded.rejections().getFirst())
                .isEqualTo(new CsvProblem(
                        2, "amount", "9.999", "amount must have at most 2 decimals in EUR", "TOO_MANY_DECIMALS"));
    }

    /** Two rows are recorded at a time, so what the first one corrects is not there when it is its turn. */
    @Test
    void aRowMayCorrectOneThatComesLater() throws IOException {
        var inPairs = new TransactionFile(
                fixture.transactions, new TransactionsConfig(2, 2, 2, Duration.ofMinutes(15), 1_000, 1_000_000));
        var text = HEADER
                + "r1,acme,BURGER,ann,EUR,-1,0.1,,2036-06-15T10:00:00Z,t1\n"
                + "r0,acme,BURGER,ann,EUR,-1,0.1,,2036-06-15T10:00:00Z,nobody\n"
                + "t2,acme,BURGER,ann,EUR,1.001,0.1,,2036-06-15T10:00:00Z,\n"
                + "t1,acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n";

        var recorded = inPairs.record(GRACE, new ByteArrayInputStream(text.getBytes(UTF_8)));

        assertThat(recorded.recorded()).isEqualTo(2);
        assertThat(recorded.rejected()).isEqualTo(2);
        assertThat(recorded.rejections())
                .extracting(CsvProblem::row, CsvProblem::code)
                .containsExactly(tuple(3, "CORRECTS_UNKNOWN"), tuple(4, "TOO_MANY_DECIMALS"));
    }

    @Test
    void readsNoMoreRowsThanItMay() throws IOException {
        var rows = IntStream.range(0, 1_005)
                .mapToObj(i -> "t" + i + ",acme,BURGER,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n")
                .collect(Collectors.joining());

        var recorded = record(HEADER + rows);

        assertThat(recorded.recorded()).isEqualTo(1_000);
        assertThat(recorded.rejections()).singleElement().satisfies(rejection -> assertThat(rejection.code())
                .isEqualTo("TOO_MANY_ROWS"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n\n", "a,b\n", "transaction;agency\n", "transaction,transaction\n", "\"transaction\n"})
    void refusesAFileWithoutItsHeader(String text) {
        assertThatThrownBy(() -> record(text))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isIn("INVALID_HEADER", "EMPTY_FILE"));
    }

    /** As an export that found nothing. */
    @ParameterizedTest
    @ValueSource(strings = {HEADER, HEADER + "\n\n"})
    void refusesAFileWithoutRows(String text) {
        assertThatThrownBy(() -> record(text))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("EMPTY_FILE"))
                .hasMessage("file must have rows after its header");
    }

    @Test
    void saysOfAFileThatIsNoTextWhatItIs() {
        assertThatThrownBy(() -> record("PK\3\4 xl/workbook.xml"))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("NOT_CSV"))
                .hasMessage(
                        "The transactions file is a zip archive or an Excel workbook (.xlsx); save it as CSV in UTF-8");
    }

    @Test
    void showsTheBeginningOfARowThatCannotBeTakenApart() throws IOException {
        var long8k = "x".repeat(9_000);

        assertThat(record(HEADER + "t1,\"acme\"x\nt2,acme\n" + long8k + "\n").rejections())
                .extracting(CsvProblem::row, CsvProblem::field, CsvProblem::value, CsvProblem::code)
                .containsExactly(
                        tuple(2, "row", "t1,\"acme\"x", "BROKEN_ROW"),
                        tuple(3, "row", "t2,acme", "WRONG_COLUMN_COUNT"),
                        tuple(4, "row", "x".repeat(199) + "…", "BROKEN_ROW"));
    }

    @Test
    void refusesARowThatIsNotUtf8AsAWhole() throws IOException {
        var bytes = (HEADER + "t1,acme,K\u00F6ln,ann,EUR,1,0.1,,2036-06-15T10:00:00Z,\n").getBytes(ISO_8859_1);

        assertThat(file.record(GRACE, new ByteArrayInputStream(bytes)).rejections())
                .containsExactly(new CsvProblem(2, "row", "", "row must be UTF-8", "NOT_UTF8"));
    }

    private Recorded record(String text) throws IOException {
        return file.record(GRACE, new ByteArrayInputStream(text.getBytes(UTF_8)));
    }
}
