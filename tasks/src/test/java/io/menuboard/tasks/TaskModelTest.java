package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.claims.ClaimTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Random lives of a few tasks, lived through several instances, against the same lives in memory. */
class TaskModelTest {
    private static final int INSTANCES = 3;
    private static final List<WorkerId> WORKERS = List.of(TasksFixture.ADA, TasksFixture.BOB, new WorkerId("eve"));
    private static final RetryPolicy PATIENT = new RetryPolicy(40, Duration.ZERO, Duration.ZERO);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final String REASON = "because";
    private static final AtomicInteger TABLES = new AtomicInteger();

    private TableDefinition definition = TableDefinition.menuboard("never used");
    private MovingClock clock = new MovingClock(TasksFixture.NOW);

    @BeforeTry
    void createTable() {
        definition = TableDefinition.menuboard("task-model-" + TABLES.incrementAndGet());
        clock = new MovingClock(TasksFixture.NOW);
        LocalTables.create(LocalDynamoDb.shared(), definition);
    }

    @AfterTry
    void deleteTable() {
        LocalDynamoDb.shared().client().deleteTable(request -> request.tableName(definition.name()));
    }

    @Property(tries = 60)
    void everyLifeIsLivedAsTheStatesAllow(@ForAll @Size(min = 1, max = 80) List<@From("operations") Operation> life) {
        live(life, LocalDynamoDb.shared().directClient());
    }

    @Property(tries = 60)
    void everyLifeIsTheSameWhenRequestsAndRepliesAreLost(
            @ForAll @Size(min = 1, max = 80) List<@From("operations") Operation> life, @ForAll long seed) {
        live(life, Unreliable.client(LocalDynamoDb.shared().directClient(), new Random(seed), 15, 50));
    }

    /** What one caller asks of one instance. Which task, token and worker is meant depends on what there is. */
    record Operation(Verb verb, int instance, int task, int worker, int choice) {}

    enum Verb {
        SUBMIT,
        CLAIM,
        CLAIM_ANY,
        EXTEND,
        COMPLETE,
        FAIL,
        FAIL_FOR_GOOD,
        RELEASE,
        CANCEL,
        RETRY,
        REASSIGN,
        SWEEP,
        WAIT
    }

    @Provide
    Arbitrary<Operation> operations() {
        var verbs = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of(Verb.CLAIM)),
                Tuple.of(4, Arbitraries.of(Verb.RELEASE, Verb.RETRY, Verb.FAIL)),
                Tuple.of(13, Arbitraries.of(Verb.class)));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, INSTANCES - 1),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, WORKERS.size() - 1),
                        Arbitraries.integers().between(0, 3))
                .as(Operation::new);
    }

    private void live(List<Operation> life, DynamoDbClient client) {
        var instances = IntStream.range(0, INSTANCES)
                .mapToObj(_ -> TasksFixture.tasks(
                        new QueryDb(
                                definition,
                                clock,
                                new Requests(new Bulkhead(client, PATIENT, 1), Meter.NONE),
                                FreshTable.CURSOR_KEY),
                        clock))
                .toList();
        var models = new ArrayList<Model>();
        models.add(submit(instances.getFirst(), 0));
        for (var operation : life) {
            var tasks = instances.get(operation.instance());
            switch (operation.verb()) {
                case SUBMIT -> {
                    if (models.size() < 3) {
                        models.add(submit(tasks, operation.choice()));
                    }
                }
                case CLAIM_ANY -> claimAny(tasks, models, WORKERS.get(operation.worker()));
                case SWEEP -> {
                    var due = models.stream().filter(Model::sweep).count();
                    assertThat(tasks.sweep()).isEqualTo((int) due);
                }
                case WAIT ->
                    clock.advance(
                            switch (operation.choice()) {
                                case 0 -> Duration.ofMillis(1);
                                case 1 -> Duration.ofSeconds(1);
                                case 2 -> LEASE.minusSeconds(1);
                                default -> LEASE;
                            });
                default -> act(tasks, operation, models.get(operation.task() % models.size()));
            }
            models.forEach(model -> model.assertStored(tasks));
        }
        instances.forEach(tasks -> models.forEach(model -> model.assertHistory(tasks)));
    }

    private Model submit(TasksInstance tasks, int choice) {
        var notBefore = choice == 1 ? clock.instant().plusSeconds(30) : null;
        var command = TasksFixture.print().maxAttempts(1 + choice).notBefore(notBefore);
        return new Model(created(tasks.submission().submit(STAFF, command)), notBefore);
    }

    private void act(TasksInstance tasks, Operation operation, Model model) {
        var worker = WORKERS.get(operation.worker());
        // Mostly the token that holds, or that held last; now and then an earlier one, or one that was never given.
        var token = operation.choice() == 0 ? model.attempt - 1 : model.attempt + (operation.choice() == 1 ? 1 : 0);
        var choice = operation.choice() % 2 == 0;
        var id = model.id;
        switch (operation.verb()) {
            case CLAIM ->
                model.expect(
                        tasks.protocol().claim(WORKER, id, worker, null),
                        model.isOpenTo(worker) ? Expected.DONE : Expected.NOT_ALLOWED,
                        () -> model.claim(worker));
            case EXTEND ->
                model.expect(
                        tasks.protocol()
                                .extend(
                                        WORKER,
                                        id,
                                        TasksFixture.token(token),
                                        null,
                                        choice ? new TaskProgress(1, 2L, "on the way") : null),
                        model.isHeldBy(token) ? Expected.DONE : Expected.LEASE_LOST,
                        () -> model.leaseEnd = clock.instant().plus(LEASE));
            case COMPLETE -> {
                var result = Json.of(choice ? "short" : "long".repeat(200) + token);
                model.end(
                        tasks.protocol().complete(WORKER, id, TasksFixture.token(token), result),
                        token,
                        Kind.COMPLETED,
                        true,
                        null);
            }
            case FAIL ->
                model.end(
                        tasks.protocol().fail(WORKER, id, TasksFixture.token(token), REASON, true),
                        token,
                        Kind.FAILED,
                        true,
                        REASON);
            case FAIL_FOR_GOOD ->
                model.end(
                        tasks.protocol().fail(WORKER, id, TasksFixture.token(token), REASON, false),
                        token,
                        Kind.FAILED,
                        false,
                        REASON);
            case RELEASE ->
                model.end(
                        tasks.protocol().release(WORKER, id, TasksFixture.token(token), null),
                        token,
                        Kind.RELEASED,
                        true,
                        null);
            case CANCEL ->
                model.expect(
                        tasks.administration().cancel(STAFF, id, REASON),
                        model.status == TaskStatus.COMPLETED || model.status == TaskStatus.DEAD
                                ? Expected.NOT_ALLOWED
                                : Expected.DONE,
                        model.status == TaskStatus.CANCELLED
                                ? () -> {}
                                : () -> model.step(Kind.CANCELLED, TaskStatus.CANCELLED, STAFF.actor(), null, REASON));
            case RETRY ->
                model.expect(
                        tasks.administration().retry(STAFF, id, null),
                        model.status == TaskStatus.DEAD
                                        || model.status == TaskStatus.CANCELLED
                                        || model.wasJustRetried()
                                ? Expected.DONE
                                : Expected.NOT_ALLOWED,
                        model.wasJustRetried() ? () -> {} : model::retry);
            case REASSIGN ->
                model.expect(
                        tasks.administration().reassign(STAFF, id, worker, null),
                        model.status.isFinished() ? Expected.NOT_ALLOWED : Expected.DONE,
                        model.isWith(worker)
                                ? () -> {}
                                : () -> {
                                    model.step(Kind.REASSIGNED, TaskStatus.SCHEDULED, STAFF.actor(), worker, null);
                                    model.reservedFor = worker;
                                    model.availableAt = clock.instant().plus(Duration.ofSeconds(60));
                                });
            case SUBMIT, CLAIM_ANY, SWEEP, WAIT -> throw new IllegalArgumentException(operation.toString());
        }
    }

    /** An instance may overlook what it looked for a moment ago; what it does give out must be there to be had. */
    private void claimAny(TasksInstance tasks, List<Model> models, WorkerId worker) {
        var claimed = tasks.protocol().claim(WORKER, new ClaimTasks(worker, List.of(PRINT), 3, Duration.ZERO, null));
        for (var task : claimed) {
            var model = models.stream()
                    .filter(candidate -> candidate.id.equals(task.id()))
                    .findFirst()
                    .orElseThrow();
            assertThat(model.isOpenTo(worker)).isTrue();
            model.claim(worker);
            assertThat(task.lease()).isEqualTo(TasksFixture.lease(worker, model.attempt, model.leaseEnd));
            assertThat(task.payload()).isEqualTo(TasksFixture.print().payload());
        }
    }

    private enum Expected {
        DONE,
        LEASE_LOST,
        NOT_ALLOWED
    }

    /** What a task must be. */
    private final class Model {
        private final TaskId id;
        private final int maxAttempts;
        private final List<TaskEvent> events = new ArrayList<>();
        private TaskStatus status = TaskStatus.PENDING;
        private int attempt;
        private int failures;
        private @Nullable WorkerId holder;
        private @Nullable WorkerId reservedFor;
        private Instant leaseEnd = Instant.EPOCH;
        private Instant availableAt;

        Model(Task task, @Nullable Instant notBefore) {
            id = task.id();
            maxAttempts = task.maxAttempts();
            availableAt = notBefore == null ? clock.instant() : notBefore;
            step(
                    Kind.SUBMITTED,
                    notBefore == null ? TaskStatus.PENDING : TaskStatus.SCHEDULED,
                    STAFF.actor(),
                    null,
                    null);
        }

        boolean isOpenTo(WorkerId worker) {
            return status == TaskStatus.PENDING || worker.equals(reservedFor);
        }

        boolean wasJustRetried() {
            return events.getLast().kind() == Kind.RETRIED;
        }

        boolean isWith(WorkerId worker) {
            return status == TaskStatus.RUNNING
                    ? worker.equals(holder) && clock.instant().isBefore(leaseEnd)
                    : worker.equals(reservedFor) && clock.instant().isBefore(availableAt);
        }

        boolean isHeldBy(int token) {
            return status == TaskStatus.RUNNING
                    && token == attempt
                    && clock.instant().isBefore(leaseEnd);
        }

        void retry() {
            var isEarly = status == TaskStatus.CANCELLED && attempt == 0 && availableAt.isAfter(clock.instant());
            availableAt = isEarly ? availableAt : clock.instant();
            failures = 0;
            step(Kind.RETRIED, isEarly ? TaskStatus.SCHEDULED : TaskStatus.PENDING, STAFF.actor(), null, null);
        }

        void claim(WorkerId worker) {
            attempt++;
            holder = worker;
            step(Kind.CLAIMED, TaskStatus.RUNNING, WORKER.actor(), worker, null);
            leaseEnd = clock.instant().plus(LEASE);
        }

        void end(TaskResult result, int token, Kind kind, boolean retryable, @Nullable String reason) {
            if (isHeldBy(token)) {
                expect(result, Expected.DONE, () -> end(kind, retryable, reason, result));
            } else if (token == attempt && said(kind, token, DynamoTaskHistory.EVENTS_KEPT / 2)) {
                expect(result, Expected.DONE, () -> {});
            } else if (token != attempt || !said(kind, token, events.size())) {
                expect(result, Expected.LEASE_LOST, () -> {});
            }
        }

        /** Saying the same again is no error, as long as the task remembers that it was said, and until it is claimed again. */
        private boolean said(Kind kind, int token, int remembered) {
            return recent(remembered).stream().anyMatch(event -> event.kind() == kind && event.attempt() == token);
        }

        private void end(Kind kind, boolean retryable, @Nullable String reason, TaskResult result) {
            failures += kind == Kind.FAILED ? 1 : 0;
            var dead = kind == Kind.FAILED && (!retryable || failures >= maxAttempts);
            var next = kind == Kind.FAILED ? TaskStatus.SCHEDULED : TaskStatus.PENDING;
            step(
                    kind,
                    kind == Kind.COMPLETED ? TaskStatus.COMPLETED : dead ? TaskStatus.DEAD : next,
                    WORKER.actor(),
                    holder,
                    reason);
            if (status == TaskStatus.SCHEDULED && result instanceof TaskResult.Done(var task)) {
                var most = Duration.ofSeconds(1L << (failures - 1));
                assertThat(Duration.between(clock.instant(), task.availableAt()))
                        .isBetween(most.dividedBy(2), most);
                availableAt = task.availableAt();
            }
        }

        /** Whether it was due for something. */
        boolean sweep() {
            var now = clock.instant();
            var system = new Actor(Actor.Kind.SYSTEM, "menuboard", Actor.Source.SCHEDULER);
            if (status == TaskStatus.RUNNING && !leaseEnd.isAfter(now)) {
                failures++;
                var next = failures >= maxAttempts ? TaskStatus.DEAD : TaskStatus.PENDING;
                step(Kind.LEASE_EXPIRED, next, system, holder, "the lease ended");
                return true;
            }
            if (status == TaskStatus.SCHEDULED && !availableAt.isAfter(now)) {
                step(Kind.DUE, TaskStatus.PENDING, system, null, null);
                return true;
            }
            return false;
        }

        void step(Kind kind, TaskStatus next, Actor actor, @Nullable WorkerId worker, @Nullable String reason) {
            status = next;
            reservedFor = null;
            events.add(new TaskEvent(events.size() + 1, clock.instant(), kind, next, actor, attempt, worker, reason));
        }

        void expect(TaskResult result, Expected expected, Runnable change) {
            var what =
                    switch (result) {
                        case TaskResult.Done _ -> Expected.DONE;
                        case TaskResult.LeaseLost _ -> Expected.LEASE_LOST;
                        case TaskResult.NotAllowed _ -> Expected.NOT_ALLOWED;
                        case TaskResult.NotFound _ -> throw new AssertionError(result);
                    };
            assertThat(what).as("%s after %s", result, events).isEqualTo(expected);
            if (expected == Expected.DONE) {
                change.run();
            }
        }

        private List<TaskEvent> recent(int count) {
            return events.subList(Math.max(0, events.size() - count), events.size());
        }

        void assertStored(TasksInstance tasks) {
            assertThat(tasks.reads().find(STAFF, id).orElseThrow()).satisfies(task -> {
                assertThat(task.status()).isEqualTo(status);
                assertThat(task.attempt()).isEqualTo(attempt);
                assertThat(task.failures()).isEqualTo(failures);
                assertThat(task.reservedFor()).isEqualTo(reservedFor);
                assertThat(task.lease())
                        .isEqualTo(
                                status == TaskStatus.RUNNING && holder != null
                                        ? TasksFixture.lease(holder, 0, leaseEnd)
                                        : null);
                assertThat(task.events())
                        .endsWith(recent(DynamoTaskHistory.EVENTS_KEPT / 2).toArray(TaskEvent[]::new));
            });
        }

        void assertHistory(TasksInstance tasks) {
            assertThat(tasks.reads()
                            .history(STAFF, id, PageRequest.forward(2_000, null))
                            .nodes())
                    .isEqualTo(events);
            var backwards = new ArrayList<TaskEvent>();
            var page = tasks.reads().history(STAFF, id, PageRequest.backward(3, null));
            backwards.addAll(page.nodes().reversed());
            while (page.hasPreviousPage()) {
                page = tasks.reads().history(STAFF, id, PageRequest.backward(3, page.startCursor()));
                backwards.addAll(page.nodes().reversed());
            }
            assertThat(backwards.reversed()).isEqualTo(events);
        }
    }
}
