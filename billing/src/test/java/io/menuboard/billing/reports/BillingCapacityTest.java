package io.menuboard.billing.reports;

import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.ControlTotals;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.Count;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.TransactionCharges;
import io.menuboard.tasks.TasksFixture;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every access to billing costs; {@code docs/capacity.md} lists it. What transactions cost is worked out, because
 * DynamoDB Local charges too little for them, and so it does for a Query that finds nothing: nothing.
 */
class BillingCapacityTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final int RUNS = TasksFixture.FULL_SOAK ? 50 : 15;
    private static final int NEW_ITEMS = 10;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private BillingFixture fixture;

    @BeforeEach
    void open() {
        var charges = new TransactionCharges(LocalDynamoDb.shared().directClient());
        fixture = new BillingFixture(table.queryDb(charges.proxy(), clock), clock, new MemoryFiles());
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
        // The agency is remembered from here on, and that billing has begun.
        fixture.recorded(sale("first", "acme", "9.99"));
    }

    @Test
    void recordingCostsFiveUnitsATransactionAndTwoForEachFortyNine() {
        assertThat(cost(() -> record("one", 1))).isEqualTo(new Units(1, 0, 5 + 2));
        assertThat(cost(() -> record("chunk", 49))).isEqualTo(new Units(1, 0, 49 * 5 + 2));
        assertThat(cost(() -> record("thousand", 1_000))).isEqualTo(new Units(21, 0, 1_000 * 5 + 21 * 2));
    }

    @Test
    void correctionsReadWhatTheyCorrectInRequestsOfAHundred() {
        record("sold", 101);
        var refunds = IntStream.range(0, 101)
                .mapToObj(i -> refund("refund " + i, "acme", "-0.01", "sold-" + i))
                .toList();

        assertThat(cost(() -> fixture.recorded(refunds.subList(0, 100))))
                .isEqualTo(new Units(1 + 3, 100, 100 * 5 + 3 * 2));
        assertThat(cost(() -> fixture.recorded(refunds.getLast()))).isEqualTo(new Units(2, 1, 5 + 2));
        // Of one transaction, all of it is read once.
        assertThat(cost(() -> fixture.recorded(IntStream.range(0, 49)
                        .mapToObj(i -> refund("once more " + i, "acme", "-0.01", "sold-0"))
                        .toList())))
                .isEqualTo(new Units(2, 1, 49 * 5 + 2));
    }

    @Test
    void replayingCostsTheRefusedTransactionAndAReadForEach() {
        record("again", 10);

        // Of the refused transaction, DynamoDB does not report what it consumed.
        assertThat(cost(() -> fixture.billing.record(GRACE, commands("again", 10))))
                .isEqualTo(new Units(2, 10, 0));
    }

    @Test
    void lookingUpCostsLittle() {
        assertThat(cost(() -> fixture.billing.find(GRACE, new TransactionId("first"))))
                .isEqualTo(new Units(2, 2, 0));
        assertThat(cost(() -> fixture.billing.find(BillingScopesTest.partner("bolt"), new TransactionId("first"))))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.billing.ofAgency(GRACE, ACME, YearMonth.of(2036, 6), PAGE)))
                .isEqualTo(new Units(2, 0.5, 0));
        var ofAgency = fixture.billing.ofAgency(GRACE, ACME, YearMonth.of(2036, 6), PAGE);
        assertThat(cost(ofAgency::totalCount)).isEqualTo(new Units(2, 0.5, 0));
        assertThat(ofAgency.totalCount())
                .isEqualTo(Count.exactly(ofAgency.nodes().size()));
        assertThat(cost(() -> fixture.runs.checkpoint(GRACE))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.rules.list(GRACE, PAGE))).isEqualTo(new Units(1, 0, 0));
    }

    /** Ten transactions of one agency in two shards; the table grows, what a run costs does not. */
    @Test
    void aLaterRunCostsWhatTheFirstDid() throws Exception {
        clock.setTime("12:30:00");
        fixture.run();
        Units first = null;
        for (var run = 0; run < RUNS; run++) {
            var quarter = fixture.runs.checkpoint(GRACE).upTo();
            moveTo(quarter, Duration.ZERO);
            record("run " + run, NEW_ITEMS);
            moveTo(quarter, Duration.ofMinutes(30));

            var cost = cost(() -> {
                try {
                    fixture.run();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });

            if (run == 4) {
                // From here on every quarter hour of the look-back has something.
                first = cost;
            } else if (first != null) {
                assertThat(cost).as("run %d", run).isEqualTo(first);
            }
        }
        assertThat(first).isNotNull();
    }

    @Test
    void reportsAreReadByTheirKeys() throws Exception {
        clock.setTime("12:30:00");
        fixture.run();
        var run = fixture.runs.list(GRACE, PAGE).nodes().getFirst();
        var transaction =
                fixture.billing.find(GRACE, new TransactionId("first")).orElseThrow();

        var runs = fixture.runs.list(GRACE, PAGE).nodes().size();
        assertThat(cost(() -> fixture.runs.list(GRACE, PAGE))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> fixture.runs.list(BillingScopesTest.partner("acme"), PAGE)))
                .isEqualTo(new Units(2, 0.5 + runs, 0));
        assertThat(cost(() -> fixture.reports.agencies(GRACE, run.id(), 1, PAGE)))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.reports.agency(GRACE, run.id(), 1, ACME))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.reports.agencies(GRACE, run.id(), 1, List.of(ACME))))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.reports.version(GRACE, run.id(), 1))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6))))
                .isEqualTo(new Units(3 + 2, 0.5 + 1.5 + 2 * runs, 0));
        assertThat(cost(() -> fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 5)))
                        .requests())
                .isEqualTo(3);
        assertThat(cost(() -> fixture.reports.of(GRACE, transaction))).isEqualTo(new Units(2, 2, 0));
        assertThat(cost(() -> fixture.reports.reporting(GRACE, transaction))).isEqualTo(new Units(4, 3, 0));
        fixture.quarters.seal(run.id().from());
        assertThat(cost(() -> fixture.reconciliations.reconcile(
                        GRACE, run.id().from(), run.id().to())))
                .isEqualTo(new Units(4, 4, 0));
    }

    @Test
    void runsCostAPartnerAUnitForEachOfItsAgencies() throws Exception {
        fixture.recorded(sale("second", "bolt", "9.99"), sale("third", "coil", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        var runs = fixture.runs.list(GRACE, PAGE).nodes().size();
        var partner = BillingScopesTest.partner("acme", "bolt", "coil");

        assertThat(cost(() -> fixture.runs.list(partner, PAGE))).isEqualTo(new Units(2, 0.5 + 3 * runs, 0));
        assertThat(cost(() -> fixture.runs.listWithoutTotals(partner, PAGE))).isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void aStatementReadsRunsThatWereMadeAgainTogether() throws Exception {
        clock.setTime("12:30:00");
        fixture.run();
        for (var run = 1; run < 3 + 2; run++) {
            var quarter = fixture.runs.checkpoint(GRACE).upTo();
            moveTo(quarter, Duration.ZERO);
            record("run " + run, 1);
            moveTo(quarter, Duration.ofMinutes(30));
            fixture.run();
        }
        for (var run : fixture.runs.list(GRACE, PAGE).nodes()) {
            fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, run.id())).run());
        }

        assertThat(cost(() -> fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6))))
                .isEqualTo(new Units(3 + 2 + 1, 0.5 + 1.5 + 2 * 3 + 2, 0));
    }

    /** Two shards of two counters each, four quarter hours of look-back. */
    @Test
    void aQuarterHourCostsAUnitAndOneForEachShard() {
        var quarter = Quarter.parse("quarter", "203606151300");
        fixture.quarters.save(List.of(new LedgerPart(
                new RunId(quarter, quarter.next()),
                quarter,
                false,
                0,
                0,
                Map.of(0, new LedgerPartition(ControlTotals.NONE, "")),
                LineIndex.NONE)));

        assertThat(cost(() -> fixture.quarters.seal(quarter))).isEqualTo(new Units(1, 0, 2 * 2 * 2));
        assertThat(cost(() -> fixture.quarters.find(quarter))).isEqualTo(new Units(3, 3, 0));
        assertThat(cost(() -> fixture.quarters.reported(quarter))).isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void settlingReadsTwiceTheLookBackOnceAfterEachRun() throws Exception {
        for (var time = 15; time <= 4 * 60; time += 15) {
            moveTo(Quarter.parse("quarter", "203606151200"), Duration.ofMinutes(time));
            record("at " + time, 1);
            fixture.run();
            fixture.runs.due();
        }
        moveTo(Quarter.parse("quarter", "203606151200"), Duration.ofMinutes(4 * 60 + 15));
        fixture.run();

        var settling = cost(fixture.runs::due);
        var idle = cost(fixture.runs::due);

        // 8 quarter hours in 3 requests; one sealed; what was settled, read and written.
        assertThat(settling.requests() - idle.requests()).isEqualTo(8 * 3 + 1 + 1);
        assertThat(settling.write() - idle.write()).isEqualTo(2 * 2 * 2 + 1);
        assertThat(idle).isEqualTo(new Units(3, 3, 0));
    }

    private void moveTo(Quarter quarter, Duration after) {
        clock.advance(Duration.between(clock.instant(), quarter.start().plus(after)));
    }

    private void record(String name, int count) {
        fixture.recorded(commands(name, count));
    }

    private static List<RecordTransaction> commands(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> sale(name + "-" + i, "acme", "9.99"))
                .toList();
    }

    private Units cost(Runnable action) {
        return table.meter().during(action);
    }
}
