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
import static org.awaitility.Awaitility.await;

import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.CommissionRule;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.Rounding;
import io.menuboard.billing.transactions.Transaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What instances of a newer version write into the same table, while this one is still up. */
class NewerVersionsTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final YearMonth JUNE = YearMonth.of(2036, 6);
    private static final RunId NOON = run("1200", "1215");
    private static final RunId NEXT = run("1215", "1230");

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
        fixture.runs.checkpoint();
        clock.setTime("12:00:00");
        fixture.rules.put(new CommissionRule("known", new BigDecimal("0.10"), Rounding.HALF_UP), GRACE);
        fixture.rules.put(new CommissionRule("odd", new BigDecimal("0.20"), Rounding.HALF_UP), GRACE);
    }

    @Test
    void listsHaveEverythingElse() throws Exception {
        var sold = fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "acme", "1.00"), sale("t3", "bolt", "1.00"));
        clock.setTime("12:30:00");
        fixture.run();
        clock.setTime("12:45:00");
        fixture.run();
        newer(new Key("BILLRULES", "odd"), "rounding", "TO_FIVE_CENTS");
        newer(at(sold.getFirst()), "rounding", "TO_FIVE_CENTS");
        newer(meta(NEXT), "status", "ARCHIVED");
        newer(new Key("BILLRUN#" + NOON, "V0001#AGENCY#bolt"), "totals", "1 EUR");

        assertThat(fixture.rules.list(PAGE).nodes())
                .extracting(CommissionRule::id)
                .containsExactly("known");
        assertThat(fixture.billing.ofAgency(ACME, JUNE, PAGE).nodes()).containsExactly(sold.get(1));
        assertThat(fixture.runs.list(PAGE).nodes()).extracting(ReportRun::id).containsExactly(NOON);
        assertThat(fixture.reports.agencies(NOON, 1, PAGE).nodes())
                .extracting(AgencyTotals::agency)
                .containsExactly(ACME);
        isOfAnotherVersion(() -> fixture.rules.find("odd"));
        isOfAnotherVersion(() -> fixture.billing.find(new TransactionId("t1")));
        isOfAnotherVersion(() -> fixture.runs.find(NEXT));
        isOfAnotherVersion(() -> fixture.reports.agency(NOON, 1, new AgencyId("bolt")));
        isOfAnotherVersion(() -> fixture.reports.statement(new AgencyId("bolt"), JUNE));
        assertThat(fixture.reports.statement(ACME, JUNE).reports()).hasSize(1);
    }

    @Test
    void aRunWaitsForAnInstanceThatCanReadAllThatItReports() {
        var sold = fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "bolt", "1.00"));
        newer(at(sold.getLast()), "rounding", "TO_FIVE_CENTS");
        clock.setTime("12:30:00");
        try (var workers = WorkersFixture.workers(fixture.tasks, fixture.work())) {
            workers.start();
            fixture.runs.due();
            var task = Objects.requireNonNull(fixture.find(NOON).task());

            await().untilAsserted(() -> isGivenBack(task));
            assertThat(files.open(new RunFiles(NOON, 1).ledger())).isEmpty();
            assertThat(fixture.find(NOON).status()).isEqualTo(Status.RUNNING);
            assertThat(fixture.runs.checkpoint().upTo()).isEqualTo(NOON.from());

            newer(at(sold.getLast()), "rounding", "HALF_UP"); // the other instance is of this version now
            clock.advance(Duration.ofMinutes(1));

            await().until(() -> fixture.find(NOON).status() == Status.COMMITTED);
            assertThat(ledger(files, NOON, 1)).hasSize(2);
        }
    }

    @Test
    void aRunIsNotMadeAgainWithRulesThatCannotBeRead() throws Exception {
        fixture.recorded(byRule("t1", "acme", "9.99", "odd"));
        clock.setTime("12:30:00");
        fixture.run();
        newer(new Key("BILLRULES", "odd"), "rounding", "TO_FIVE_CENTS");

        fixture.runs.runAgain(NOON, GRACE);

        isOfAnotherVersion(() -> fixture.make(fixture.find(NOON)));
        assertThat(fixture.find(NOON).effectiveVersion()).isEqualTo(1);
    }

    @Test
    void nothingIsRecordedByWhatCannotBeReadAndTheRestIs() {
        var sold = fixture.recorded(sale("t1", "acme", "9.99"), sale("t2", "acme", "9.99"));
        newer(at(sold.getFirst()), "rounding", "TO_FIVE_CENTS");
        newer(new Key("BILLTX#t2", "META"), "quarter", "noon");
        newer(new Key("BILLRULES", "odd"), "rounding", "TO_FIVE_CENTS");

        var outcomes = fixture.billing.record(
                List.of(
                        byRule("t3", "acme", "1.00", "odd"),
                        byRule("t4", "acme", "1.00", "known"),
                        sale("t1", "acme", "9.99"),
                        refund("t5", "acme", "-1.00", "t2"),
                        sale("t2", "acme", "9.99")),
                GRACE);

        assertThat(outcomes)
                .hasExactlyElementsOfTypes(
                        RecordOutcome.NotSaved.class,
                        RecordOutcome.Recorded.class,
                        RecordOutcome.NotSaved.class,
                        RecordOutcome.NotSaved.class,
                        RecordOutcome.NotSaved.class);
        assertThat(fixture.billing.find(new TransactionId("t3"))).isEmpty();
    }

    @Test
    void theScheduleLeavesWhatItCannotReadAndDoesTheRest() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        clock.setTime("12:45:00");
        fixture.run();
        var again = fixture.runs.runAgain(NEXT, GRACE);
        assertThat(again).isInstanceOf(RunResult.Started.class);
        fixture.runs.runAgain(NOON, GRACE);
        clock.setTime("13:00:00");
        fixture.runs.due();
        var open = Objects.requireNonNull(fixture.runs.checkpoint().open());
        newer(meta(open), "status", "REVIEWED");
        newer(meta(NOON), "status", "REVIEWED");
        fixture.make(fixture.find(NEXT));
        db.delete(new Key("BILLRUN", "SETTLED"));

        fixture.runs.due();

        assertThat(fixture.checkpoint.settled()).isPresent();
        assertThat(fixture.dynamoRuns.reopened()).containsExactly(NOON);
        assertThat(fixture.runs.checkpoint().open()).isEqualTo(open);
    }

    @Test
    void aRunWhoseTaskCannotBeReadGetsNoOther() {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.runs.due();
        var task = Objects.requireNonNull(fixture.find(NOON).task());
        newer(new Key("TASK#" + task, "META"), "status", "PAUSED");
        clock.advance(Duration.ofHours(1));

        fixture.runs.due();

        assertThat(fixture.find(NOON).task()).isEqualTo(task);
    }

    @Test
    void aTaskOfANewerVersionIsGivenBack() {
        try (var workers = WorkersFixture.workers(fixture.tasks, fixture.work())) {
            workers.start();

            for (var payload : List.<Map<String, Object>>of(
                    Map.of("runs", List.of(NOON.toString())), Map.of("run", "noon", "version", 1))) {
                var task = fixture.tasks
                        .submission()
                        .submit(TasksFixture.STAFF, SubmitTask.operation(ReportRuns.TYPE, Json.of(payload)));
                await().untilAsserted(() ->
                        isGivenBack(((SubmitResult.Created) task).task().id()));
            }
        }
    }

    @Test
    void aLineOfALedgerThatCannotBeReadSaysSo() throws Exception {
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        fixture.run();
        var line = files.text(new RunFiles(NOON, 1).ledger())
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .replace("HALF_UP", "TO_FIVE_CENTS");

        try (var reader = LedgerReader.part(new ByteArrayInputStream((line + "\r\n").getBytes(UTF_8)))) {
            isOfAnotherVersion(reader::next);
        }
    }

    private void isGivenBack(TaskId id) {
        var task = fixture.tasks.reads().find(TasksFixture.STAFF, id).orElseThrow();
        assertThat(task.attempt()).isPositive();
        assertThat(task.status()).isEqualTo(TaskStatus.SCHEDULED);
        assertThat(task.failures()).isZero();
    }

    private void newer(Key key, String attribute, String value) {
        db.update(Update.of(key).set(attribute, value).when(Condition.exists()));
    }

    private static void isOfAnotherVersion(ThrowingCallable read) {
        assertThatThrownBy(read).isInstanceOf(UnreadableItem.class);
    }

    private static Key at(Transaction transaction) {
        var place = transaction.place();
        return new Key("BILL#" + place.quarter().label() + "#" + place.shard(), place.sortKey());
    }

    private static Key meta(RunId id) {
        return new Key("BILLRUN#" + id, "META");
    }
}
