package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskTransition;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Several callers at once, who want the same or wait for each other. */
class TaskConcurrencyTest {
    private static final Duration NEVER = Duration.ofMinutes(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    @Test
    void ofManySubmissionsWithOneKeyOneMakesTheTask() throws Exception {
        var threads = 50;
        var instances = IntStream.range(0, 5)
                .mapToObj(_ -> TasksFixture.tasks(table.queryDb(clock), clock))
                .toList();
        var command = print().idempotencyKey("once");
        var start = new CyclicBarrier(threads);
        List<SubmitResult> results = new ArrayList<>();
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var submissions = IntStream.range(0, threads)
                    .<Callable<SubmitResult>>mapToObj(i -> () -> {
                        start.await();
                        return instances.get(i % instances.size()).submission().submit(STAFF, command);
                    })
                    .toList();
            for (var submission : pool.invokeAll(submissions)) {
                results.add(submission.get());
            }
        }

        var only = instances
                .getFirst()
                .reads()
                .all(STAFF, TaskFilter.of(TaskStatus.PENDING))
                .toList();
        assertThat(only).hasSize(1);
        assertThat(results).filteredOn(SubmitResult.Created.class::isInstance).hasSize(1);
        assertThat(results).allSatisfy(result -> assertThat(task(result)).isEqualTo(only.getFirst()));
    }

    private static Task task(SubmitResult result) {
        return switch (result) {
            case SubmitResult.Created(var task, var _) -> task;
            case SubmitResult.Replayed(var task, var _) -> task;
            case SubmitResult.Conflict _, SubmitResult.Invalid _ -> throw new AssertionError(result);
        };
    }

    @Test
    void noTokenIsGivenTwiceToWhoSawATaskBeforeItWasClaimedAndGivenBack() {
        var db = table.queryDb(clock);
        var tasks = TasksFixture.tasks(db, clock);
        var seenPending = created(tasks.submission().submit(STAFF, print()));
        done(tasks.protocol().claim(WORKER, seenPending.id(), ADA, null));
        done(tasks.protocol().release(WORKER, seenPending.id(), TasksFixture.token(1), null));

        try (var late = new TaskQueue(store(db), clock, ClaimsFixture.config(TaskSettings.USUAL))) {
            assertThat(late.attempt(seenPending, BOB, Duration.ofSeconds(60), WORKER.actor()))
                    .isEmpty();
        }
        assertThat(done(tasks.protocol().claim(WORKER, seenPending.id(), BOB, null))
                        .attempt())
                .isEqualTo(2);
    }

    @Test
    void aLeaseThatWasExtendedIsNotEndedByWhoSawItsOldEnd() {
        var db = table.queryDb(clock);
        var tasks = TasksFixture.tasks(db, clock);
        var id = created(tasks.submission().submit(STAFF, print())).id();
        var claimed = done(tasks.protocol().claim(WORKER, id, ADA, Duration.ofSeconds(10)));
        var sweptAt = clock.instant().plusSeconds(10);
        clock.advance(Duration.ofMillis(9_999));
        done(tasks.protocol().extend(WORKER, id, TasksFixture.token(1), Duration.ofSeconds(10), null));

        var step =
                new TaskTransition.Step(TaskEvent.Kind.LEASE_EXPIRED, WORKER.actor(), sweptAt, ADA, "the lease ended");
        var expiry = new TaskTransition.Requeue((Task.Running) claimed, null, 1, step);
        assertThat(store(db).save(expiry)).isInstanceOf(DynamoTasks.Changed.Refused.class);
        assertThat(tasks.reads().find(STAFF, id))
                .hasValueSatisfying(task -> assertThat(task.status()).isEqualTo(TaskStatus.RUNNING));
    }

    @Test
    void aPayloadStaysWithATaskThatIsRetriedWhileWhatFinishedItStillGivesItAnEnd() {
        var db = table.queryDb(clock);
        var tasks = TasksFixture.tasks(db, clock);
        var lengthy = Json.parse("payload", "\"" + "x".repeat(1_000) + "\"");
        var id = created(tasks.submission().submit(STAFF, SubmitTask.of(TasksFixture.PRINT, lengthy)))
                .id();
        var payload = new Key("TASK#" + id, "PAYLOAD");
        done(tasks.administration().cancel(STAFF, id, null));
        var end = Update.of(payload).ttl(clock.instant().plusSeconds(60));
        var direct = LocalDynamoDb.shared().directClient();
        var atRetry = (DynamoDbClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    if (arguments[0] instanceof UpdateItemRequest update
                            && update.updateExpression().contains("#failures")) {
                        db.update(end);
                    }
                    return method.invoke(direct, arguments);
                });

        var retrying = LocalTables.queryDb(atRetry, table.definition(), clock);
        done(TasksFixture.tasks(retrying, clock).administration().retry(STAFF, id, null));

        assertThat(db.get(payload))
                .hasValueSatisfying(item -> assertThat(item.ttl()).isEmpty());
    }

    private static DynamoTasks store(QueryDb db) {
        return TasksFixture.store(db, TaskSettings.USUAL);
    }

    @Test
    void aTaskIsHandedToAWaitingClaimAtOnce() throws Exception {
        var tasks = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(4).pollInterval(NEVER));
        var ada = wait(tasks, ADA);
        var bob = wait(tasks, BOB);

        var submitted = List.of(
                created(tasks.submission().submit(STAFF, print())),
                created(tasks.submission().submit(STAFF, print())));

        assertThat(List.of(claimed(ada), claimed(bob)))
                .extracting(Task::id)
                .containsExactlyInAnyOrder(
                        submitted.getFirst().id(), submitted.getLast().id());
    }

    @Test
    void aTaskWhoseTimeComesIsHandedToAWaitingClaimToo() throws Exception {
        var tasks = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(4).pollInterval(NEVER));
        var task = created(tasks.submission()
                .submit(STAFF, print().notBefore(clock.instant().plusSeconds(1))));
        var ada = wait(tasks, ADA);

        clock.advance(Duration.ofSeconds(1));
        tasks.sweep();

        assertThat(claimed(ada).id()).isEqualTo(task.id());
    }

    @Test
    void aTaskThatIsGivenBackIsHandedOn() throws Exception {
        var tasks = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(4).pollInterval(NEVER));
        var task = created(tasks.submission().submit(STAFF, print()));
        done(tasks.protocol().claim(WORKER, task.id(), ADA, null));
        var bob = wait(tasks, BOB);

        done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(1), null));

        assertThat(claimed(bob).lease())
                .isEqualTo(TasksFixture.lease(BOB, 2, clock.instant().plusSeconds(60)));
    }

    @Test
    void aTaskOfAnotherInstanceIsSeenAtTheNextPoll() throws Exception {
        var here = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(4).pollInterval(Duration.ofMillis(50)));
        var there = TasksFixture.tasks(table.queryDb(clock), clock);
        var ada = wait(here, ADA);

        var task = created(there.submission().submit(STAFF, print()));

        assertThat(claimed(ada).id()).isEqualTo(task.id());
    }

    @Test
    void whoWaitsIsAnsweredWhenTheInstanceStops() throws Exception {
        var tasks = TasksFixture.tasks(
                table.queryDb(clock), clock, TaskSettings.USUAL.shards(4).pollInterval(NEVER));
        var ada = wait(tasks, ADA);

        tasks.protocol().stopWaiting();

        assertThat(ada.get()).isEmpty();
    }

    /** A claim that has looked, found nothing, and waits: for longer than the test may take. */
    private static FutureTask<List<Task>> wait(TasksInstance tasks, WorkerId worker) {
        var claim = new FutureTask<>(() -> tasks.protocol()
                .claim(WORKER, new ClaimTasks(worker, List.of(PRINT), 1, Duration.ofSeconds(20), null)));
        var thread = Thread.ofPlatform().daemon().start(claim);
        await().until(() -> Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("await")
                        && frame.getClassName().endsWith("Waiter")));
        return claim;
    }

    private static Task claimed(FutureTask<List<Task>> claim) throws InterruptedException, ExecutionException {
        return claim.get().getFirst();
    }
}
