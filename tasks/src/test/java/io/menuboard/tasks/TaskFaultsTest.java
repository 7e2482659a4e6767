package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.claim;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.claims.ClaimTasks;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What becomes of tasks when requests, replies and workers get lost. */
class TaskFaultsTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final int ATTEMPTS = FreshTable.RETRIES.maxAttempts();
    private static final Duration RETENTION = Duration.ofDays(7);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
    }

    /** Each reads the types while the other does: neither waits for the other's requests. */
    @Test
    void ofTypesThatComeTogetherOnlyAsManyAreLetInAsThereIsRoomFor() throws Exception {
        var most = TaskSettings.MAX_TYPES;
        for (var i = 1; i < most; i++) {
            tasks.submission().submit(TasksFixture.STAFF, SubmitTask.of(new TaskType("type-" + i), Json.EMPTY));
        }
        var together = TasksFixture.tasks(table.queryDb(meeting(new CyclicBarrier(2)), clock), clock);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(submitBoth(threads, together, "last", "too-many"))
                    .extracting(Object::getClass)
                    .containsExactlyInAnyOrder(SubmitResult.Created.class, SubmitResult.Invalid.class);
        }
    }

    private static List<SubmitResult> submitBoth(ExecutorService threads, TasksInstance tasks, String one, String other)
            throws Exception {
        var results = new ArrayList<SubmitResult>();
        var submitted = Stream.of(one, other)
                .map(type -> threads.submit(() ->
                        tasks.submission().submit(TasksFixture.STAFF, SubmitTask.of(new TaskType(type), Json.EMPTY))))
                .toList();
        for (var result : submitted) {
            results.add(result.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    private DynamoDbClient meeting(CyclicBarrier both) {
        var client = table.client();
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null
                            && arguments[0] instanceof QueryRequest query
                            && query.toString().contains("TASKTYPES")) {
                        both.await(30, TimeUnit.SECONDS);
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void whatIsCancelledIsAnsweredAndExpiresAlsoWhereTheTimeIsOverMeanwhile() {
        var id = withPayload();

        var result = whereTimeIsOverMeanwhile(() -> {}, late -> late.cancel(STAFF, id, null));

        assertThat(done(result).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(table.queryDb(clock).load("TASK#" + id))
                .allMatch(item -> item.ttl().isPresent());
    }

    /** Whatever had finished it has its payload expire once more. */
    @Test
    void whatIsRetriedKeepsItsPayloadAlsoWhereTheTimeIsOverMeanwhile() {
        var id = withPayload();
        done(tasks.administration().cancel(STAFF, id, null));
        var payload =
                Update.of(new Key("TASK#" + id, "PAYLOAD")).ttl(clock.instant().plus(RETENTION));

        var result = whereTimeIsOverMeanwhile(
                () -> table.queryDb(clock).update(payload), late -> late.retry(STAFF, id, null));

        assertThat(done(result).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(table.queryDb(clock).load("TASK#" + id))
                .noneMatch(item -> item.ttl().isPresent());
    }

    private TaskId withPayload() {
        var payload = Json.of(Map.of("text", "x".repeat(400)));
        return created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, payload)))
                .id();
    }

    /** The time of who waits is over between the change and what follows it. */
    private TaskResult whereTimeIsOverMeanwhile(Runnable meanwhile, Function<TaskAdministration, TaskResult> change) {
        var time = Duration.ofSeconds(3);
        var client = InterruptedClient.before(TransactWriteItemsRequest.class::isInstance, 1, table.client(), () -> {
            Workload.BACKGROUND.run(meanwhile);
            var start = System.nanoTime();
            while (System.nanoTime() - start <= time.toNanos()) {
                LockSupport.parkNanos(time.toNanos() / 100);
            }
        });
        var late = TasksFixture.tasks(table.queryDb(client, clock), clock);
        return Workload.interactive(time).call(() -> change.apply(late.administration()));
    }

    /** Of each hundred requests of an operation so many meet one fault, and so many another. */
    @ParameterizedTest
    @CsvSource({"2, 11", "5, 33"})
    void noTaskIsLostOrDoubled(int percent, long seed) throws Exception {
        var count = 120;
        for (var operation : List.of("PutItem", "UpdateItem", "GetItem", "Query", "BatchWriteItem")) {
            for (var fault : List.of(
                    Fault.REPLY_LOST, Fault.SERVER_ERROR_AFTERWARDS, Fault.REQUEST_LOST, Fault.TABLE_THROTTLED)) {
                table.faults()
                        .inject(
                                fault,
                                operation,
                                percent / 100.0,
                                seed * fault.name().length());
            }
        }
        var instances = IntStream.range(0, 3)
                .mapToObj(_ -> TasksFixture.tasks(table.queryDb(clock), clock))
                .toList();
        Set<TaskId> submitted = ConcurrentHashMap.newKeySet();
        Set<TaskId> completed = ConcurrentHashMap.newKeySet();
        var crew = new ArrayList<Callable<Void>>();
        for (var part = 0; part < 2; part++) {
            var first = part;
            // Both submit those with keys, as clients do that got no answer; each its own without.
            crew.add(() -> {
                for (var i = 0; i < count; i++) {
                    if (i % 2 == 0 || i / 2 % 2 == first) {
                        submitted.add(submit(instances.get(first), i));
                    }
                }
                return null;
            });
        }
        for (var worker = 0; worker < 6; worker++) {
            var instance = instances.get(worker % instances.size());
            var id = new WorkerId("worker-" + worker);
            var random = new Random(seed + worker);
            crew.add(() -> {
                while (completed.size() < count) {
                    work(instance, id, random, completed);
                }
                return null;
            });
        }
        crew.add(() -> {
            while (completed.size() < count) {
                clock.advance(Duration.ofSeconds(10));
                try {
                    instances.getFirst().sweep();
                } catch (QueryDbException _) {
                    // Next time.
                }
            }
            return null;
        });

        try (var threads = Executors.newFixedThreadPool(crew.size())) {
            var running = new ExecutorCompletionService<Void>(threads);
            crew.forEach(running::submit);
            for (var i = 0; i < crew.size(); i++) {
                running.take().get();
            }
        }

        table.faults().reset();
        assertThat(submitted).hasSize(count).isEqualTo(completed);
        assertThat(tasks.reads()
                        .all(STAFF, TaskFilter.of(TaskStatus.COMPLETED))
                        .map(Task::id)
                        .toList())
                .containsExactlyInAnyOrderElementsOf(submitted);
        for (var status : TaskStatus.values()) {
            assertThat(tasks.reads().all(STAFF, TaskFilter.of(status)))
                    .hasSize(status == TaskStatus.COMPLETED ? count : 0);
        }
        submitted.forEach(id -> TaskHistories.assertCompletedOnce(tasks.reads()
                .history(STAFF, id, PageRequest.forward(2_000, null))
                .nodes()));
    }

    private static TaskId submit(TasksInstance tasks, int number) {
        var command = print().maxAttempts(SubmitTask.MOST_ATTEMPTS);
        var keyed = number % 2 == 0;
        while (true) {
            try {
                return switch (tasks.submission()
                        .submit(STAFF, keyed ? command.idempotencyKey("key-" + number) : command)) {
                    case SubmitResult.Created(var task, var _) -> task.id();
                    case SubmitResult.Replayed(var task, var _) when keyed -> task.id();
                    case SubmitResult refused -> throw new AssertionError(refused);
                };
            } catch (QueryDbException e) {
                if (!keyed) {
                    throw e;
                }
            }
        }
    }

    private static void work(TasksInstance tasks, WorkerId worker, RandomGenerator random, Set<TaskId> completed) {
        try {
            var claim = new ClaimTasks(worker, List.of(PRINT), 1 + random.nextInt(4), Duration.ofMillis(50), null);
            for (var task : tasks.protocol().claim(WORKER, claim)) {
                switch (random.nextInt(8)) {
                    case 0 ->
                        tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(task.attempt()), "no paper", true);
                    case 1 -> tasks.protocol().release(WORKER, task.id(), TasksFixture.token(task.attempt()), null);
                    case 2 -> {
                        // Never heard of again.
                    }
                    default -> {
                        if (tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(task.attempt()), null)
                                instanceof TaskResult.Done) {
                            assertThat(completed.add(task.id())).isTrue();
                        }
                    }
                }
            }
        } catch (QueryDbException _) {
            // Its leases end, and somebody else does it.
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST", "SERVER_ERROR", "TABLE_THROTTLED"})
    void everyStepIsMadeOnceThoughItIsRepeated(Fault fault) {
        var task = created(tasks.submission().submit(STAFF, print()));
        claimById(task, ADA);

        table.faults().inject(fault, "UpdateItem", 2);
        done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(1), null));
        table.faults().inject(fault, "UpdateItem", 2);
        claimById(task, ADA);
        table.faults().inject(fault, "UpdateItem", 2);
        done(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(2), "no paper", true));
        table.faults().inject(fault, "UpdateItem", 2);
        // It was scheduled before, and is so after: only the event tells that it was done.
        done(tasks.administration().reassign(STAFF, task.id(), BOB, null));
        table.faults().inject(fault, "UpdateItem", 2);
        done(tasks.administration().cancel(STAFF, task.id(), null));
        table.faults().inject(fault, "UpdateItem", 2);
        done(tasks.administration().retry(STAFF, task.id(), null));
        table.faults().inject(fault, "UpdateItem", 2);
        claimById(task, ADA);
        table.faults().inject(fault, "UpdateItem", 2);
        done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(3), null));

        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::kind)
                .containsExactly(
                        Kind.SUBMITTED,
                        Kind.CLAIMED,
                        Kind.RELEASED,
                        Kind.CLAIMED,
                        Kind.FAILED,
                        Kind.REASSIGNED,
                        Kind.CANCELLED,
                        Kind.RETRIED,
                        Kind.CLAIMED,
                        Kind.COMPLETED);
    }

    private void claimById(Task task, WorkerId worker) {
        done(tasks.protocol().claim(WORKER, task.id(), worker, null));
    }

    @Test
    void aStepIsDoneThoughOldEventsCannotBeMoved() {
        var task = created(tasks.submission().submit(STAFF, print()));
        for (var attempt = 1; attempt <= 2; attempt++) {
            claimById(task, ADA);
            done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(attempt), null));
        }
        claimById(task, ADA);
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", ATTEMPTS);

        var completed = done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(3), null));

        assertThat(completed.events()).hasSize(DynamoTaskHistory.EVENTS_KEPT + 1);
        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes()).isEqualTo(completed.events());
    }

    @Test
    void theHistoryOfARetriedTaskStaysAfterTheRetentionOfItsFirstEnd() {
        var task = created(tasks.submission().submit(STAFF, print()));
        for (var attempt = 1; attempt <= 4; attempt++) {
            claimById(task, ADA);
            done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(attempt), null));
        }
        done(tasks.administration().cancel(STAFF, task.id(), null));
        done(tasks.administration().retry(STAFF, task.id(), null));
        clock.advance(RETENTION.plusDays(1));

        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::number)
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

        done(tasks.administration().cancel(STAFF, task.id(), null));
        clock.advance(RETENTION);
        assertThat(table.queryDb(clock).load("TASK#" + task.id())).isEmpty();
    }

    @Test
    void aTaskIsRetriedThoughItsOldEventsCannotBeKept() {
        var task = created(tasks.submission().submit(STAFF, print()));
        for (var attempt = 1; attempt <= 4; attempt++) {
            claimById(task, ADA);
            done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(attempt), null));
        }
        done(tasks.administration().cancel(STAFF, task.id(), null));
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", 100 * ATTEMPTS);

        var retried = done(tasks.administration().retry(STAFF, task.id(), null));

        assertThat(retried.status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void whatIsGoneOfAFinishedTaskKeepsNothingElseOfItLonger() {
        var task = created(tasks.submission().submit(STAFF, print()));
        for (var attempt = 1; attempt <= 5; attempt++) {
            claimById(task, ADA);
            done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(attempt), null));
        }
        table.queryDb(clock).delete(DynamoTaskHistory.eventKey(task.id(), 2));

        done(tasks.administration().cancel(STAFF, task.id(), null));

        clock.advance(RETENTION);
        assertThat(table.queryDb(clock).load("TASK#" + task.id())).isEmpty();
    }

    @Test
    void theResultOfACompletedTaskIsTheOneThatCompletedIt() {
        var task = created(tasks.submission().submit(STAFF, print()));
        claimById(task, ADA);
        var first = Json.of("first".repeat(100));
        done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), first));

        var again = done(
                tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), Json.of("second".repeat(100))));

        assertThat(tasks.reads().result(STAFF, again)).contains(first);
    }

    @Test
    void aLongResultThatWasWrittenInVainIsReplaced() {
        var task = created(tasks.submission().submit(STAFF, print()));
        claimById(task, ADA);
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", ATTEMPTS);
        assertThatExceptionOfType(QueryDbException.class).isThrownBy(() -> tasks.protocol()
                .complete(WORKER, task.id(), TasksFixture.token(1), Json.of("first".repeat(100))));
        var second = Json.of("second".repeat(100));

        var completed = done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), second));

        assertThat(tasks.reads().result(STAFF, completed)).contains(second);
    }

    @Test
    void aLongResultIsNotReplacedByOneThatComesWhenItHasCompletedTheTask() {
        var task = created(tasks.submission().submit(STAFF, print()));
        claimById(task, ADA);
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", ATTEMPTS);
        assertThatExceptionOfType(QueryDbException.class).isThrownBy(() -> tasks.protocol()
                .complete(WORKER, task.id(), TasksFixture.token(1), Json.of("vain".repeat(100))));
        var first = Json.of("first".repeat(100));
        var client = beforeATransaction(
                () -> done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), first)));
        var late = TasksFixture.tasks(table.queryDb(client, clock), clock);

        var again =
                done(late.protocol().complete(WORKER, task.id(), TasksFixture.token(1), Json.of("late".repeat(100))));

        assertThat(tasks.reads().result(STAFF, again)).contains(first);
    }

    /** Does something right before the first transaction. */
    private DynamoDbClient beforeATransaction(Runnable step) {
        var done = new AtomicBoolean();
        return (DynamoDbClient) Proxy.newProxyInstance(
                TaskFaultsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("transactWriteItems") && done.compareAndSet(false, true)) {
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
    void claimedTasksAreReturnedThoughTheNextPollFails() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.administration().reassign(STAFF, task.id(), ADA, null);
        table.faults().inject(Fault.TABLE_THROTTLED, "Query", ATTEMPTS * 4);

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 2)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aTaskWhosePayloadCannotBeReadIsGivenBackAndTheOthersAreAnswered() {
        var withLong = created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, Json.of("long".repeat(100)))));
        var others = tasks.submission().submit(STAFF, List.of(print(), print()));
        var client = Unreliable.without(
                request -> request instanceof GetItemRequest get
                        && get.key().containsValue(AttributeValue.fromS("PAYLOAD")),
                table.client());
        var failing = TasksFixture.tasks(table.queryDb(client, clock), clock);

        var claimed = failing.protocol().claim(WORKER, claim(ADA, 3));

        assertThat(claimed)
                .extracting(Task::id)
                .containsExactlyInAnyOrderElementsOf(
                        others.stream().map(other -> created(other).id()).toList());
        assertThat(tasks.protocol().claim(WORKER, claim(BOB, 3)))
                .singleElement()
                .satisfies(task -> {
                    assertThat(task.id()).isEqualTo(withLong.id());
                    assertThat(task.failures()).isZero();
                    assertThat(task.payload()).isNotNull();
                });
    }

    @Test
    void aTaskWhoseClaimFailedIsTriedAgainAtOnce() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1)).forEach(claimed -> tasks.protocol()
                .release(
                        WORKER,
                        claimed.id(),
                        TasksFixture.token(
                                Objects.requireNonNull(claimed.lease()).fencingToken()),
                        null));
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", ATTEMPTS);
        assertThatExceptionOfType(QueryDbException.class)
                .isThrownBy(() -> tasks.protocol().claim(WORKER, claim(ADA, 1)));

        tasks.submission().submit(STAFF, print().priority(TaskPriority.LOW));

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 2)))
                .extracting(Task::id)
                .contains(task.id());
    }

    @Test
    void aSubmitterNeverLearnsTheTokenOfWhoeverClaimsItsTaskMeanwhile() {
        var one = TasksFixture.tasks(
                table.queryDb(losingAReplyAndThen(() -> tasks.protocol().claim(WORKER, claim(ADA, 1))), clock), clock);

        var task = created(one.submission().submit(STAFF, print()));

        assertThat(task.status()).isEqualTo(TaskStatus.RUNNING);
        assertThat(task.leaseToken().secret()).isNull();
        assertThat(Objects.requireNonNull(task.lease()).token()).isEqualTo(Lease.Token.NONE);
    }

    @Test
    void whoeverGivesATaskBackNeverLearnsTheTokenOfTheNext() {
        var released = created(tasks.submission().submit(STAFF, print()));
        claimById(released, ADA);
        var releasing =
                TasksFixture.tasks(table.queryDb(losingAReplyAndThen(() -> claimById(released, BOB)), clock), clock);

        var result = releasing.protocol().release(WORKER, released.id(), TasksFixture.token(1), null);

        assertThat(result).isInstanceOfSatisfying(TaskResult.Done.class, done -> {
            assertThat(done.task().status()).isEqualTo(TaskStatus.RUNNING);
            assertThat(done.task().worker()).isEqualTo(BOB);
            assertThat(done.task().leaseToken().secret()).isNull();
        });
    }

    private static boolean isOfATask(Object request) {
        return switch (request) {
            case PutItemRequest put -> put.item().containsKey("status");
            case UpdateItemRequest update -> update.key().toString().contains("TASK#");
            default -> false;
        };
    }

    /** Loses the first answer to a task that was saved; something else happens before it is found out. */
    private DynamoDbClient losingAReplyAndThen(Runnable step) {
        var lost = new AtomicBoolean();
        return (DynamoDbClient) Proxy.newProxyInstance(
                TaskFaultsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    Object response;
                    try {
                        response = method.invoke(table.client(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (arguments != null && isOfATask(arguments[0]) && lost.compareAndSet(false, true)) {
                        step.run();
                        throw SdkClientException.create("the reply was lost");
                    }
                    return response;
                });
    }

    @Test
    void ofManyTasksOnlyThoseThatWereNotSavedAreToBeSubmittedAgain() {
        var urgent = print().priority(TaskPriority.URGENT).idempotencyKey("urgent");
        var client = Unreliable.without(
                request -> request instanceof PutItemRequest put
                        && put.item().containsKey("status")
                        && put.item()
                                .containsValue(
                                        AttributeValue.fromS(urgent.priority().name())),
                table.client());
        var failing = TasksFixture.tasks(table.queryDb(client, clock), clock);

        var results =
                failing.submission().submitEach(STAFF, List.of(() -> urgent, TasksFixture::print, TasksFixture::print));

        assertThat(results)
                .extracting(result -> result.isPresent() && result.get() instanceof SubmitResult.Created)
                .containsExactly(false, true, true);
        assertThat(SubmitPayload.ofEach(results.getFirst(), "input", "tasks", "0")
                        .errors())
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.code()).isEqualTo("NOT_SAVED");
                    assertThat(error.path()).containsExactly("input", "tasks", "0", "idempotencyKey");
                });
        assertThat(tasks.submission().submit(STAFF, urgent)).isInstanceOf(SubmitResult.Replayed.class);
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 4))).hasSize(3);
    }

    @Test
    void whoDiesBetweenItsKeyAndItsTaskLosesNothing() {
        var command = print().idempotencyKey("once");
        // It reads the types, writes the type and the key, and dies before the task.
        var dying = new DyingClient(table.client(), 3, false);
        var one = TasksFixture.tasks(table.queryDb(dying.proxy(), clock), clock);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> one.submission().submit(STAFF, command));
        assertThat(tasks.reads().all(STAFF, TaskFilter.of(TaskStatus.PENDING))).isEmpty();
        var another = TasksFixture.tasks(table.queryDb(clock), clock);

        var conflict = another.submission().submit(STAFF, command.maxAttempts(7));
        var replayed = another.submission().submit(STAFF, command);

        assertThat(replayed).isInstanceOfSatisfying(SubmitResult.Replayed.class, result -> {
            assertThat(conflict)
                    .isEqualTo(new SubmitResult.Conflict(result.task().id(), "once"));
            assertThat(another.protocol().claim(WORKER, claim(ADA, 2)))
                    .extracting(Task::id)
                    .containsExactly(result.task().id());
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskAction.class,
            names = {"CANCEL", "RETRY", "REASSIGN"})
    void whereverOneDiesWhoChangesATaskThereIsNeverAChangeWithoutItsRecord(TaskAction action) {
        var changes = 0;
        for (var requests = 0; ; requests++) {
            for (var afterIt : List.of(false, true)) {
                var id = created(tasks.submission().submit(STAFF, print())).id();
                if (action == TaskAction.RETRY) {
                    tasks.administration().cancel(STAFF, id, null);
                }
                var before = events(id);
                var recorded = records(id);
                var dying = new DyingClient(table.client(), requests, afterIt);
                var one = TasksFixture.tasks(table.queryDb(dying.proxy(), clock), clock);

                try {
                    change(one.administration(), action, id);
                } catch (UncheckedIOException e) {
                    // It is dead.
                }

                changes += events(id) - before;
                assertThat(records(id) - recorded)
                        .as("%s, dead at %d, %s", action, requests, afterIt)
                        .isEqualTo(events(id) - before);
                if (!dying.isDead()) {
                    assertThat(changes).as("with and without an answer").isGreaterThan(2);
                    return;
                }
            }
        }
    }

    private static void change(TaskAdministration administration, TaskAction action, TaskId id) {
        switch (action) {
            case CANCEL -> administration.cancel(STAFF, id, "by hand");
            case RETRY -> administration.retry(STAFF, id, "by hand");
            case REASSIGN -> administration.reassign(STAFF, id, BOB, "by hand");
            default -> throw new IllegalArgumentException(action.name());
        }
    }

    private int events(TaskId id) {
        return tasks.reads().history(STAFF, id, PAGE).nodes().size();
    }

    private int records(TaskId id) {
        return TasksFixture.audit(table.queryDb(clock), clock)
                .bySubject("TASK#" + id, PAGE)
                .nodes()
                .size();
    }
}
