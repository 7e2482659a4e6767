package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.Reports.Reporting;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.RecordOutcome.NotSaved;
import io.menuboard.billing.transactions.RecordOutcome.Recorded;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** However late something arrives, a report has it. Runs look back an hour here. */
class LookBackTest {
    private static final Quarter NOON = Quarter.parse("quarter", "203606151200");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private QueryDb db;
    private BillingFixture fixture;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new BillingFixture(db, clock, files);
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
    }

    /** As a process is suspended between the stamp and the write, until what is beside it has happened. */
    private BillingFixture suspended(Runnable meanwhile) {
        var client = LocalDynamoDb.shared().directClient();
        var first = new AtomicBoolean(true);
        var proxy = (DynamoDbClient) Proxy.newProxyInstance(
                LookBackTest.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof TransactWriteItemsRequest
                            && first.getAndSet(false)) {
                        meanwhile.run();
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new BillingFixture(table.queryDb(proxy, clock), clock, files);
    }

    /** Everything that can be closed is, and then looked back on. */
    private void runUntil(String time) {
        clock.setTime(time);
        try {
            fixture.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        fixture.runs.due();
    }

    private List<String> reported() {
        return fixture.runs.list(GRACE, PAGE).nodes().stream()
                .flatMap(run -> ledger(files, run.id(), 1).stream())
                .map(line -> line.transaction().id().value())
                .toList();
    }

    @Test
    void whatIsWrittenLaterThanAnyRunLooksBackIsRecordedInThePresent() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        var late = suspended(() -> {
            runUntil("13:00:00");
            runUntil("15:00:00");
        });

        var recorded = late.recorded(sale("t2", "acme", "5.00")).getFirst();

        assertThat(recorded.place().quarter()).isEqualTo(NOON.plus(12));
        runUntil("15:30:00");
        assertThat(reported()).containsExactlyInAnyOrder("t1", "t2");
        assertThat(fixture.runs.differingQuarterHours(GRACE)).isZero();
    }

    /** It left the look-back with the last run, but nothing had sealed it before the transaction arrived. */
    @Test
    void whatArrivedBehindTheLookBackBeforeItWasSealedIsInTheNextReport() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("14:00:00");
        fixture.run();
        clock.setTime("12:00:00");
        fixture.recorded(sale("t2", "acme", "5.00"));
        clock.setTime("14:00:00");
        fixture.runs.due();
        assertThat(fixture.runs.differingQuarterHours(GRACE)).isEqualTo(1);

        runUntil("14:15:00");

        assertThat(reported()).containsExactlyInAnyOrder("t1", "t2");
        assertThat(fixture.runs.differingQuarterHours(GRACE)).isZero();
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON, NOON.next())).allMatch(Reconciliation::agrees);
    }

    @Test
    void whatNoRunCanMendIsCountedAndDoesNotHoldTheLookBackForEver() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        runUntil("13:00:00");
        var counter = db.load("BILLQ#" + NOON + "#0").stream()
                .findFirst()
                .orElseGet(() -> db.load("BILLQ#" + NOON + "#1").getFirst());
        db.count(counter.key(), "count", 1);

        for (var time : List.of("14:00:00", "14:15:00", "14:30:00")) {
            runUntil(time);
            assertThat(fixture.runs.differingQuarterHours(GRACE)).isEqualTo(1);
            assertThat(fixture.checkpoint.settled().orElseThrow().from()).isEqualTo(NOON);
        }
        runUntil("14:45:00");

        assertThat(fixture.checkpoint.settled().orElseThrow().from()).isEqualTo(NOON.plus(6));
        assertThat(reported()).containsExactly("t1");
    }

    /** The last of them is counted, in a quarter hour that is sealed, by an instance that does not know of seals. */
    @Test
    void saysOfEachTransactionWhetherAReportWillHaveIt() {
        var reported = fixture.recorded(sale("t1", "acme", "9.99")).getFirst();
        runUntil("12:30:00");
        clock.setTime("12:14:59");
        var late = fixture.recorded(sale("t2", "acme", "5.00")).getFirst();
        var missed = fixture.recorded(sale("t3", "acme", "5.00")).getFirst();
        clock.setTime("12:30:00");
        var open = fixture.recorded(sale("t4", "acme", "5.00")).getFirst();

        assertThat(fixture.reports.reporting(GRACE, reported)).isEqualTo(Reporting.REPORTED);
        assertThat(fixture.reports.reporting(GRACE, late)).isEqualTo(Reporting.LATE);
        assertThat(fixture.reports.reporting(GRACE, open)).isEqualTo(Reporting.OPEN);
        fixture.checkpoint.settle(new DynamoCheckpoint.Settled(NOON.next(), NOON.next(), 0, 0));
        assertThat(fixture.reports.reporting(GRACE, missed)).isEqualTo(Reporting.MISSED);
        assertThat(fixture.reports.reporting(GRACE, reported)).isEqualTo(Reporting.REPORTED);
    }

    /** The parts of its ledger are there before it is committed. */
    @Test
    void whatOnlyARunHasThatIsNotCommittedIsInNoReport() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        runUntil("12:30:00");
        clock.setTime("12:14:59");
        var late = fixture.recorded(sale("t2", "acme", "5.00")).getFirst();
        clock.setTime("12:45:00");

        runUntilItsPartsAreSaved();

        assertThat(fixture.quarters.find(NOON).reported()).hasSize(2);
        assertThat(fixture.reports.reporting(GRACE, late)).isEqualTo(Reporting.LATE);
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON, NOON.next()))
                .singleElement()
                .returns(2L, Reconciliation::ingestedCount)
                .returns(1L, Reconciliation::reportedCount)
                .returns(false, Reconciliation::agrees)
                .satisfies(quarter -> assertThat(quarter.runs()).hasSize(1));

        fixture.make(fixture.runs.list(GRACE, PAGE).nodes().getFirst());
        assertThat(fixture.reports.reporting(GRACE, late)).isEqualTo(Reporting.REPORTED);
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON, NOON.next()))
                .singleElement()
                .returns(true, Reconciliation::agrees)
                .satisfies(quarter -> assertThat(quarter.runs()).hasSize(2));
    }

    /** The run may still report it, so that nobody must be told to record it again. */
    @Test
    void whatOnlyARunHasThatIsNotCommittedDoesNotLeaveTheLookBack() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        runUntil("13:15:00");
        clock.setTime("13:30:00");
        fixture.run();
        clock.setTime("12:14:59");
        var late = fixture.recorded(sale("t2", "acme", "5.00")).getFirst();
        clock.setTime("13:45:00");
        runUntilItsPartsAreSaved();

        fixture.runs.due();

        assertThat(fixture.quarters.find(NOON).unreported()).isEmpty();
        assertThat(fixture.checkpoint.settled().orElseThrow().from()).isEqualTo(NOON);
        assertThat(fixture.runs.differingQuarterHours(GRACE)).isEqualTo(1);
        assertThat(fixture.reports.reporting(GRACE, late)).isEqualTo(Reporting.LATE);
        fixture.make(fixture.runs.list(GRACE, PAGE).nodes().getFirst());
        fixture.runs.due();
        assertThat(fixture.runs.differingQuarterHours(GRACE)).isZero();
        assertThat(fixture.reports.reporting(GRACE, late)).isEqualTo(Reporting.REPORTED);
    }

    /** The process that makes the run dies before it commits it. */
    private void runUntilItsPartsAreSaved() {
        var dying = InterruptedClient.before(
                request -> request instanceof BatchWriteItemRequest write
                        && write.toString().contains("#AGENCY#"),
                1,
                LocalDynamoDb.shared().directClient(),
                () -> {
                    throw new IllegalStateException("the process dies");
                });
        assertThatThrownBy(() -> new BillingFixture(table.queryDb(dying, clock), clock, files).run())
                .hasMessageContaining("the process dies");
    }

    @Test
    void whatIsReportedAndSettledWhileSomebodyAsksIsNotMissed() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        runUntil("12:30:00");
        clock.setTime("12:14:59");
        var late = fixture.recorded(sale("t2", "acme", "5.00")).getFirst();
        clock.setTime("12:30:00");
        var slow = InterruptedClient.before(
                request -> request instanceof GetItemRequest get
                        && get.key().toString().contains("SETTLED"),
                1,
                LocalDynamoDb.shared().directClient(),
                () -> {
                    runUntil("12:45:00");
                    fixture.checkpoint.settle(new DynamoCheckpoint.Settled(NOON.plus(3), NOON.plus(3), 0, 0));
                });

        assertThat(new BillingFixture(table.queryDb(slow, clock), clock, files).reports.reporting(GRACE, late))
                .isEqualTo(Reporting.REPORTED);
    }

    @Test
    void anInstanceThatComesLateSettlesNothing() {
        runUntil("15:00:00");
        var settled = fixture.checkpoint.settled().orElseThrow();

        fixture.checkpoint.settle(
                new DynamoCheckpoint.Settled(settled.from(), settled.upTo().plus(-1), 0, 7));
        fixture.checkpoint.settle(new DynamoCheckpoint.Settled(settled.from().plus(-1), settled.upTo(), 0, 7));

        assertThat(fixture.checkpoint.settled()).contains(settled);
    }

    @Test
    void aWriteThatTookLongerThanTheLagIsCounted() {
        suspended(() -> clock.advance(Duration.ofMinutes(15))).recorded(sale("t1", "acme", "9.99"));
        var slow = suspended(() -> clock.advance(Duration.ofMinutes(15).plusSeconds(1)));
        slow.recorded(sale("t2", "acme", "9.99"));

        assertThat(slow.billing.slowWrites()).isEqualTo(1);
        assertThat(fixture.billing.slowWrites()).isZero();
    }

    /** As an instance of the previous version counts what it records. */
    private void countAsBefore() {
        for (var shard = 0; shard < 2; shard++) {
            for (var item : db.load("BILLQ#" + NOON + "#" + shard)) {
                var slot = item.key().sort().substring("INGESTED#".length());
                var before = Item.at(new Key("BILLQ#" + NOON, "INGESTED#" + shard + "#" + slot))
                        .type("billableCount")
                        .number("count", item.integer("count"))
                        .number("sumEUR", item.number("sumEUR"))
                        .build();
                db.save(before, SaveMode.INIT);
                db.delete(item.key());
            }
        }
    }

    @Test
    void countersOfThePreviousVersionCountBesideOurs() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        countAsBefore();
        fixture.recorded(sale("t2", "acme", "5.00"));
        assertThat(fixture.quarters.find(NOON).allIngested().count()).isEqualTo(2);
        runUntil("12:30:00");
        clock.setTime("12:00:00");
        fixture.recorded(sale("t3", "acme", "1.00"));

        runUntil("12:45:00");

        assertThat(reported()).containsExactlyInAnyOrder("t1", "t2", "t3");
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON, NOON.next()))
                .singleElement()
                .satisfies(quarter -> {
                    assertThat(quarter.agrees()).isTrue();
                    assertThat(quarter.ingestedCount()).isEqualTo(3);
                });
    }

    @Test
    void whatIsLateInCountersOfThePreviousVersionIsALateLine() {
        runUntil("12:30:00");
        clock.setTime("12:00:00");
        fixture.recorded(sale("t1", "acme", "9.99"));
        countAsBefore();

        runUntil("12:45:00");

        assertThat(reported()).containsExactly("t1");
    }

    @Test
    void whatANewerVersionKeepsBesideTheCountersIsLeftAlone() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        db.save(Item.at(new Key("BILLQ#" + NOON, "WEATHER#7")).type("weather").build(), SaveMode.ANY);

        runUntil("12:30:00");

        assertThat(reported()).containsExactly("t1");
    }

    /** So that an instance whose table is slow does not have all its threads wait for a counter. */
    @Test
    void whoFindsNoCounterIsToldSoInsteadOfWaiting() throws Exception {
        var client = LocalDynamoDb.shared().directClient();
        var stands = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var proxy = (DynamoDbClient) Proxy.newProxyInstance(
                LookBackTest.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest) {
                        stands.countDown();
                        goesOn.await();
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        var slow = new BillingFixture(
                table.queryDb(proxy, clock), clock, files, new BillingFixture.Config(1, 1, Duration.ofHours(1)));
        slow.checkpoint.begin(NOON);
        var correctedTwice = List.of(
                sale("t2", "acme", "9.99"), refund("t3", "acme", "-9.99", "t2"), refund("t4", "acme", "9.99", "t3"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> slow.billing.record(GRACE, List.of(sale("t1", "acme", "9.99"))));
            stands.await();

            var second = slow.billing.record(GRACE, correctedTwice);

            assertThat(second)
                    .as("a correction of what is not saved must come again, too, and so must one of that")
                    .containsExactly(
                            new NotSaved(new TransactionId("t2")),
                            new NotSaved(new TransactionId("t3")),
                            new NotSaved(new TransactionId("t4")));
            goesOn.countDown();
            assertThat(first.get()).singleElement().isInstanceOf(Recorded.class);
        } finally {
            goesOn.countDown();
        }
        assertThat(slow.billing.record(GRACE, correctedTwice)).hasSize(3).hasOnlyElementsOfType(Recorded.class);
    }

    @Test
    void aLookBackOfLessThanAnHourIsRefused() {
        assertThatThrownBy(() -> new ReportsConfig(
                        Duration.ofHours(1), Duration.ZERO, Duration.ofMinutes(59), 1, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("look-back");
    }
}
