package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.TransactionsFixture;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Outage;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Table, bucket or both are away for ten minutes, the bucket refuses for longer than a task tries, or the task ends without
 * the run: reports are made all the same.
 */
class OutagesTest {
    private static final RunId NOON = run("1200", "1215");
    private static final RunId NEXT = run("1215", "1230");
    private static final int SALES = 40;

    /** The longest pause of a task, {@code menuboard.tasks.max-backoff}. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /** Turns of the sweep, and pauses after the first failures. */
    private static final Duration SOON = Duration.ofSeconds(30);

    /** How often instances look whether a run is due. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private final AtomicInteger callsUntilOutage = new AtomicInteger(Integer.MAX_VALUE);
    private volatile Instant outageEnds = Instant.EPOCH;
    private BillingFixture fixture;
    private TaskWorkers workers;

    @BeforeEach
    void open() {
        fixture = new BillingFixture(table.directQueryDb(clock), clock, refusing());
        clock.setTime("12:15:00");
        fixture.runs.checkpoint(GRACE);
        clock.setTime("12:00:00");
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
        workers = WorkersFixture.workers(fixture.tasks, fixture.work());
    }

    @AfterEach
    void close() {
        workers.close();
    }

    /** The files, which fail while there is an outage; the first answer that is lost in it is that of a call that was made. */
    private ReportFiles refusing() {
        return (ReportFiles) Proxy.newProxyInstance(
                OutagesTest.class.getClassLoader(), new Class<?>[] {ReportFiles.class}, (_, method, arguments) -> {
                    var left = callsUntilOutage.getAndDecrement();
                    if (left < 0 || clock.instant().isBefore(outageEnds)) {
                        throw new UncheckedIOException(new IOException("the bucket is not there"));
                    }
                    try {
                        var answer = method.invoke(files, arguments);
                        if (left == 0) {
                            throw new UncheckedIOException(new IOException("the bucket's answer was lost"));
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({"1, true, false", "3, false, true", "5, true, true"})
    void everyTransactionIsInOneReportAfterTenMinutesWithoutTableOrBucket(
            long seed, boolean noTable, boolean noBucket) {
        var random = new Random(seed);
        var truth = fixture;
        var instance = new BillingFixture(table.queryDb(clock), clock, refusing());
        for (var i = 0; i < SALES; i++) {
            clock.setTime("12:%02d:30".formatted(i * 15 / SALES));
            instance.recorded(sale("s" + i, "agency " + i % 5, "1.50"));
        }
        clock.setTime("12:30:00");
        instance.runs.due();
        try (var working = WorkersFixture.workers(instance.tasks, instance.work())) {
            var late = sale("late", "agency 0", "5.00");
            if (noTable) {
                table.faults().breakDown(seed, 10 + random.nextInt(25));
                working.start();
                Awaitility.await().until(table.faults()::isDown);
                callsUntilOutage.set(noBucket ? -1 : Integer.MAX_VALUE);
                Outage.pass(table, clock, () -> {
                    Outage.refuses(
                            instance.runs::due,
                            () -> instance.runs.checkpoint(GRACE),
                            () -> instance.runs.runNow(GRACE),
                            () -> instance.billing.record(GRACE, List.of(sale("first", "new agency", "1.00"))));
                    assertThat(instance.billing.record(GRACE, List.of(late)))
                            .containsExactly(new RecordOutcome.NotSaved(late.id()));
                });
            } else {
                callsUntilOutage.set(random.nextInt(8));
                working.start();
                var end = clock.instant().plus(Outage.LENGTH);
                Outage.timeUntil(clock, truth.tasks, BETWEEN_LOOKS, () -> {
                    instance.runs.due();
                    return !clock.instant().isBefore(end);
                });
                assertThat(callsUntilOutage).as("tried").hasNegativeValue();
            }
            assertThat(truth.find(NOON).status()).isEqualTo(Status.RUNNING);
            callsUntilOutage.set(Integer.MAX_VALUE);
            instance.recorded(late);

            var took = Outage.timeUntil(clock, truth.tasks, noTable ? Outage.LONGEST_STEP : BETWEEN_LOOKS, () -> {
                instance.runs.due();
                return truth.find(NOON).status() == Status.COMMITTED;
            });

            System.out.printf(
                    "billing, without table %s, bucket %s: committed %s after they came back%n",
                    noTable, noBucket, took);
            assertThat(took).isLessThanOrEqualTo(noTable ? SOON : LONGEST_PAUSE);
            clock.setTime("13:00:00");
            Outage.timeUntil(clock, truth.tasks, BETWEEN_LOOKS, () -> {
                instance.runs.due();
                return truth.runs
                                        .checkpoint(GRACE)
                                        .upTo()
                                        .compareTo(run("1230", "1245").to())
                                >= 0
                        && Outage.isOver(truth.tasks);
            });
        }
        var reported = truth.runs.list(GRACE, TransactionsFixture.PAGE).nodes().stream()
                .flatMap(run -> ledger(files, run.id(), 1).stream())
                .map(line -> line.transaction().id().value())
                .toList();
        assertThat(reported)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of("t1", "late"),
                                IntStream.range(0, SALES).mapToObj(i -> "s" + i))
                        .toList());
        assertThat(files.contradicted()).isEmpty();
        assertThat(Outage.dead(truth.tasks)).isEmpty();
        assertThat(truth.reconciliations.reconcile(GRACE, NOON.from(), NEXT.to()))
                .allMatch(Reconciliation::agrees);
    }

    @Test
    void anOutageOfAMinuteDoesNotStopBilling() {
        outageEnds = clock.instant().plusSeconds(60);
        workers.start();

        awaitCommit(Duration.ofSeconds(5));

        assertThat(ledger(files, NOON, 1)).hasSize(1);
        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NOON.to());
    }

    /** Its first task is dead, and then forgotten, long before the bucket is there again. */
    @Test
    void anOutageOfEightDaysDoesNotStopBilling() {
        outageEnds = Instant.MAX;
        workers.start();
        fixture.runs.due();
        var first = Objects.requireNonNull(fixture.find(NOON).task());
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    var status = fixture.tasks
                            .reads()
                            .find(TasksFixture.STAFF, first)
                            .orElseThrow()
                            .status();
                    // While it is tried, an advance would only end the lease of that attempt.
                    if (status == TaskStatus.SCHEDULED) {
                        clock.advance(LONGEST_PAUSE);
                    }
                    return status == TaskStatus.DEAD;
                });
        outageEnds = clock.instant().plus(Duration.ofDays(8));
        clock.set(outageEnds);
        assertThat(fixture.tasks.reads().find(TasksFixture.STAFF, first)).isEmpty();

        awaitCommit(Duration.ofSeconds(5));

        assertThat(ledger(files, NOON, 1)).hasSize(1);
    }

    @Test
    void aCancelledTaskIsReplacedAfterAPauseAndByOneOnly() {
        fixture.runs.due();
        var first = Objects.requireNonNull(fixture.find(NOON).task());
        fixture.tasks.administration().cancel(TasksFixture.STAFF, first, "tidied up");

        fixture.runs.due();
        assertThat(fixture.find(NOON).task()).isEqualTo(first);
        clock.advance(Duration.ofMinutes(2));
        fixture.runs.due();
        var second = fixture.find(NOON).task();
        assertThat(second).isNotEqualTo(first);
        fixture.runs.due();
        // An instance that saw the run before.
        fixture.dynamoRuns.setTask(
                new ReportRun(NOON, Status.RUNNING, 0, 1, clock.instant(), GRACE.actor(), first, null), first);

        assertThat(fixture.find(NOON).task()).isEqualTo(second);
        workers.start();
        awaitCommit(Duration.ZERO);
    }

    @Test
    void aTaskThatIsCompletedWithoutTheRunIsReplaced() {
        var other = new BillingFixture(table.directQueryDb(clock), clock, files);
        try (var idle = WorkersFixture.workers(
                other.tasks, new TaskWork(ReportRuns.TYPE, 1, task -> Json.of(Map.of("done", "nothing"))))) {
            idle.start();
            fixture.runs.due();
            var first = Objects.requireNonNull(fixture.find(NOON).task());
            Awaitility.await()
                    .until(() -> fixture.tasks
                                    .reads()
                                    .find(TasksFixture.STAFF, first)
                                    .orElseThrow()
                                    .status()
                            == TaskStatus.COMPLETED);
        }
        workers.start();

        awaitCommit(Duration.ofSeconds(20));

        assertThat(ledger(files, NOON, 1)).hasSize(1);
    }

    @Test
    void askingForARunByHandDoesNotWaitForThePause() {
        fixture.runs.due();
        var first = Objects.requireNonNull(fixture.find(NOON).task());
        fixture.tasks.administration().cancel(TasksFixture.STAFF, first, null);

        assertThat(fixture.runs.runNow(GRACE))
                .isInstanceOfSatisfying(
                        RunResult.AlreadyStarted.class,
                        running -> assertThat(running.run().task()).isNotNull().isNotEqualTo(first));
    }

    @Test
    void aRepeatedRunIsMonitoredToo() throws Exception {
        fixture.make(((RunResult.Started) fixture.runs.runNow(GRACE)).run());
        var again = ((RunResult.Started) fixture.runs.runAgain(GRACE, NOON)).run();
        fixture.tasks.administration().cancel(TasksFixture.STAFF, Objects.requireNonNull(again.task()), null);
        workers.start();

        awaitCommit(Duration.ofSeconds(20));

        assertThat(fixture.find(NOON).effectiveVersion()).isEqualTo(2);
        assertThat(fixture.dynamoRuns.reopened()).isEmpty();
    }

    /** As an instance commits that does not know the list. */
    @Test
    void aRepeatedRunIsNotMonitoredForEver() throws Exception {
        fixture.make(((RunResult.Started) fixture.runs.runNow(GRACE)).run());
        var again = Item.at(new Key("BILLRUN", "AGAIN#" + NOON)).type("billingRunAgain");
        table.directQueryDb(clock).save(again.number("making", 1).build(), SaveMode.ANY);

        fixture.runs.due();

        assertThat(fixture.dynamoRuns.reopened()).isEqualTo(List.of());
    }

    private void awaitCommit(Duration step) {
        Awaitility.await().until(() -> {
            clock.advance(step);
            fixture.runs.due();
            return fixture.find(NOON).status() == Status.COMMITTED;
        });
    }
}
