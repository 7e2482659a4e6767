package io.menuboard.tasks.bulk;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** One change to many tasks, done by the thread of the test. */
class BulkOperationsTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final BulkChange CANCEL =
            new BulkChange(BulkChange.Action.CANCEL, TaskFilter.of(TaskStatus.PENDING), "not needed");
    private static final BulkChange RETRY =
            new BulkChange(BulkChange.Action.RETRY, TaskFilter.of(TaskStatus.CANCELLED), "needed after all");
    private static final BulkChange RETRY_DEAD =
            new BulkChange(BulkChange.Action.RETRY, TaskFilter.of(TaskStatus.DEAD), "there is paper");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private BulkOperations bulk;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        bulk = operations(tasks);
    }

    private BulkOperations operations(TasksInstance instance) {
        return operations(instance, CurrentAccess.EVERYTHING);
    }

    private BulkOperations operations(TasksInstance instance, CurrentAccess current) {
        return operations(instance, new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7)), current);
    }

    private static BulkOperations operations(
            TasksInstance instance, DynamoBulkOutcomes outcomes, CurrentAccess current) {
        return new BulkOperations(
                instance.submission(), instance.administration(), instance.reads(), outcomes, current);
    }

    @Test
    void itsBeginningIsRecordedOnce() {
        submit(2);

        var operation = created(bulk.start(STAFF, CANCEL, "once"));
        bulk.start(STAFF, CANCEL, "once");

        assertThat(records(operation)).singleElement().satisfies(record -> {
            assertThat(record.actor()).isEqualTo(STAFF.actor());
            assertThat(record.action()).isEqualTo("bulk change begun");
            assertThat(record.details())
                    .containsEntry("action", "CANCEL")
                    .containsEntry("reason", CANCEL.reason())
                    .containsEntry("status", CANCEL.filter().status().name());
        });
    }

    private List<AuditRecord> records(Task operation) {
        return TasksFixture.audit(table.queryDb(clock), clock)
                .bySubject("TASK#" + operation.id(), PAGE)
                .nodes();
    }

    /** Where the process dies, the operation is there with its record, or without it there is none; and the same request makes up for that. */
    @Test
    void isNeverWithoutTheRecordOfItsBeginning() {
        for (var afterIt : List.of(false, true)) {
            var isDead = true;
            for (var step = 0; isDead; step++) {
                var client = new DyingClient(LocalDynamoDb.shared().directClient(), step, afterIt);
                var key = "dies-" + step + afterIt;
                try {
                    operations(TasksFixture.tasks(table.queryDb(client.proxy(), clock), clock))
                            .start(STAFF, CANCEL, key);
                } catch (UncheckedIOException _) {
                    // It died.
                }
                isDead = client.isDead();
                assertThat(tasks.reads()
                                .list(STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE)
                                .nodes())
                        .as(key)
                        .allSatisfy(there -> assertThat(records(there)).hasSize(1));

                var operation = started(key);

                assertThat(records(operation))
                        .as(key)
                        .extracting(AuditRecord::action)
                        .containsExactly("bulk change begun");
            }
        }
    }

    @Test
    void aPreviewCountsAndShowsAndChangesNothing() {
        submit(70);

        var preview = bulk.preview(STAFF, CANCEL);

        assertThat(preview.count()).isEqualTo(70);
        assertThat(preview.countIsLeast()).isFalse();
        assertThat(preview.sample()).hasSize(10);
        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isEqualTo(70);
    }

    @Test
    void everyTaskOfTheFilterIsChangedWithReasonAndActor() throws Exception {
        submit(70);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), "once"));

        work();

        var status = bulk.find(STAFF, operation.id()).orElseThrow();
        assertThat(status.task().status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(status.changed()).isEqualTo(70);
        assertThat(status.unchanged()).isZero();
        assertThat(tasks.count(TaskStatus.CANCELLED, PRINT)).isEqualTo(70);
        var first = bulk.outcomes(STAFF, operation.id(), PAGE);
        assertThat(first.nodes()).hasSize(64).allMatch(BulkOutcome::changed);
        assertThat(first.hasNextPage()).isTrue();
        var event = tasks.reads()
                .find(STAFF, first.nodes().getFirst().task())
                .orElseThrow()
                .events()
                .getLast();
        assertThat(event.kind()).isEqualTo(Kind.CANCELLED);
        assertThat(event.actor()).isEqualTo(STAFF.actor());
        assertThat(event.reason()).isEqualTo("not needed");
    }

    @Test
    void operationsAreReachedOnlyByTheirTypeAndNoOperationEndsItself() throws Exception {
        submit(2);
        var waiting = new TaskType("menuboard.import");
        var imported = created(tasks.submission().submit(STAFF, SubmitTask.operation(waiting, Json.EMPTY)));
        var running = TaskFilter.of(TaskStatus.RUNNING);
        tasks.protocol().claim(WORKER, TasksFixture.claim(ADA, 2));
        var held = tasks.submission()
                .submitClaimed(
                        STAFF, SubmitTask.operation(BulkOperations.TYPE, Json.EMPTY), ADA, TaskSettings.USUAL.lease());

        var everything = new BulkChange(BulkChange.Action.CANCEL, running, "stop it all");
        assertThat(bulk.preview(STAFF, everything).count()).isEqualTo(2);
        assertThat(bulk.preview(STAFF, CANCEL).count()).isZero();
        var all = created(bulk.start(STAFF, everything, null));
        work();
        var ofItsType = new TaskFilter(TaskStatus.RUNNING, BulkOperations.TYPE, null, null, null, null);
        var bulks =
                created(bulk.start(STAFF, new BulkChange(BulkChange.Action.CANCEL, ofItsType, "these as well"), null));
        work();

        assertThat(bulk.find(STAFF, all.id()).orElseThrow().changed()).isEqualTo(2);
        assertThat(tasks.reads().find(STAFF, all.id()).orElseThrow().status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(bulk.outcomes(STAFF, bulks.id(), PAGE).nodes())
                .containsExactly(new BulkOutcome(held.id(), true, null));
        assertThat(tasks.reads().find(STAFF, bulks.id()).orElseThrow().status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.reads().find(STAFF, imported.id()).orElseThrow().status())
                .isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void startingTwiceIsStartingOnce() {
        var first = created(bulk.start(STAFF, CANCEL, "once"));

        assertThat(bulk.start(STAFF, CANCEL, "once"))
                .isInstanceOfSatisfying(
                        SubmitResult.Replayed.class,
                        replayed -> assertThat(replayed.task().id()).isEqualTo(first.id()));
    }

    @Test
    void startingAtTheSameTimeIsStartingOnce() {
        for (var round = 0; round < 10; round++) {
            var operations = Concurrently.map(8, Collections.nCopies(8, "at-once-" + round), this::started);

            assertThat(operations)
                    .extracting(Task::id)
                    .containsOnly(operations.getFirst().id());
            assertThat(records(operations.getFirst())).hasSize(1);
        }
    }

    private Task started(String key) {
        return switch (bulk.start(STAFF, CANCEL, key)) {
            case SubmitResult.Created(var made, var _) -> made;
            case SubmitResult.Replayed(var made, var _) -> made;
            case SubmitResult.Conflict conflict -> throw new AssertionError(conflict);
            case SubmitResult.Invalid invalid -> throw new AssertionError(invalid);
        };
    }

    @Test
    void whatAnEarlierVersionStartedIsNotStartedAgain() {
        var first = created(bulk.start(STAFF, CANCEL, null));
        var payload = tasks.reads().payload(STAFF, first);
        var before = created(tasks.submission()
                .submit(STAFF, SubmitTask.of(BulkOperations.TYPE, payload).idempotencyKey("once")));

        assertThat(bulk.start(STAFF, CANCEL, "once"))
                .isInstanceOfSatisfying(
                        SubmitResult.Replayed.class,
                        replayed -> assertThat(replayed.task().id()).isEqualTo(before.id()));
    }

    @Test
    void anOperationThatIsStoppedWhileItChangesTasksGoesOnWhereItWas() throws Exception {
        submit(60);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var claimed = claim();
        var stopped = operations(TasksFixture.tasks(table.queryDb(interrupting(40), clock), clock));

        var thrown = catchThrowable(() -> stopped.work().handler().handle(WorkersFixture.run(claimed)));

        // One or the other, as whoever runs handlers understands.
        assertThat(Thread.interrupted() || thrown instanceof InterruptedException)
                .isTrue();
        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isBetween(10L, 59L);
        tasks.protocol().withOperations().release(WORKER, claimed.id(), claimed.leaseToken(), null);
        work();
        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isEqualTo(60);
        assertThat(tasks.count(TaskStatus.CANCELLED, PRINT)).isEqualTo(60);
    }

    @Test
    void anOperationOfWhoMayNotAnyMoreFailsAndChangesNothing() throws Exception {
        submit(30);
        created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var claimed = claim();
        var late = operations(tasks, actor -> nothing(actor));

        assertThatThrownBy(() -> late.work().handler().handle(WorkersFixture.run(claimed)))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> {
                    assertThat(failed.reason()).isEqualTo("who submitted it must not change tasks any more");
                    assertThat(failed.retryable()).isFalse();
                });

        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isEqualTo(30);
        assertThat(bulk.outcomes(STAFF, claimed.id(), PAGE).nodes()).isEmpty();
    }

    @Test
    void anOperationWhoseSubmitterLosesTheRightMeanwhileChangesNothingMore() throws Exception {
        submit(60);
        created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var claimed = claim();
        var asked = new AtomicInteger();
        // Once when it begins, and once before each 25 tasks.
        var late = operations(
                tasks, actor -> asked.incrementAndGet() > 2 ? nothing(actor) : CurrentAccess.EVERYTHING.of(actor));

        assertThatThrownBy(() -> late.work().handler().handle(WorkersFixture.run(claimed)))
                .isInstanceOf(TaskFailed.class);

        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isEqualTo(60 - 25);
        assertThat(bulk.outcomes(STAFF, claimed.id(), PAGE).nodes()).hasSize(25);
    }

    private static Access nothing(Actor actor) {
        return new Access(new Principal(actor.id(), actor.kind(), actor.name(), Set.of()), actor.source());
    }

    @Test
    void whoMayNotOperateAllTasksPreviewsAndStartsNothing() {
        var worker = new Access(
                new Principal("p1", Actor.Kind.TOKEN, "printer", Set.of(Grant.of(Role.WORKER))), Actor.Source.GRAPHQL);

        assertThatThrownBy(() -> bulk.preview(worker, CANCEL)).isInstanceOf(Denied.class);
        assertThatThrownBy(() -> bulk.start(worker, CANCEL, null)).isInstanceOf(Denied.class);
    }

    /** Interrupts the thread of the test at an update of an item. */
    private DynamoDbClient interrupting(int change) {
        return before(change, Thread.currentThread()::interrupt);
    }

    /** Does something right before the so-many-th change of a task. */
    private DynamoDbClient before(int change, Runnable step) {
        return before("transactWriteItems", change, step);
    }

    private DynamoDbClient before(String request, int change, Runnable step) {
        var changes = new AtomicInteger();
        return (DynamoDbClient) Proxy.newProxyInstance(
                BulkOperationsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (method.getName().equals(request) && changes.incrementAndGet() == change) {
                        step.run();
                    }
                    try {
                        return method.invoke(table.client(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void anOperationThatWasBrokenOffGoesOnWhereItWas() throws Exception {
        submit(60);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        claim();
        // It died after it had begun with 25, of which it had changed 10, and another hand one more.
        var outcomes = new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7));
        var begun = tasks.reads()
                .list(STAFF, TaskFilter.of(TaskStatus.PENDING), PageRequest.forward(25, null))
                .nodes();
        outcomes.begin(operation, begun, clock.instant());
        begun.subList(0, 10).forEach(task -> tasks.administration().cancel(STAFF, task.id(), CANCEL.reason()));
        tasks.administration().cancel(STAFF, begun.get(10).id(), "another reason");

        clock.advance(Duration.ofMinutes(1));
        tasks.sweep();
        work();

        var status = bulk.find(STAFF, operation.id()).orElseThrow();
        assertThat(status.changed()).isEqualTo(59);
        assertThat(status.unchanged()).isOne();
        assertThat(outcomes.all(operation.id()))
                .hasSize(60)
                .filteredOn(outcome -> !outcome.changed())
                .containsExactly(new BulkOutcome(begun.get(10).id(), false, "something else has changed it"));
    }

    @Test
    void whatWasBegunHasItsOutcomeThoughItLeavesTheFilterWhenTheOperationIsTakenUp() throws Exception {
        submit(3);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        claim();
        var outcomes = new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7));
        var begun = tasks.reads().all(STAFF, forPrinting(CANCEL).filter()).toList();
        outcomes.begin(operation, begun, clock.instant());
        clock.advance(Duration.ofMinutes(1));
        tasks.sweep();
        var claimed = claim();
        // A worker asks for them when they were looked at, and before the filter's list is read.
        var client = before("query", 1, () -> tasks.protocol().claim(WORKER, TasksFixture.claim(ADA, 3)));
        var late =
                operations(TasksFixture.tasks(table.queryDb(client, clock), clock), outcomes, CurrentAccess.EVERYTHING);

        late.work().handler().handle(WorkersFixture.run(claimed));

        assertThat(outcomes.all(operation.id())).hasSize(3).noneMatch(BulkOutcome::isOpen);
    }

    @Test
    void aTaskThatDiesAgainIsRetriedOnceThoughTheOperationIsDoneTwice() throws Exception {
        submit(3);
        die(0);
        var operation = created(bulk.start(STAFF, RETRY_DEAD, null));
        // It died when it had retried all, before anybody heard of that.
        bulk.work().handler().handle(WorkersFixture.run(claim()));
        die(0);

        clock.advance(Duration.ofMinutes(1));
        tasks.sweep();
        work();

        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isEqualTo(3);
        assertThat(tasks.reads().all(STAFF, RETRY_DEAD.filter()))
                .hasSize(3)
                .allSatisfy(task -> assertThat(retries(task)).isOne());
    }

    @Test
    void aTaskThatDiesAgainAfterALotIsNotRetriedAgainByAnOperationThatWasBrokenOff() throws Exception {
        submit(1);
        die(0);
        var operation = created(bulk.start(STAFF, RETRY_DEAD, null));
        claim();
        // It died after it had begun with the task, and retried it.
        var begun = tasks.reads().all(STAFF, RETRY_DEAD.filter()).toList();
        new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7)).begin(operation, begun, clock.instant());
        tasks.administration().retry(STAFF, begun.getFirst().id(), RETRY_DEAD.reason());
        die(10);

        clock.advance(Duration.ofMinutes(1));
        tasks.sweep();
        work();

        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isOne();
        assertThat(tasks.reads().all(STAFF, RETRY_DEAD.filter()))
                .singleElement()
                .satisfies(task -> assertThat(retries(task)).isOne());
    }

    @Test
    void anAttemptThatIsSlowerThanItsLeaseLeavesTheOutcomesOfTheNextOne() throws Exception {
        submit(1);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var slow = claim();
        // It stalls when it has begun with the task, and before it changes that.
        var client = before(1, this::takeOver);
        var late = operations(TasksFixture.tasks(table.queryDb(client, clock), clock));

        late.work().handler().handle(WorkersFixture.run(slow));

        assertThat(bulk.outcomes(STAFF, operation.id(), PAGE).nodes())
                .singleElement()
                .matches(BulkOutcome::changed);
        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isOne();
    }

    @Test
    void anAttemptThatIsSlowerThanItsLeaseChangesNothingThatTheNextOneHas() throws Exception {
        submit(1);
        die(0);
        var operation = created(bulk.start(STAFF, RETRY_DEAD, null));
        var slow = claim();
        // It stalls when it has found the task, and before it begins with that, which dies again meanwhile.
        var client = before("updateItem", 1, () -> {
            takeOver();
            die(0);
        });
        var outcomes = new DynamoBulkOutcomes(table.queryDb(client, clock), Duration.ofDays(7));
        var late = operations(tasks, outcomes, CurrentAccess.EVERYTHING);

        late.work().handler().handle(WorkersFixture.run(slow));

        assertThat(tasks.reads().all(STAFF, RETRY_DEAD.filter()))
                .singleElement()
                .satisfies(task -> assertThat(retries(task)).isOne());
        assertThat(bulk.outcomes(STAFF, operation.id(), PAGE).nodes())
                .singleElement()
                .matches(BulkOutcome::changed);
    }

    @Test
    void anAttemptThatIsSlowerThanItsLeaseRetriesNothingAgain() throws Exception {
        submit(1);
        die(0);
        var operation = created(bulk.start(STAFF, RETRY_DEAD, null));
        var slow = claim();
        // It stalls when it has begun with the task, and before it retries that, which dies again meanwhile.
        var client = before(1, () -> {
            takeOver();
            die(0);
        });
        var late = operations(TasksFixture.tasks(table.queryDb(client, clock), clock));

        late.work().handler().handle(WorkersFixture.run(slow));

        assertThat(tasks.reads().all(STAFF, RETRY_DEAD.filter()))
                .singleElement()
                .satisfies(task -> assertThat(retries(task)).isOne());
        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isOne();
    }

    /** Another instance does the operation, whose lease has ended. */
    private void takeOver() {
        clock.advance(Duration.ofMinutes(1));
        tasks.sweep();
        try {
            work();
        } catch (TaskFailed | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAnEarlierVersionHadBegunIsGoneOnWith() throws Exception {
        submit(2);
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        claim();
        var begun = tasks.reads().all(STAFF, forPrinting(CANCEL).filter()).toList();
        var outcomes = new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7));
        outcomes.begin(operation, begun, clock.instant());
        table.contents().stream()
                .filter(item -> item.key().sort().startsWith("OUTCOME#"))
                .forEach(item -> table.queryDb(clock)
                        .update(Update.of(item.key()).remove("attempt").when(Condition.exists("attempt"))));
        tasks.administration().cancel(STAFF, begun.getFirst().id(), CANCEL.reason());

        takeOver();

        assertThat(outcomes.all(operation.id())).hasSize(2).allMatch(BulkOutcome::changed);
        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isEqualTo(2);
    }

    /** Whatever there is to print is given back so often, and then fails for good. */
    private void die(int releases) {
        for (var i = 0; i <= releases; i++) {
            for (var task : tasks.protocol().claim(WORKER, TasksFixture.claim(ADA, 10))) {
                var result = i < releases
                        ? tasks.protocol().release(WORKER, task.id(), task.leaseToken(), null)
                        : tasks.protocol().fail(WORKER, task.id(), task.leaseToken(), "no paper", false);
                TasksFixture.done(result);
            }
        }
    }

    private long retries(Task task) {
        return tasks.reads().history(STAFF, task.id(), PAGE).nodes().stream()
                .filter(event -> event.kind() == Kind.RETRIED)
                .count();
    }

    @Test
    void whatSomethingElseHasChangedIsToldAndLeftAlone() throws Exception {
        submit(3);
        tasks.reads()
                .list(STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE)
                .nodes()
                .forEach(task -> tasks.administration().cancel(STAFF, task.id(), null));
        var operation = created(bulk.start(STAFF, forPrinting(RETRY), null));
        var slow = tasks.reads().all(STAFF, RETRY.filter()).toList();
        tasks.administration().retry(STAFF, slow.getFirst().id(), null);

        work();

        assertThat(bulk.find(STAFF, operation.id()).orElseThrow().changed()).isEqualTo(2);
        assertThat(tasks.count(TaskStatus.PENDING, PRINT)).isEqualTo(3);
    }

    @Test
    void aTaskThatLeavesTheFilterBeforeItIsChangedIsLeftAlone() throws Exception {
        var task = created(tasks.submission().submit(STAFF, print()));
        var operation = created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var claimed = claim();
        var client = before(1, () -> tasks.protocol().claim(WORKER, TasksFixture.claim(ADA, 1)));
        var late = operations(TasksFixture.tasks(table.queryDb(client, clock), clock));

        late.work().handler().handle(WorkersFixture.run(claimed));

        assertThat(tasks.reads().find(STAFF, task.id()).orElseThrow().status()).isEqualTo(TaskStatus.RUNNING);
        assertThat(bulk.outcomes(STAFF, operation.id(), PAGE).nodes())
                .containsExactly(new BulkOutcome(task.id(), false, "something else has changed it"));
    }

    @Test
    void manyAreReadTogether() {
        var change = new BulkChange(BulkChange.Action.CANCEL, CANCEL.filter(), "x".repeat(400));
        var ids = Stream.generate(() -> created(bulk.start(STAFF, change, null)).id())
                .limit(20)
                .toList();
        var found = new ArrayList<BulkStatus>();

        var cost = table.meter().during(() -> found.addAll(bulk.findAll(STAFF, ids)));

        assertThat(found).hasSize(20).allSatisfy(status -> assertThat(status.change())
                .isEqualTo(change));
        assertThat(cost.requests()).isEqualTo(2);
    }

    @Test
    void anOperationOfAnotherVersionIsLeftToThat() {
        var freeze = Json.parse("payload", "{\"action\":\"FREEZE\",\"status\":\"PENDING\",\"reason\":\"winter\"}");
        var operation = created(tasks.submission().submit(STAFF, SubmitTask.operation(BulkOperations.TYPE, freeze)));

        assertThatThrownBy(this::work).isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.givenBack())
                .isTrue());
        assertThat(bulk.find(STAFF, operation.id())).isEmpty();
    }

    @Test
    void aKeyWhichOthersMayHaveUsedTooIsNoFilter() {
        var change = new BulkChange(
                BulkChange.Action.CANCEL,
                new TaskFilter(TaskStatus.PENDING, null, null, null, null, "k"),
                "not needed");

        assertThatThrownBy(() -> bulk.preview(STAFF, change)).isInstanceOfSatisfying(InvalidInput.class, this::isOfKey);
        assertThatThrownBy(() -> bulk.start(STAFF, change, null))
                .isInstanceOfSatisfying(InvalidInput.class, this::isOfKey);
    }

    private void isOfKey(InvalidInput refused) {
        assertThat(refused.code()).isEqualTo("INVALID_FILTER");
        assertThat(refused.field()).isEqualTo("filter.idempotencyKey");
    }

    @Test
    void whatAnEarlierVersionBeganForAKeyIsShownAndChangesNothing() {
        var task = created(tasks.submission().submit(STAFF, print().idempotencyKey("k")));
        var payload = Json.parse(
                "payload",
                "{\"action\":\"CANCEL\",\"status\":\"PENDING\",\"reason\":\"late\",\"idempotencyKey\":\"k\"}");
        var operation = created(tasks.submission().submit(STAFF, SubmitTask.operation(BulkOperations.TYPE, payload)));

        assertThatThrownBy(this::work).isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                .isFalse());

        assertThat(tasks.reads().find(STAFF, task.id())).contains(task);
        assertThat(bulk.find(STAFF, operation.id())
                        .orElseThrow()
                        .change()
                        .filter()
                        .idempotencyKey())
                .isEqualTo("k");
    }

    @Test
    void aChangeThatTheFilterDoesNotAllowIsRefused() {
        assertThatThrownBy(() -> new BulkChange(BulkChange.Action.RETRY, TaskFilter.of(TaskStatus.PENDING), "why not"))
                .hasMessage("status must be one of tasks that can be retried: DEAD or CANCELLED");
        assertThatThrownBy(() -> new BulkChange(BulkChange.Action.CANCEL, TaskFilter.of(TaskStatus.DEAD), "why not"))
                .hasMessageStartingWith("status must be one of tasks that can be cancelled");
        assertThatThrownBy(() -> new BulkChange(BulkChange.Action.CANCEL, TaskFilter.of(TaskStatus.PENDING), " "))
                .hasMessageStartingWith("reason must have");
    }

    @Test
    void howFarItIsIsOfAllTasksWhereTheseWereCounted() throws Exception {
        submit(60);
        created(bulk.start(STAFF, forPrinting(CANCEL), null));
        var run = WorkersFixture.run(claim());

        bulk.work().handler().handle(run);

        assertThat(WorkersFixture.said(run)).isEqualTo(new TaskProgress(60, 60L, "0 not changed"));
        var counted = new BulkPreview(60, false, List.of());
        assertThat(counted.total(25)).as("of which a broken attempt did 25").isEqualTo(85);
        var more = new BulkPreview(BulkOperations.COUNTED, true, List.of()).total(0);
        assertThat(new BulkOperations.Totals(20, 5).progress(more))
                .isEqualTo(new TaskProgress(25, null, "5 not changed"));
    }

    private static BulkChange forPrinting(BulkChange change) {
        var filter = new TaskFilter(change.filter().status(), PRINT, null, null, null, null);
        return new BulkChange(change.action(), filter, change.reason());
    }

    private void submit(int count) {
        tasks.submission().submit(STAFF, Collections.nCopies(count, print()));
    }

    private Task claim() {
        var claim = new ClaimTasks(ADA, List.of(BulkOperations.TYPE), 1, Duration.ZERO, null);
        return tasks.protocol().withOperations().claim(WORKER, claim).getFirst();
    }

    /** Does what a handler would do. */
    private void work() throws TaskFailed, InterruptedException {
        var claimed = claim();
        var result = bulk.work().handler().handle(WorkersFixture.run(claimed));
        tasks.protocol().withOperations().complete(WORKER, claimed.id(), claimed.leaseToken(), result);
    }
}
