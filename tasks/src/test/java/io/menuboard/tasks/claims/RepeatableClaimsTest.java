package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static io.menuboard.tasks.TasksFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Claims of one task whose answer was lost, and of which there are two. */
class RepeatableClaimsTest {
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Of a request: more than it takes up to where its time is over. */
    private static final Duration TIME = Duration.ofSeconds(2);

    /** A payload that is an item of its own. */
    private static final Json LONG = Json.of(Map.of("text", "x".repeat(400)));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);
    private final PayloadBudget payloads = new PayloadBudget(65_536);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private RepeatableClaims claims;

    /** Knows the type and the worker from then on, as an instance that has been there for a while does. */
    @BeforeEach
    void warmUp() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        claims = claims(tasks, table.queryDb(clock));
        done(tasks.administration().cancel(STAFF, submit(), null));
        tasks.protocol().claim(WORKER, TasksFixture.claim(ADA, 1));
    }

    @Test
    void aRepetitionAnswersTheTaskWithItsLeaseAsItIs() {
        var id = submit();
        var first = done(claim(id, ADA, "k"));
        clock.advance(Duration.ofSeconds(30));
        var extended = done(tasks.protocol().extend(WORKER, id, token(1), LEASE, null));

        var again = done(instance().claim(WORKER, id, ADA, null, "k"));

        assertThat(first.lease()).isEqualTo(TasksFixture.lease(ADA, 1, TasksFixture.NOW.plus(LEASE)));
        assertThat(again).isEqualTo(extended);
        assertThat(again.lease())
                .isEqualTo(TasksFixture.lease(ADA, 1, clock.instant().plus(LEASE)));
        done(tasks.protocol().complete(WORKER, id, again.leaseToken(), null));
    }

    @Test
    void aKeyIsOfOneClaimOfOneWorker() {
        var id = submit();
        var other = submit();
        done(claim(id, ADA, "k"));

        isReused(() -> claim(other, ADA, "k"));
        isReused(() -> claims.claim(WORKER, id, ADA, LEASE, "k"));
        isReused(() -> claims.claim(WORKER, TasksFixture.claim(ADA, 1), "k", payloads));
        assertThat(statuses(other)).containsExactly(TaskStatus.PENDING);

        assertThat(claims.claim(WORKER, TasksFixture.claim(ADA, 1), "several", payloads))
                .extracting(Task::id)
                .containsExactly(other);
        isReused(() -> claim(other, ADA, "several"));
        assertThat(done(claim(submit(), BOB, "k")).worker()).isEqualTo(BOB);
        assertThatThrownBy(() -> claim(id, ADA, "#"))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("INVALID_ID"));
    }

    @Test
    void whatIsNotHeldAnyMoreIsNotAllowed() {
        var completed = submit();
        done(claim(completed, ADA, "completed"));
        done(tasks.protocol().complete(WORKER, completed, token(1), null));
        var ended = submit();
        done(claim(ended, ADA, "ended"));
        clock.advance(LEASE);

        isNotAllowed(claim(completed, ADA, "completed"), TaskStatus.COMPLETED);
        // Nobody has looked at it since its lease ended.
        isNotAllowed(claim(ended, ADA, "ended"), TaskStatus.RUNNING);
        tasks.sweep();
        isNotAllowed(claim(ended, ADA, "ended"), TaskStatus.PENDING);

        done(claim(ended, ADA, "another"));
        isNotAllowed(claim(ended, ADA, "ended"), TaskStatus.RUNNING);
        assertThat(done(claim(ended, ADA, "another")).attempt()).isEqualTo(2);
    }

    @Test
    void severalTasksAreHeldAsLongAsTheirLeasesLast() {
        submit();
        var claim = TasksFixture.claim(ADA, 1);
        var first = claims.claim(WORKER, claim, "k", payloads);
        clock.advance(LEASE.minusMillis(1));

        assertThat(claims.claim(WORKER, claim, "k", payloads)).isEqualTo(first).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        assertThat(claims.claim(WORKER, claim, "k", payloads)).isEmpty();
    }

    @Test
    void aClaimThatWasRefusedLeavesItsKeyToTheNext() {
        var id = submit();
        done(claim(id, BOB, "theirs"));

        isNotAllowed(claim(id, ADA, "k"), TaskStatus.RUNNING);
        done(tasks.protocol().release(WORKER, id, token(1), null));

        assertThat(done(claim(id, ADA, "k")).attempt()).isEqualTo(2);
        assertThat(claim(new TaskId("00000000000000000000000000"), ADA, "none"))
                .isInstanceOf(TaskResult.NotFound.class);
    }

    @Test
    void whoComesWhenAnotherHasClaimedAnswersWhatThatOneDid() {
        var id = submit();
        var late = instance(GetItemRequest.class, false, () -> done(claim(id, ADA, "k")));

        var answer = done(late.claim(WORKER, id, ADA, null, "k"));

        assertThat(answer.lease())
                .isEqualTo(TasksFixture.lease(ADA, 1, clock.instant().plus(LEASE)));
    }

    @Test
    void whoFindsNothingBecauseTheSameClaimWasQuickerAnswersWhatThatOneFound() {
        submit();
        var claim = TasksFixture.claim(ADA, 1);
        var first = new ArrayList<Task>();
        var late =
                instance(GetItemRequest.class, false, () -> first.addAll(claims.claim(WORKER, claim, "k", payloads)));

        assertThat(late.claim(WORKER, claim, "k", payloads)).isEqualTo(first).hasSize(1);
    }

    @Test
    void whoComesBeforeAnotherHasWrittenItDownIsToldThatTheTaskIsTaken() {
        var id = submit();
        var quick = instance(PutItemRequest.class, true, () -> isNotAllowed(claim(id, ADA, "k"), TaskStatus.RUNNING));

        var first = done(quick.claim(WORKER, id, ADA, null, "k"));

        assertThat(done(claim(id, ADA, "k"))).isEqualTo(first);
    }

    @Test
    void ofTwoTasksThatAreClaimedWithOneKeyAtOnceOneIsGivenBack() {
        var id = submit();
        var other = submit();
        var slow = instance(PutItemRequest.class, true, () -> done(claim(other, ADA, "k")));

        isReused(() -> slow.claim(WORKER, id, ADA, null, "k"));

        assertThat(statuses(id, other)).containsExactly(TaskStatus.PENDING, TaskStatus.RUNNING);
    }

    @Test
    void whatIsGivenBackIsSoAlsoWhereTheTimeIsOverMeanwhile() {
        var id = submit();
        var other = submit();
        var time = Workload.interactive(TIME);
        var over = System.nanoTime() + TIME.toNanos();
        var slow = instance(PutItemRequest.class, true, () -> {
            done(claim(other, ADA, "k"));
            pass(over);
        });

        isReused(() -> time.run(() -> slow.claim(WORKER, id, ADA, null, "k")));

        assertThat(statuses(id, other)).containsExactly(TaskStatus.PENDING, TaskStatus.RUNNING);
    }

    @Test
    void aClaimHasItsPayloadAndIsWrittenDownAlsoWhereTheTimeIsOverMeanwhile() {
        var id = submitLong();
        var time = Workload.interactive(TIME);
        var over = System.nanoTime() + TIME.toNanos();
        var slow = slow(
                request -> request instanceof UpdateItemRequest update
                        && update.key().toString().contains("TASK#"),
                () -> pass(over));

        var claimed = done(time.call(() -> slow.claim(WORKER, id, ADA, null, "k")));

        assertThat(claimed.payload()).isEqualTo(LONG);
        assertThat(done(claim(id, ADA, "k")).lease()).isEqualTo(claimed.lease());
    }

    @Test
    void aTaskWhosePayloadCannotBeReadIsGivenBackAlsoWhereTheTimeIsOver() {
        var id = submitLong();
        var time = Workload.interactive(TIME);
        var over = System.nanoTime() + TIME.toNanos();
        var failing = slow(
                request -> request instanceof GetItemRequest get
                        && get.key().toString().contains("PAYLOAD"),
                () -> {
                    pass(over);
                    throw SdkClientException.create("the request was lost");
                });

        assertThatThrownBy(() -> time.run(() -> failing.claim(WORKER, id, ADA, null, "k")))
                .isInstanceOf(QueryDbException.class);

        assertThat(statuses(id)).containsExactly(TaskStatus.PENDING);
    }

    private TaskId submitLong() {
        return created(tasks.submission().submit(STAFF, SubmitTask.of(TasksFixture.PRINT, LONG)))
                .id();
    }

    /** An instance to which something happens before each such request. */
    private RepeatableClaims slow(Predicate<DynamoDbRequest> request, Runnable event) {
        var client = InterruptedClient.before(
                request, Integer.MAX_VALUE, LocalDynamoDb.shared().directClient(), event);
        return instance(table.queryDb(client, clock));
    }

    /** Until whoever asked has no time left. */
    private static void pass(long over) {
        while (System.nanoTime() - over < 0) {
            LockSupport.parkNanos(over - System.nanoTime());
        }
    }

    @Test
    void ofManyAtOnceThereIsOneLease() throws Exception {
        var id = submit();
        var threads = 16;
        var instances = Stream.generate(this::instance).limit(4).toList();
        var start = new CyclicBarrier(threads);
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var asked = IntStream.range(0, threads)
                    .<Callable<TaskResult>>mapToObj(i -> () -> {
                        start.await();
                        return instances.get(i % instances.size()).claim(WORKER, id, ADA, null, "k");
                    })
                    .toList();
            for (var answer : pool.invokeAll(asked)) {
                assertThat(answer.get())
                        .satisfiesAnyOf(
                                result -> assertThat(done(result).attempt()).isEqualTo(1),
                                result -> isNotAllowed(result, TaskStatus.RUNNING));
            }
        }

        assertThat(done(claim(id, ADA, "k")).lease())
                .isEqualTo(TasksFixture.lease(ADA, 1, clock.instant().plus(LEASE)));
    }

    @Test
    void theLeaseOfAnInstanceThatDiesBeforeItAnswersEndsByItself() {
        var id = submit();
        var dying = instance(PutItemRequest.class, true, () -> {
            throw new IllegalStateException("died");
        });
        assertThatThrownBy(() -> dying.claim(WORKER, id, ADA, null, "k")).hasStackTraceContaining("died");

        isNotAllowed(claim(id, ADA, "k"), TaskStatus.RUNNING);
        clock.advance(LEASE);
        tasks.sweep();

        assertThat(done(claim(id, ADA, "k")).lease())
                .isEqualTo(TasksFixture.lease(ADA, 2, clock.instant().plus(LEASE)));
    }

    @Test
    void whatItCosts() {
        assertThat(none(STAFF).read()).isEqualTo(2);
        assertThat(none(WORKER).read()).isEqualTo(4);
        var ofNobody = submit();
        var ofSomebody = submit();

        assertThat(cost(STAFF, ofNobody)).isEqualTo(new Units(4, 2, 4));
        assertThat(cost(STAFF, ofNobody)).as("again").isEqualTo(new Units(2, 2, 0));
        assertThat(cost(WORKER, ofSomebody)).isEqualTo(new Units(6, 4, 4));
        assertThat(cost(WORKER, ofSomebody)).as("again").isEqualTo(new Units(2, 2, 0));
    }

    /** Of a claim by type where there is nothing; DynamoDB Local charges nothing for the index. */
    private Units none(Access access) {
        return table.meter().during(() -> assertThat(claims.claim(access, TasksFixture.claim(ADA, 1), "none", payloads))
                .isEmpty());
    }

    private Units cost(Access access, TaskId id) {
        return table.meter().during(() -> done(claims.claim(access, id, ADA, null, id.value())));
    }

    private TaskId submit() {
        return created(tasks.submission().submit(STAFF, print())).id();
    }

    private TaskResult claim(TaskId id, WorkerId worker, String key) {
        return claims.claim(WORKER, id, worker, null, key);
    }

    private Stream<TaskStatus> statuses(TaskId... ids) {
        return Stream.of(ids)
                .map(id -> tasks.reads().find(STAFF, id).orElseThrow().status());
    }

    private RepeatableClaims instance() {
        return instance(table.queryDb(clock));
    }

    private RepeatableClaims instance(QueryDb db) {
        return claims(TasksFixture.tasks(db, clock), db);
    }

    private RepeatableClaims claims(TasksInstance instance, QueryDb db) {
        var store = TasksFixture.store(db, TaskSettings.USUAL);
        return new RepeatableClaims(instance.protocol(), store, new IdempotencyKeys(db, "claims"), clock);
    }

    /** An instance to whose first such request about an idempotency key something happens. */
    private RepeatableClaims instance(Class<?> request, boolean before, Runnable event) {
        var direct = LocalDynamoDb.shared().directClient();
        var happened = new AtomicBoolean();
        var client = (DynamoDbClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    var now = arguments != null
                            && request.isInstance(arguments[0])
                            && arguments[0].toString().contains("IDEM#claims")
                            && !happened.getAndSet(true);
                    if (now && before) {
                        event.run();
                    }
                    try {
                        return method.invoke(direct, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (now && !before) {
                            event.run();
                        }
                    }
                });
        return instance(table.queryDb(client, clock));
    }

    private static void isReused(ThrowingCallable claim) {
        assertThatThrownBy(claim).isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.code())
                .isEqualTo("IDEMPOTENCY_KEY_REUSED"));
    }

    private static void isNotAllowed(TaskResult result, TaskStatus status) {
        assertThat(result).isInstanceOfSatisfying(TaskResult.NotAllowed.class, refused -> {
            assertThat(refused.task().status()).isEqualTo(status);
            assertThat(refused.task().leaseToken().secret()).isNull();
        });
    }
}
