package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.byRule;
import static io.menuboard.billing.transactions.TransactionsFixture.refund;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.reports.Reports.Kind;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

class ReportRunsTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final RunId NOON = run("1200", "1215");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private BillingFixture fixture;

    /** Reports begin at noon: a quarter hour before the checkpoint would be. */
    @BeforeEach
    void open() {
        fixture = new BillingFixture(table.queryDb(clock), clock, files);
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
    }

    /** As DynamoDB may show them while they are written by who was first. */
    @Test
    void aRunThatIsSeenLaterThanTheCheckpointThatHasItOpenIsStartedAlready() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        var run = ((RunResult.Started) fixture.runs.runNow(GRACE)).run();
        var db = table.queryDb(clock);
        var item = db.get(new Key("BILLRUN#" + run.id(), "META"), Consistency.STRONG)
                .orElseThrow();
        db.delete(item.key());
        var reads = new AtomicInteger();
        var client = InterruptedClient.before(
                request -> request instanceof GetItemRequest get
                        && item.key()
                                .partition()
                                .equals(Objects.requireNonNull(get.key().get("pk"))
                                        .s())
                        && reads.incrementAndGet() == 2,
                1,
                table.client(),
                () -> db.save(item, SaveMode.INIT));

        var second = new BillingFixture(table.queryDb(client, clock), clock, files).runs.runNow(GRACE);

        assertThat(second).isInstanceOfSatisfying(RunResult.AlreadyStarted.class, started -> assertThat(
                        started.run().id())
                .isEqualTo(run.id()));
    }

    @Test
    void reportsWhatArrivedInItsRangeAndMovesTheCheckpoint() throws Exception {
        var sold = fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "bolt", "450 JPY"));
        fixture.recorded(refund("t3", "acme", "-4.99", "t1"));
        clock.setTime("12:15:00");
        fixture.recorded(sale("t4", "acme", "1.00"));
        clock.setTime("12:30:00");

        fixture.run();

        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NOON.to());
        assertThat(ledger(files, NOON, 1))
                .extracting(line -> line.transaction().id().value())
                .containsExactlyInAnyOrder("t1", "t2", "t3");
        assertThat(fixture.find(NOON)).satisfies(run -> {
            assertThat(run.status()).isEqualTo(Status.COMMITTED);
            assertThat(run.effectiveVersion()).isEqualTo(1);
            assertThat(fixture.result(NOON).lines()).isEqualTo(3);
            assertThat(fixture.result(NOON).agencies()).isEqualTo(2);
        });
        assertThat(fixture.reports.agency(GRACE, NOON, 1, ACME).orElseThrow().totals())
                .containsExactly(totals(2, "5.00", "0.75"));
        assertThat(fixture.reports.of(GRACE, sold.getFirst())).hasValueSatisfying(appearance -> {
            assertThat(appearance.run().id()).isEqualTo(NOON);
            assertThat(appearance.line().transaction().id()).isEqualTo(new TransactionId("t1"));
        });
        assertThat(files.text("billing/203606151200-203606151215/v0001/summary.csv")
                        .lines())
                .containsExactly(
                        "agency,currency,lines,lateLines,amount,agencyShare,houseShare",
                        "acme,EUR,2,0,5.00,0.75,4.25",
                        "bolt,JPY,1,0,450,68,382");
    }

    @Test
    void closesNothingBeforeTheLagHasPassed() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:29:59.999");

        assertThat(fixture.runs.runNow(GRACE)).isEqualTo(new RunResult.NothingToReport(NOON.from()));
        clock.setTime("12:30:00");
        assertThat(fixture.runs.runNow(GRACE)).isInstanceOf(RunResult.Started.class);
    }

    @Test
    void aLateTransactionIsALateLineOfTheNextReportAndOfNoOther() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        clock.setTime("12:14:59");
        var late = fixture.recorded(sale("t2", "acme", "5.00")).getFirst();
        clock.setTime("12:45:00");

        fixture.run();

        var next = run("1215", "1230");
        assertThat(ledger(files, NOON, 1)).hasSize(1);
        assertThat(ledger(files, next, 1)).singleElement().satisfies(line -> {
            assertThat(line.late()).isTrue();
            assertThat(line.transaction().id()).isEqualTo(late.id());
            assertThat(line.transaction().place().quarter()).isEqualTo(NOON.from());
        });
        assertThat(fixture.result(next).lateLines()).isEqualTo(1);
        clock.setTime("13:00:00");
        fixture.run();
        assertThat(ledger(files, run("1230", "1245"), 1)).isEmpty();
        assertThat(fixture.reports.of(GRACE, late))
                .hasValueSatisfying(
                        appearance -> assertThat(appearance.run().id()).isEqualTo(next));
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON.from(), NOON.to()))
                .singleElement()
                .satisfies(quarter -> {
                    assertThat(quarter.agrees()).isTrue();
                    assertThat(quarter.reportedCount()).isEqualTo(2);
                    assertThat(quarter.runs()).containsExactly(NOON, next);
                });
    }

    @Test
    void reconciliationShowsWhatNoReportHas() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        clock.setTime("12:14:59");
        fixture.recorded(sale("t2", "acme", "5.00"));

        var quarters =
                fixture.reconciliations.reconcile(GRACE, NOON.from(), NOON.to().next());

        assertThat(quarters.getFirst()).satisfies(quarter -> {
            assertThat(quarter.agrees()).isFalse();
            assertThat(quarter.ingestedCount()).isEqualTo(2);
            assertThat(quarter.ingested().get("EUR")).isEqualByComparingTo("14.99");
            assertThat(quarter.reported().get("EUR")).isEqualByComparingTo("9.99");
        });
        assertThat(quarters.getLast().closed()).isFalse();
        assertThat(quarters.getLast().agrees()).isTrue();
    }

    @Test
    void manyInstancesOpenOneRunForARange() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("13:00:00");
        Callable<RunResult> ask = () -> fixture.runs.runNow(GRACE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = threads.invokeAll(Collections.nCopies(16, ask)).stream()
                    .map(Future::resultNow)
                    .toList();

            assertThat(answers).filteredOn(RunResult.Started.class::isInstance).hasSize(1);
            assertThat(answers)
                    .filteredOn(RunResult.AlreadyStarted.class::isInstance)
                    .hasSize(15);
        }
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).hasSize(1);
    }

    /** As by instances that have read the checkpoint before, and whose clocks do not agree. */
    @Test
    void noRunIsOpenedBesideAnotherOrBehindTheCheckpoint() throws Exception {
        clock.setTime("12:30:00");
        var first = ((RunResult.Started) fixture.runs.runNow(GRACE)).run();

        assertThat(fixture.dynamoRuns.open(run("1200", "1230"), clock.instant(), GRACE.actor()))
                .isFalse();
        fixture.make(first);
        assertThat(fixture.dynamoRuns.open(run("1200", "1230"), clock.instant(), GRACE.actor()))
                .isFalse();
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).hasSize(1);
    }

    @Test
    void manyWhoMakeTheSameRunAtOnceMakeTheSameFiles() throws Exception {
        for (var i = 0; i < 20; i++) {
            fixture.recorded(sale("t" + i, "agency " + i % 3, "1.0" + i % 10));
        }
        clock.setTime("12:30:00");
        var run = ((RunResult.Started) fixture.runs.runNow(GRACE)).run();
        Callable<Void> make = () -> {
            fixture.make(run);
            return null;
        };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var made : threads.invokeAll(Collections.nCopies(8, make))) {
                made.get();
            }
        }

        assertThat(files.contradicted()).isEmpty();
        assertThat(fixture.find(NOON).status()).isEqualTo(Status.COMMITTED);
        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NOON.to());
        assertThat(ledger(files, NOON, 1)).hasSize(20);
    }

    /** It had read the table before a transaction arrived, and stores its ledger after somebody who read that one too. */
    @Test
    void whoComesLaterTakesTheLedgerThatIsStored() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        var run = ((RunResult.Started) fixture.runs.runNow(GRACE)).run();
        var slow = new BillingFixture(table.queryDb(clock), clock, storing(() -> {
            clock.setTime("12:14:00");
            fixture.recorded(sale("t2", "bolt", "1.00"));
            clock.setTime("12:30:00");
            fixture.make(run);
        }));

        slow.make(run);

        assertThat(files.contradicted()).isEmpty();
        assertThat(ledger(files, NOON, 1)).hasSize(2);
        assertThat(fixture.reports.agencies(GRACE, NOON, 1, PAGE).nodes()).hasSize(2);
        clock.setTime("12:45:00");
        fixture.run();
        assertThat(ledger(files, run("1215", "1230"), 1)).isEmpty();
    }

    private interface Interruption {
        void happens() throws InterruptedException;
    }

    /** The files, to which something happens just before a ledger is stored. */
    private ReportFiles storing(Interruption before) {
        return (ReportFiles) Proxy.newProxyInstance(
                ReportRunsTest.class.getClassLoader(), new Class<?>[] {ReportFiles.class}, (_, method, arguments) -> {
                    if (method.getName().equals("create")
                            && arguments[0].toString().endsWith("/ledger.csv")) {
                        before.happens();
                    }
                    return method.invoke(files, arguments);
                });
    }

    @Test
    void instancesRunWhatIsDueAsTasks() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:29:00");
        fixture.runs.due();
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).isEmpty();
        clock.setTime("12:30:00");
        try (var workers = WorkersFixture.workers(fixture.tasks, fixture.work())) {
            workers.start();

            fixture.runs.due();
            fixture.runs.due();

            Awaitility.await()
                    .untilAsserted(() -> assertThat(fixture.find(NOON).status()).isEqualTo(Status.COMMITTED));
            var task = Objects.requireNonNull(fixture.find(NOON).task());
            Awaitility.await().untilAsserted(() -> assertThat(fixture.tasks
                            .reads()
                            .find(TasksFixture.STAFF, task)
                            .orElseThrow()
                            .status()
                            .isFinished())
                    .isTrue());
        }
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).hasSize(1);
    }

    /** Five transactions at the most, of quarter hours that have three, two, one, seven and one. */
    @Test
    void aRangeEndsBeforeItHasMoreThanARunMayButHasOneQuarterHour() throws Exception {
        fixture = new BillingFixture(
                table.queryDb(clock), clock, files, new BillingFixture.Config(2, 2, Duration.ofHours(1), 5));
        for (var count : List.of(3, 2, 1, 7, 1)) {
            fixture.recorded(IntStream.range(0, count)
                    .mapToObj(i -> sale(clock.instant().getEpochSecond() + "-" + i, "acme", "1.00"))
                    .toList());
            clock.advance(Duration.ofMinutes(15));
        }
        clock.setTime("13:30:00");

        assertThat(fixture.runs.next(GRACE)).contains(run("1200", "1230"));
        fixture.run();

        var runs = fixture.runs.list(GRACE, PAGE).nodes().reversed();
        assertThat(runs)
                .extracting(ReportRun::id)
                .containsExactly(run("1200", "1230"), run("1230", "1245"), run("1245", "1300"), run("1300", "1315"));
        assertThat(runs).extracting(run -> ledger(files, run.id(), 1).size()).containsExactly(5, 1, 7, 1);
    }

    @Test
    void staffSetTheIntervalWhileItRuns() {
        assertThat(fixture.runs.checkpoint(GRACE).interval()).isEqualTo(Duration.ofMinutes(15));

        fixture.runs.setInterval(GRACE, Duration.ofHours(2));

        clock.setTime("14:14:59");
        fixture.runs.due();
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).isEmpty();
        clock.setTime("14:15:00");
        fixture.runs.due();
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).singleElement().satisfies(run -> assertThat(run.id())
                .isEqualTo(run("1200", "1400")));
        assertThat(fixture.audit.bySubject("BILLING", PAGE).nodes())
                .singleElement()
                .satisfies(
                        record -> assertThat(record.details()).isEqualTo(Map.of("before", "PT15M", "after", "PT2H")));
    }

    @Test
    void eachRecordOfAnIntervalSaysWhatItWasAlsoWhereManySetItAtOnce() throws Exception {
        var begun = fixture.runs.checkpoint(GRACE).interval();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var set = IntStream.rangeClosed(2, 9)
                    .mapToObj(hours -> threads.submit(() -> fixture.runs.setInterval(GRACE, Duration.ofHours(hours))))
                    .toList();
            for (var each : set) {
                each.get(60, TimeUnit.SECONDS);
            }
        }
        var records = fixture.audit.bySubject("BILLING", PAGE).nodes();

        // Each was something that another one had made of it, but for the first; and one is left.
        var before = values(records, "before");
        var after = values(records, "after");
        before.add(fixture.runs.checkpoint(GRACE).interval().toString());
        after.add(begun.toString());
        assertThat(before).hasSize(9).containsExactlyInAnyOrderElementsOf(after);
    }

    private static List<String> values(List<AuditRecord> records, String name) {
        return records.stream()
                .map(record -> Objects.requireNonNull(record.details().get(name)))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT14M", "PT15M1S", "PT15M0.000000001S", "PT20M", "PT24H15M", "PT-15M"})
    void refusesOtherIntervals(String interval) {
        assertThatThrownBy(() -> fixture.runs.setInterval(GRACE, Duration.parse(interval)))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_INTERVAL"));
        assertThat(fixture.runs.checkpoint(GRACE).interval()).isEqualTo(Duration.ofMinutes(15));
    }

    /** However long it takes, and whoever changes the rule meanwhile. */
    @Test
    void aVersionHasOneRateOfEachRule() throws Exception {
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.HALF_UP));
        clock.setTime("12:00:00");
        fixture.recorded(IntStream.range(0, 250)
                .mapToObj(i -> byRule("t" + i, "acme", "10.00", "standard"))
                .toList());
        clock.setTime("12:30:00");
        fixture.run();
        var rate = new AtomicInteger(10);
        var changing = (DynamoDbClient) Proxy.newProxyInstance(
                ReportRunsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("batchGetItem")) {
                        fixture.rules.put(
                                GRACE,
                                new CommissionRule(
                                        "standard", BigDecimal.valueOf(rate.incrementAndGet(), 2), Rounding.HALF_UP));
                    }
                    return method.invoke(LocalDynamoDb.shared().directClient(), arguments);
                });
        var maker = new BillingFixture(table.queryDb(changing, clock), clock, files);

        maker.make(((RunResult.Started) maker.runs.runAgain(GRACE, NOON)).run());

        assertThat(rate).hasValueGreaterThan(12);
        assertThat(ledger(files, NOON, 2))
                .hasSize(250)
                .extracting(line -> line.transaction().commission().rate())
                .containsOnly(new BigDecimal("0.12"));
    }

    @Test
    void aRunMadeAgainCountsInsteadAndSaysWhatIsDifferent() throws Exception {
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.10"), Rounding.HALF_UP));
        fixture.recorded(byRule("t1", "acme", "10.00", "standard"));
        var own = fixture.recorded(sale("t2", "acme", "10.00")).getFirst();
        clock.setTime("12:30:00");
        fixture.run();
        var first = files.texts();
        fixture.rules.put(GRACE, new CommissionRule("standard", new BigDecimal("0.20"), Rounding.HALF_UP));
        clock.setTime("12:14:59");
        fixture.recorded(sale("t3", "acme", "10.00"));
        clock.setTime("12:31:00");

        var again = ((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run();
        assertThat(fixture.runs.runAgain(GRACE, NOON)).isInstanceOf(RunResult.AlreadyStarted.class);
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(totals(2, "20.00", "2.50"));
        fixture.make(again);

        assertThat(files.texts()).containsAllEntriesOf(first);
        assertThat(fixture.find(NOON).effectiveVersion()).isEqualTo(2);
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(totals(2, "20.00", "3.50"));
        assertThat(fixture.reports.version(GRACE, NOON, 1).orElseThrow().totals())
                .containsExactly(totals(2, "20.00", "2.50"));
        assertThat(new String(
                                fixture.reports
                                        .file(GRACE, NOON, 2, Kind.DIFFERENCE)
                                        .orElseThrow()
                                        .readAllBytes(),
                                UTF_8)
                        .lines())
                .containsExactly(
                        "transaction,agency,currency,amount,change,rateBefore,rateAfter,agencyShareBefore,agencyShareAfter",
                        "t1,acme,EUR,10.00,changed,0.1,0.2,1.00,2.00");
        assertThat(fixture.reports.of(GRACE, own))
                .hasValueSatisfying(appearance ->
                        assertThat(appearance.run().effectiveVersion()).isEqualTo(2));
        clock.setTime("12:45:00");
        fixture.run();
        assertThat(ledger(files, run("1215", "1230"), 1))
                .extracting(line -> line.transaction().id().value())
                .containsExactly("t3");
        assertThat(fixture.runs.runAgain(GRACE, run("0000", "0015")))
                .isEqualTo(new RunResult.NotFound(run("0000", "0015")));
    }

    /** As of a page that was open for a while: what was shown, or nothing. */
    @Test
    void nothingElseIsClosedThanTheRangeThatWasAskedFor() {
        clock.setTime("12:30:00");
        var shown = fixture.runs.next(GRACE).orElseThrow();
        clock.setTime("12:45:00");

        assertThatThrownBy(() -> fixture.runs.run(GRACE, shown))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_RUN"));
        assertThat(fixture.runs.checkpoint(GRACE).open()).isNull();

        var now = fixture.runs.next(GRACE).orElseThrow();
        assertThat(fixture.runs.run(GRACE, now)).isInstanceOfSatisfying(RunResult.Started.class, started -> assertThat(
                        started.run().id())
                .isEqualTo(now));
        assertThat(fixture.runs.run(GRACE, now)).isInstanceOf(RunResult.AlreadyStarted.class);
    }

    /** As by a client that did not hear the answer, at any time after it. */
    @Test
    void aRunFromTheSamePlaceIsBegunOnce() throws Exception {
        clock.setTime("12:30:00");

        var begun = ((RunResult.Started) fixture.runs.runFrom(GRACE, NOON.from())).run();

        assertThat(begun.startedBy()).isEqualTo(GRACE.actor());
        assertThat(fixture.runs.runFrom(GRACE, NOON.from())).isEqualTo(new RunResult.AlreadyStarted(begun));
        fixture.make(begun);
        clock.setTime("12:45:00");
        assertThat(fixture.runs.runFrom(GRACE, NOON.from()))
                .isEqualTo(new RunResult.AlreadyStarted(fixture.find(NOON)));
        assertThat(fixture.runs.runFrom(GRACE, NOON.to())).isInstanceOf(RunResult.Started.class);
        for (var elsewhere : List.of(NOON.from().plus(-1), NOON.to().next())) {
            assertThatThrownBy(() -> fixture.runs.runFrom(GRACE, elsewhere))
                    .isInstanceOfSatisfying(InvalidInput.class, refused -> {
                        assertThat(refused.code()).isEqualTo("INVALID_FROM");
                        assertThat(refused)
                                .hasMessageContaining(NOON.to().start().toString());
                    });
        }
    }

    @Test
    void aVersionIsReplacedOnce() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();

        var again = ((RunResult.Started) fixture.runs.runAgain(GRACE, NOON, 1)).run();

        assertThat(fixture.runs.runAgain(GRACE, NOON, 1)).isEqualTo(new RunResult.AlreadyStarted(again));
        fixture.make(again);
        assertThat(fixture.runs.runAgain(GRACE, NOON, 1)).isEqualTo(new RunResult.AlreadyStarted(fixture.find(NOON)));
        assertThat(fixture.find(NOON).latestVersion()).isEqualTo(2);
        for (var unknown : List.of(0, 3)) {
            assertThatThrownBy(() -> fixture.runs.runAgain(GRACE, NOON, unknown))
                    .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                            .isEqualTo("INVALID_VERSION"));
        }
        assertThat(fixture.runs.runAgain(GRACE, NOON, 2)).isInstanceOf(RunResult.Started.class);
    }

    @Test
    void anAgencyWhoseLinesAreAllGoneFromALaterVersionHasNothingInItsStatement() throws Exception {
        var place = fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "bolt", "1.00"))
                .getFirst()
                .place();
        clock.setTime("12:30:00");
        fixture.run();
        table.queryDb(clock).delete(new Key("BILL#" + place.quarter().label() + "#" + place.shard(), place.sortKey()));

        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());

        var statement = fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6));
        assertThat(statement.reports()).isEmpty();
        assertThat(statement.totals()).isEmpty();
        assertThat(fixture.reports.agencies(GRACE, NOON, 2, PAGE).nodes())
                .extracting(AgencyTotals::agency)
                .containsExactly(new AgencyId("bolt"));
        // As a version that an earlier release has made.
        table.queryDb(clock).delete(new Key("BILLRUN#" + NOON, "V0002#ABSENT#acme"));
        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).reports())
                .isEmpty();
    }

    /** The index of an agency's reports may be behind, and know neither version, or the one that counted before alone. */
    @Test
    void aStatementHasWhatWasJustCommitted() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        saveOutsideTheIndex("V0001#AGENCY#acme", "1 0 9.99 1.50");
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(totals(1, "9.99", "1.50"));

        fixture.make(((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run());
        fixture.versions.saveAgencies(List.of(new AgencyTotals(NOON, 1, ACME, List.of(totals(1, "9.99", "1.50")))));
        saveOutsideTheIndex("V0002#AGENCY#acme", "1 0 9.99 2.50");

        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(totals(1, "9.99", "2.50"));
    }

    private void saveOutsideTheIndex(String key, String euros) {
        table.queryDb(clock)
                .save(
                        Item.at(new Key("BILLRUN#" + NOON, key))
                                .type("billingAgencyTotals")
                                .stringMap("totals", Map.of("EUR", euros))
                                .build(),
                        SaveMode.ANY);
    }

    @Test
    void whatIsNotCommittedYetDoesNotCount() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        var run = ((RunResult.Started) fixture.runs.runNow(GRACE)).run();
        fixture.versions.saveAgencies(List.of(new AgencyTotals(NOON, 1, ACME, List.of(totals(7, "7.00", "0.70")))));
        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .isEmpty();

        fixture.make(run);
        fixture.runs.runAgain(GRACE, NOON);
        fixture.versions.saveAgencies(List.of(new AgencyTotals(NOON, 2, ACME, List.of(totals(7, "7.00", "0.70")))));

        assertThat(fixture.reports.statement(GRACE, ACME, YearMonth.of(2036, 6)).totals())
                .containsExactly(totals(1, "9.99", "1.50"));
    }

    @Test
    void linesOfAnAgencyArePagedBothWays() throws Exception {
        fixture.recorded(IntStream.range(0, 25)
                .mapToObj(i -> sale("t" + i, "acme", i + ".00"))
                .toList());
        clock.setTime("12:30:00");
        fixture.run();
        var all = fixture.reports.lines(GRACE, NOON, 1, ACME, PAGE);
        assertThat(all.nodes()).hasSize(25).isEqualTo(ledger(files, NOON, 1));
        assertThat(all.hasNextPage()).isFalse();
        assertThat(all.hasPreviousPage()).isFalse();

        for (var size = 1; size < 30; size += 4) {
            var forward = new ArrayList<LedgerLine>();
            var page = fixture.reports.lines(GRACE, NOON, 1, ACME, PageRequest.forward(size, null));
            forward.addAll(page.nodes());
            while (page.hasNextPage()) {
                page = fixture.reports.lines(GRACE, NOON, 1, ACME, PageRequest.forward(size, page.endCursor()));
                assertThat(page.hasPreviousPage()).isTrue();
                forward.addAll(page.nodes());
            }
            assertThat(forward).isEqualTo(all.nodes());
            var backward = new ArrayList<LedgerLine>();
            page = fixture.reports.lines(GRACE, NOON, 1, ACME, PageRequest.backward(size, null));
            backward.addAll(0, page.nodes());
            while (page.hasPreviousPage()) {
                page = fixture.reports.lines(GRACE, NOON, 1, ACME, PageRequest.backward(size, page.startCursor()));
                assertThat(page.hasNextPage()).isTrue();
                backward.addAll(0, page.nodes());
            }
            assertThat(backward).isEqualTo(all.nodes());
        }
        var second = Objects.requireNonNull(fixture.reports
                .lines(GRACE, NOON, 1, ACME, PageRequest.forward(2, null))
                .endCursor());
        var length = files.length(new RunFiles(NOON, 1).agencyCsv(ACME)).orElseThrow();
        for (var cursor : List.of(
                "x",
                "0",
                "7",
                "1000000",
                "-5",
                "-000000000000005",
                String.valueOf(Long.parseLong(second)),
                "0" + second,
                String.format(Locale.ROOT, "%016d", length),
                String.format(Locale.ROOT, "%016d", length + 1))) {
            for (var page : List.of(PageRequest.forward(5, cursor), PageRequest.backward(5, cursor))) {
                assertThatThrownBy(() -> fixture.reports.lines(GRACE, NOON, 1, ACME, page))
                        .as("%s", page)
                        .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                                .isEqualTo("INVALID_CURSOR"));
            }
        }
    }

    @Test
    void sayWhatWouldBeClosedNowAndWhenItIsDue() throws Exception {
        clock.setTime("12:29:59");
        assertThat(fixture.runs.next(GRACE)).isEmpty();
        assertThat(fixture.runs.nextDue()).isEqualTo("2036-06-15T12:30:00Z");

        clock.setTime("12:45:00");
        assertThat(fixture.runs.next(GRACE)).contains(run("1200", "1230"));

        fixture.runs.runNow(GRACE);
        assertThat(fixture.runs.next(GRACE)).isEmpty();
    }

    @Test
    void sayWhetherTheyAreOverdue() {
        assertThat(fixture.runs.overdue()).isEqualTo(Duration.ofMinutes(-30));
        clock.setTime("13:00:00");
        assertThat(fixture.runs.overdue()).isEqualTo(Duration.ofMinutes(30));
    }

    @Test
    void whatAnAgencyOrCustomerIsCalledIsNoFormula() throws Exception {
        fixture.recorded(sale("=t", "+acme/ü", "9.99"), sale("@t", "-1", "-3.00"));
        clock.setTime("12:30:00");

        fixture.run();

        assertThat(files.text(new RunFiles(NOON, 1).agencyCsv(new AgencyId("+acme/ü"))))
                .contains("\r\n'=t,'+acme/ü,");
        assertThat(files.text(new RunFiles(NOON, 1).agencyCsv(new AgencyId("-1"))))
                .contains("\r\n'@t,'-1,HAMBURGER,customer 7,EUR,-3.00,");
        assertThat(ledger(files, NOON, 1))
                .extracting(line -> line.transaction().agency().value())
                .containsExactlyInAnyOrder("+acme/ü", "-1");
    }

    private static Totals totals(long lines, String amount, String share) {
        return new Totals(lines, 0, Money.currencyOf("EUR"), new BigDecimal(amount), new BigDecimal(share));
    }

    @Test
    void addUpAmountsThatNoAmountCouldHold() throws Exception {
        fixture.recorded(IntStream.range(0, 20)
                .mapToObj(i -> sale("t" + i, "acme", "900000000000000.00"))
                .toList());
        clock.setTime("12:30:00");

        fixture.run();

        assertThat(fixture.reports.agency(GRACE, NOON, 1, ACME).orElseThrow().totals())
                .containsExactly(totals(20, "18000000000000000.00", "2700000000000000.00"));
    }

    @Test
    void sayWhenTheyWereCommitted() throws Exception {
        clock.setTime("12:30:00");
        fixture.run();

        assertThat(fixture.result(NOON).committedAt()).isEqualTo(Instant.parse("2036-06-15T12:30:00Z"));
    }
}
