package io.menuboard.billing.transactions;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.billing.transactions.RecordOutcome.NotSaved;
import io.menuboard.billing.transactions.RecordOutcome.Recorded;
import io.menuboard.kernel.csv.CsvProblem;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.NotLoaded;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever fails once something is recorded, every input has an outcome. */
class RecordingFaultsTest {
    private static final Quarter NOON = Quarter.parse("quarter", "203606151200");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock();
    private TransactionsFixture fixture;

    @BeforeEach
    void open() {
        fixture = new TransactionsFixture(table.queryDb(clock), clock);
        clock.setTime("12:00:00");
    }

    /** As where a call is repeated because its answer was lost. */
    @Test
    void aFailedReadOfWhatIsRecordedAlreadyLeavesTheOthersTheirOutcomes() {
        fixture.recorded(sale("t0", "acme", "1.00"));
        var commands = IntStream.range(0, TransactionsFixture.CHUNK + 2)
                .mapToObj(i -> sale("t" + i, "acme", "1.00"))
                .toList();
        failReads();

        var outcomes = fixture.transactions.record(GRACE, commands);

        assertThat(outcomes).hasSameSizeAs(commands);
        assertThat(outcomes.getFirst()).isEqualTo(new NotSaved(new TransactionId("t0")));
        assertThat(outcomes.subList(1, outcomes.size())).hasOnlyElementsOfType(Recorded.class);
        assertThat(ingested()).isEqualTo(commands.size());
    }

    /** Refunds wait for what they correct, which cannot be read then. */
    @Test
    void aFailureAfterSomeAreRecordedMakesTheRestNotSaved() {
        failReads();

        var outcomes = fixture.transactions.record(
                GRACE,
                List.of(
                        refund("r1", "acme", "-1.00", "t1"),
                        sale("t1", "acme", "9.99"),
                        refund("r2", "acme", "-1.00", "r1")));

        assertThat(outcomes).hasExactlyElementsOfTypes(NotSaved.class, Recorded.class, NotSaved.class);
        assertThat(ingested()).isEqualTo(1);
    }

    @Test
    void aFailureBeforeAnythingIsRecordedIsThrown() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        failReads();

        assertThatThrownBy(() -> fixture.transactions.record(
                        GRACE, List.of(sale("t2", "acme", "1.00"), refund("r1", "acme", "-1.00", "t1"))))
                .isInstanceOf(NotLoaded.class);
        assertThat(ingested()).isEqualTo(1);
    }

    /** Rows are recorded two at a time; the refund is one of the second two, and what it corrects cannot be read then. */
    @Test
    void aFailureAfterTheFirstRowsOfAFileLeavesThemTheirResults() throws IOException {
        var rows = List.of(
                "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt,corrects",
                "t1,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z,",
                "t2,acme,BURGER,ann,EUR,9.999,0.15,2036-06-15T10:00:00Z,",
                "r1,acme,BURGER,ann,EUR,-9.99,0.15,2036-06-15T10:00:00Z,t1",
                "t3,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z,",
                "r3,acme,BURGER,ann,EUR,-9.99,0.15,2036-06-15T10:00:00Z,t3");
        failReads();

        var recorded = recordTwoAtATime(rows);

        assertThat(recorded.recorded()).isEqualTo(1);
        assertThat(recorded.rejected()).isEqualTo(4);
        assertThat(recorded.rejections())
                .extracting(CsvProblem::row, CsvProblem::code)
                .containsExactly(
                        tuple(3, "TOO_MANY_DECIMALS"),
                        tuple(4, "NOT_SAVED"),
                        tuple(5, "NOT_SAVED"),
                        tuple(6, "NOT_SAVED"));
        table.faults().reset();
        assertThat(recordTwoAtATime(rows))
                .returns(1L, TransactionFile.Recorded::replayed)
                .returns(3L, TransactionFile.Recorded::recorded);
    }

    @Test
    void aFailureBeforeAnyRowOfAFileIsRecordedIsThrown() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        failReads();

        assertThatThrownBy(() -> recordTwoAtATime(List.of(
                        "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt,corrects",
                        "r1,acme,BURGER,ann,EUR,-9.99,0.15,2036-06-15T10:00:00Z,t1")))
                .isInstanceOf(NotLoaded.class);
    }

    /** No read is needed for such rows, so nothing but their writes can tell that the table fails. */
    @Test
    void rowsAfterThoseOfWhichNoneIsSavedAreNotTried() throws IOException {
        var rows = List.of(
                "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt",
                "t1,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z",
                "t2,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z",
                "t3,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z",
                "t4,acme,BURGER,ann,EUR,9.999,0.15,2036-06-15T10:00:00Z",
                "t5,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z");
        table.faults().inject(Fault.SERVER_ERROR, "TransactWriteItems", 1.0, 0);

        var recorded = recordTwoAtATime(rows);

        assertThat(recorded.rejections())
                .extracting(CsvProblem::row, CsvProblem::code)
                .containsExactly(
                        tuple(2, "NOT_SAVED"),
                        tuple(3, "NOT_SAVED"),
                        tuple(4, "NOT_SAVED"),
                        tuple(5, "NOT_SAVED"),
                        tuple(6, "NOT_SAVED"));
        assertThat(table.faults().sent())
                .filteredOn(sent -> sent.operation().equals("TransactWriteItems"))
                .hasSizeLessThanOrEqualTo(FreshTable.RETRIES.maxAttempts());
        table.faults().reset();
        assertThat(recordTwoAtATime(rows))
                .returns(4L, TransactionFile.Recorded::recorded)
                .returns(1L, TransactionFile.Recorded::rejected);
    }

    /** As one that somebody removed by hand, which no repetition saves. */
    @Test
    void aSingleRowThatIsNotSavedDoesNotEndAFile() throws IOException {
        writesFailOnce();

        var recorded = recordTwoAtATime(List.of(
                "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt",
                "t1,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z",
                "t2,acme,BURGER,ann,EUR,9.999,0.15,2036-06-15T10:00:00Z",
                "t3,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z"));

        assertThat(recorded.recorded()).isEqualTo(1);
        assertThat(recorded.rejections())
                .extracting(CsvProblem::row, CsvProblem::code)
                .containsExactly(tuple(2, "NOT_SAVED"), tuple(3, "TOO_MANY_DECIMALS"));
    }

    /** Refused as a correction of nothing, the first row and the fifth would be given up. */
    @Test
    void whatCorrectsARowThatIsNotSavedIsNotSavedWhereverItIsInTheFile() throws IOException {
        writesFailOnce();

        var recorded = recordTwoAtATime(List.of(
                "transaction,agency,product,customer,currency,amount,commissionRate,occurredAt,corrects",
                "r1,acme,BURGER,ann,EUR,-1.00,0.15,2036-06-15T10:00:00Z,t1",
                "t2,acme,BURGER,ann,EUR,9.999,0.15,2036-06-15T10:00:00Z,",
                "t1,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z,",
                "t3,acme,BURGER,ann,EUR,9.999,0.15,2036-06-15T10:00:00Z,",
                "r2,acme,BURGER,ann,EUR,-2.00,0.15,2036-06-15T10:00:00Z,t1",
                "t4,acme,BURGER,ann,EUR,9.99,0.15,2036-06-15T10:00:00Z,"));

        assertThat(recorded.recorded()).isEqualTo(1);
        assertThat(recorded.rejections())
                .extracting(CsvProblem::row, CsvProblem::code)
                .containsExactly(
                        tuple(2, "NOT_SAVED"),
                        tuple(3, "TOO_MANY_DECIMALS"),
                        tuple(4, "NOT_SAVED"),
                        tuple(5, "TOO_MANY_DECIMALS"),
                        tuple(6, "NOT_SAVED"));
    }

    private TransactionFile.Recorded recordTwoAtATime(List<String> rows) throws IOException {
        var file = new TransactionFile(
                fixture.transactions, new TransactionsConfig(2, 2, 2, Duration.ofMinutes(15), 1_000, 1_000_000));
        return file.record(
                GRACE, new ByteArrayInputStream(String.join("\n", rows).getBytes(UTF_8)));
    }

    /** As by a process that stands still before each of its writes, for longer than any run looks back. */
    @Test
    void whatMeetsASealAtEachStampIsNotSaved() {
        fixture.counters.seal(NOON);

        var outcomes = fixture.transactions.record(GRACE, List.of(sale("t1", "acme", "9.99")));

        assertThat(outcomes).containsExactly(new NotSaved(new TransactionId("t1")));
        assertThat(ingested()).isZero();
    }

    /** All attempts of the next write. */
    private void writesFailOnce() {
        table.faults().inject(Fault.SERVER_ERROR, "TransactWriteItems", FreshTable.RETRIES.maxAttempts());
    }

    private void failReads() {
        table.faults().inject(Fault.SERVER_ERROR, "GetItem", 1.0, 0);
        table.faults().inject(Fault.SERVER_ERROR, "BatchGetItem", 1.0, 0);
    }

    private long ingested() {
        return fixture.counters.counts(NOON).byShard().values().stream()
                .mapToLong(ControlTotals::count)
                .sum();
    }
}
