package io.menuboard.billing.reports;

import static io.menuboard.billing.reports.BillingFixture.ledger;
import static io.menuboard.billing.reports.BillingFixture.run;
import static io.menuboard.billing.transactions.TransactionsFixture.GRACE;
import static io.menuboard.billing.transactions.TransactionsFixture.PAGE;
import static io.menuboard.billing.transactions.TransactionsFixture.sale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.reports.ReportRun.Status;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.YearMonth;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs whose asker may not run billing any more when their task is done. */
class RefusedRunsTest {
    private static final AgencyId ACME = new AgencyId("acme");
    private static final YearMonth JUNE = YearMonth.of(2036, 6);
    private static final RunId NOON = run("1200", "1215");
    private static final RunId NEXT = run("1215", "1315");
    private static final Access ADA =
            new Access(new Principal("u1", Actor.Kind.USER, "ada", Set.of(Grant.of(Role.BILLING))), Actor.Source.PAGE);
    private static final Access BOB =
            new Access(new Principal("u2", Actor.Kind.USER, "bob", Set.of(Grant.of(Role.BILLING))), Actor.Source.PAGE);

    /** Ada has no role any more; everybody else goes on. */
    private static final CurrentAccess WITHOUT_ADA = actor -> "u1".equals(actor.id())
            ? new Access(new Principal("u1", actor.kind(), actor.name(), Set.of()), actor.source())
            : CurrentAccess.EVERYTHING.of(actor);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemoryFiles files = new MemoryFiles();
    private BillingFixture fixture;
    private @Nullable TaskWorkers workers;

    /** Reports begin at noon, and a run covers an hour. */
    @BeforeEach
    void open() {
        fixture = new BillingFixture(table.queryDb(clock), clock, files);
        clock.setTime("12:15:00");
        fixture.runs.setInterval(GRACE, Duration.ofHours(1));
        clock.setTime("12:00:00");
        fixture.recorded(sale("t1", "acme", "9.99"));
        clock.setTime("12:30:00");
    }

    @AfterEach
    void stop() {
        if (workers != null) {
            workers.close();
        }
    }

    private void work() {
        work(fixture);
    }

    private void work(BillingFixture instance) {
        workers = WorkersFixture.workers(instance.tasks, instance.work());
        workers.start();
    }

    private Task ended(TaskId id) {
        return await().until(
                        () -> fixture.tasks.reads().find(TasksFixture.STAFF, id).orElseThrow(),
                        task -> task.status().isFinished());
    }

    private TaskId task(RunId id) {
        return Objects.requireNonNull(fixture.find(id).task());
    }

    private ReportRun asked() {
        return ((RunResult.Started) fixture.runs.runNow(ADA)).run();
    }

    /** Once a task that is over may be replaced. */
    private void awaitCommit(RunId id) {
        clock.advance(Duration.ofMinutes(2));
        fixture.runs.due();
        await().until(() -> fixture.runs
                .find(GRACE, id)
                .filter(run -> run.status() == Status.COMMITTED)
                .isPresent());
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    @Test
    void endsAsFailedAndWritesNothing() {
        asked();
        fixture.current = WITHOUT_ADA;
        work();

        var task = ended(task(NOON));

        assertThat(task.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(task.reason()).isEqualTo("ada, who asked for it, may not run billing any more");
        assertThat(files.texts()).isEmpty();
        assertThat(fixture.find(NOON).effectiveVersion()).isZero();
        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NOON.from());
    }

    /** Its range is made when more than it is due, and the rest follows when that is: as without the run that was refused. */
    @Test
    void isTakenOverByTheScheduleOnceItIsDue() {
        asked();
        fixture.current = WITHOUT_ADA;
        work();
        var refused = ended(task(NOON)).id();

        clock.setTime("12:40:00");
        fixture.runs.due();
        assertThat(task(NOON)).isEqualTo(refused);
        clock.setTime("12:45:00");
        fixture.recorded(sale("t2", "acme", "1.00"));
        clock.setTime("13:15:00");
        awaitCommit(NOON);

        assertThat(fixture.find(NOON).startedBy()).isEqualTo(RunTasks.SCHEDULE.actor());
        assertThat(ledger(files, NOON, 1)).hasSize(1);
        clock.setTime("13:29:59");
        fixture.runs.due();
        assertThat(fixture.runs.list(GRACE, PAGE).nodes()).hasSize(1);
        clock.setTime("13:30:00");
        awaitCommit(NEXT);
        assertThat(ledger(files, NEXT, 1))
                .singleElement()
                .satisfies(line -> assertThat(line.transaction().id().value()).isEqualTo("t2"));
        assertThat(fixture.reconciliations.reconcile(GRACE, NOON.from(), NEXT.to()))
                .allMatch(Reconciliation::agrees);
        assertThat(fixture.audit.bySubject("BILLRUN#" + NOON, PAGE).nodes())
                .extracting(record -> record.action())
                .contains("report run taken over");
    }

    @Test
    void isTakenOverAtOnceByWhoeverMay() {
        asked();
        fixture.current = WITHOUT_ADA;
        work();
        ended(task(NOON));

        assertThat(fixture.runs.runNow(BOB)).isInstanceOf(RunResult.AlreadyStarted.class);

        await().until(() -> fixture.find(NOON).status() == Status.COMMITTED);
        assertThat(fixture.find(NOON).startedBy()).isEqualTo(BOB.actor());
    }

    /** The instance dies once the ledger is stored; whoever takes over finds it, and what came in since is late. */
    @Test
    void whatAnEarlierAttemptHasWrittenStaysRight() {
        var dying = new BillingFixture(table.queryDb(clock), clock, dyingAfterTheLedger());
        var begun = asked();
        assertThatThrownBy(() -> dying.make(begun)).isInstanceOf(IllegalStateException.class);
        var stored = files.texts();
        assertThat(stored).hasSize(1);
        fixture.current = WITHOUT_ADA;
        work();
        ended(task(NOON));
        clock.setTime("12:14:59");
        fixture.recorded(sale("late", "acme", "2.00"));
        clock.setTime("13:15:00");

        awaitCommit(NOON);

        assertThat(files.texts()).containsAllEntriesOf(stored);
        assertThat(files.contradicted()).isEmpty();
        assertThat(ledger(files, NOON, 1)).hasSize(1);
        clock.setTime("13:30:00");
        awaitCommit(NEXT);
        assertThat(ledger(files, NEXT, 1)).singleElement().satisfies(line -> assertThat(line.late())
                .isTrue());
    }

    private ReportFiles dyingAfterTheLedger() {
        return (ReportFiles) Proxy.newProxyInstance(
                RefusedRunsTest.class.getClassLoader(), new Class<?>[] {ReportFiles.class}, (_, method, arguments) -> {
                    if (method.getName().equals("create")
                            && !arguments[0].toString().endsWith("/ledger.csv")) {
                        throw new IllegalStateException("died");
                    }
                    return method.invoke(files, arguments);
                });
    }

    @Test
    void goesOnWhereTheRoleIsGivenBack() {
        asked();
        fixture.current = WITHOUT_ADA;
        work();
        ended(task(NOON));
        fixture.current = CurrentAccess.EVERYTHING;

        awaitCommit(NOON);

        assertThat(fixture.find(NOON).startedBy()).isEqualTo(ADA.actor());
    }

    @Test
    void anotherVersionIsGivenUpAndTheOneBeforeCounts() throws Exception {
        fixture.make(asked());
        var first = files.texts();
        fixture.runs.runAgain(ADA, NOON);
        fixture.current = WITHOUT_ADA;
        work();

        var task = ended(task(NOON));

        assertThat(task.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(files.texts()).isEqualTo(first);
        assertThat(fixture.find(NOON)).satisfies(run -> {
            assertThat(run.status()).isEqualTo(Status.COMMITTED);
            assertThat(run.effectiveVersion()).isEqualTo(1);
        });
        assertThat(fixture.dynamoRuns.reopened()).isEmpty();
        clock.advance(Duration.ofMinutes(5));
        fixture.runs.due();
        assertThat(task(NOON)).isEqualTo(task.id());
        assertThat(fixture.reports.statement(GRACE, ACME, JUNE).reports())
                .extracting(AgencyTotals::version)
                .containsExactly(1);
    }

    @Test
    void endsAsFailedWhereTheRoleIsTakenAwayWhileItIsMade() {
        asked();
        work(takingTheRoleAway(() -> {}));

        var task = ended(task(NOON));

        assertThat(task.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(task.reason()).isEqualTo("ada, who asked for it, may not run billing any more");
        assertThat(files.texts()).isNotEmpty();
        assertThat(fixture.find(NOON).effectiveVersion()).isZero();
        assertThat(fixture.runs.checkpoint(GRACE).upTo()).isEqualTo(NOON.from());
        clock.setTime("13:15:00");
        awaitCommit(NOON);
        assertThat(fixture.find(NOON).startedBy()).isEqualTo(RunTasks.SCHEDULE.actor());
        assertThat(files.contradicted()).isEmpty();
    }

    @Test
    void anotherVersionIsGivenUpWhereTheRoleIsTakenAwayWhileItIsMade() throws Exception {
        fixture.make(asked());
        fixture.runs.runAgain(ADA, NOON);
        work(takingTheRoleAway(() -> {}));

        assertThat(ended(task(NOON)).status()).isEqualTo(TaskStatus.DEAD);

        assertThat(fixture.find(NOON)).satisfies(run -> {
            assertThat(run.status()).isEqualTo(Status.COMMITTED);
            assertThat(run.effectiveVersion()).isEqualTo(1);
        });
        assertThat(fixture.reports.version(GRACE, NOON, 2)).isEmpty();
        assertThat(fixture.dynamoRuns.reopened()).isEmpty();
    }

    @Test
    void isCommittedForWhoeverHasTakenItOverWhileItWasMade() {
        asked();
        work(takingTheRoleAway(() -> fixture.runs.runNow(BOB)));

        assertThat(ended(task(NOON)).status()).isEqualTo(TaskStatus.COMPLETED);

        assertThat(fixture.find(NOON)).satisfies(run -> {
            assertThat(run.status()).isEqualTo(Status.COMMITTED);
            assertThat(run.startedBy()).isEqualTo(BOB.actor());
        });
    }

    /** An instance that has almost made the reports when Ada's role is taken away, and that happens. */
    private BillingFixture takingTheRoleAway(Runnable then) {
        var storing = (ReportFiles) Proxy.newProxyInstance(
                RefusedRunsTest.class.getClassLoader(), new Class<?>[] {ReportFiles.class}, (_, method, arguments) -> {
                    if (method.getName().equals("create")
                            && arguments[0].toString().endsWith("/manifest.json")) {
                        fixture.current = WITHOUT_ADA;
                        then.run();
                    }
                    return method.invoke(files, arguments);
                });
        var instance = new BillingFixture(table.queryDb(clock), clock, storing);
        instance.current = actor -> fixture.current.of(actor);
        return instance;
    }

    /** Another number: something of the one that was given up may be stored, with the rules of that time. */
    @Test
    void theNextVersionAfterOneThatWasGivenUpIsAnother() throws Exception {
        fixture.make(asked());
        fixture.runs.runAgain(ADA, NOON);
        fixture.current = WITHOUT_ADA;
        work();
        ended(task(NOON));

        assertThat(fixture.runs.runAgain(BOB, NOON, 1)).isInstanceOf(RunResult.Started.class);

        await().until(() -> fixture.find(NOON).effectiveVersion() == 3);
        assertThat(fixture.reports.version(GRACE, NOON, 2)).isEmpty();
        assertThat(fixture.reports.statement(GRACE, ACME, JUNE).reports())
                .extracting(AgencyTotals::version)
                .containsExactly(3);
        assertThat(fixture.reports.file(GRACE, NOON, 3, Reports.Kind.DIFFERENCE))
                .isPresent();
        assertThat(fixture.runs.runAgain(BOB, NOON, 1)).isInstanceOf(RunResult.AlreadyStarted.class);
        assertThatThrownBy(() -> fixture.runs.runAgain(BOB, NOON, 2))
                .as("it was given up, and has never counted")
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_VERSION"));
    }

    @Test
    void whatTheScheduleBeginsAsksNobody() {
        fixture.current = actor -> new Access(
                new Principal(
                        actor.id(),
                        actor.kind(),
                        actor.name(),
                        actor.id() == null
                                ? CurrentAccess.EVERYTHING.of(actor).principal().grants()
                                : Set.of()),
                actor.source());
        clock.setTime("13:15:00");
        work();

        awaitCommit(run("1200", "1300"));

        assertThat(ledger(files, run("1200", "1300"), 1)).hasSize(1);
    }
}
