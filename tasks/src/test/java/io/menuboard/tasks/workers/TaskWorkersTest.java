package io.menuboard.tasks.workers;

import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Handlers in this process, on real time. */
class TaskWorkersTest {
    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private TaskSettings config = TaskSettings.QUICK;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by each test
    private TaskWorkers workers;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(table.queryDb(Clock.systemUTC()), Clock.systemUTC(), config);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    @Test
    void aHandlerDoesTheTasksOfItsType() {
        start(4, run -> run.task().payload());

        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(ended(task).status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(ended(task).worker()).isEqualTo(workers.worker());
    }

    @Test
    void whatAHandlerCannotDoIsTriedAgainUnlessThatIsNoUse() {
        start(4, run -> {
            throw new TaskFailed("no paper", run.task().attempt() == 1);
        });

        var task = created(tasks.submission().submit(STAFF, print()));

        var dead = ended(task);
        assertThat(dead.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(dead.reason()).isEqualTo("no paper");
        assertThat(dead.attempt()).isEqualTo(2);
    }

    @Test
    void aReasonThatNamesWhatNoTextMayHaveIsKeptWithoutThat() {
        start(1, run -> {
            throw new TaskFailed("no column a\0b", false);
        });

        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(ended(task).reason()).isEqualTo("no column a\uFFFDb");
    }

    @Test
    void whatOnlyAnotherVersionKnowsIsGivenBackAndIsNoFailure() {
        start(1, run -> {
            throw TaskFailed.ofAnotherVersion("action FREEZE");
        });

        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(1)));

        await().until(() -> current(task).attempt() == 1 && current(task).status() != TaskStatus.RUNNING);
        assertThat(current(task).status()).isEqualTo(TaskStatus.SCHEDULED);
        assertThat(current(task).failures()).isZero();
        assertThat(current(task).events().getLast().kind()).isEqualTo(Kind.RELEASED);
        assertThat(current(task).reason()).isEqualTo("not known to this version: action FREEZE");
    }

    @Test
    void whatIsAboutSomethingUnreadableIsGivenBackAndIsNoFailure() {
        start(1, run -> {
            try {
                return CompletableFuture.supplyAsync(() -> UnreadableItem.read("its cup", () -> Json.parse("cup", "{")))
                        .join();
            } catch (CompletionException e) {
                throw new IllegalStateException("work failed", e);
            }
        });

        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(1)));

        await().until(() -> current(task).attempt() == 1 && current(task).status() != TaskStatus.RUNNING);
        assertThat(current(task).status()).isEqualTo(TaskStatus.SCHEDULED);
        assertThat(current(task).failures()).isZero();
        assertThat(current(task).reason()).isEqualTo("this version cannot read what it is about");
    }

    @Test
    void whatAnotherVersionHasMovedIsLeftByItsHandler() {
        var left = new CountDownLatch(1);
        start(1, _ -> {
            try {
                new CountDownLatch(1).await();
                return null;
            } finally {
                left.countDown();
            }
        });
        var task = created(tasks.submission().submit(STAFF, print()));
        await().until(() -> current(task).status() == TaskStatus.RUNNING);

        table.queryDb(Clock.systemUTC())
                .update(Update.of(new Key("TASK#" + task.id(), "META")).set("status", "PAUSED"));

        await().until(() -> left.getCount() == 0);
    }

    @Test
    void aResultThatIsRefusedIsAFailureForGood() {
        start(1, _ -> Json.of("result", "x".repeat(500_000)));

        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(ended(task).status()).isEqualTo(TaskStatus.DEAD);
        assertThat(ended(task).attempt()).isOne();
        assertThat(ended(task).reason()).isEqualTo("what came of it is refused: RESULT_TOO_LARGE");
    }

    @Test
    void aFaultIsTriedAgainAndToldWithoutItsText() {
        start(4, run -> {
            if (run.task().attempt() == 1) {
                throw new IllegalStateException("password=hunter2");
            }
            return null;
        });

        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(ended(task).status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.reads()
                        .history(STAFF, task.id(), PageRequest.forward(64, null))
                        .nodes())
                .filteredOn(event -> event.kind() == Kind.FAILED)
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).startsWith("unexpected; the log has error "));
    }

    @Test
    void anInterruptWhileTheOutcomeIsWrittenDoesNotLoseIt() {
        var interrupting = new InterruptingClock();
        tasks = TasksFixture.tasks(table.queryDb(Clock.systemUTC()), interrupting, config);
        workers = WorkersFixture.workers(tasks);
        var id = new AtomicReference<TaskId>();

        // The thread is still interrupted afterwards, so that the ended task cannot be read.
        assertThatThrownBy(() -> workers.perform(STAFF, print(), run -> {
                    id.set(run.task().id());
                    interrupting.next.set(Thread.currentThread());
                    return null;
                }))
                .isInstanceOf(QueryDbException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(tasks.reads()
                        .find(STAFF, Objects.requireNonNull(id.get()))
                        .orElseThrow()
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void theOutcomeIsWrittenThoughTheTimeOfWhoWaitsIsOver() {
        workers = WorkersFixture.workers(tasks);
        var id = new AtomicReference<TaskId>();

        assertThatThrownBy(() -> Workload.interactive(Duration.ofSeconds(2))
                        .call(() -> workers.perform(STAFF, print(), run -> {
                            id.set(run.task().id());
                            while (true) {
                                // Until there is no time left for it.
                                current(run.task());
                            }
                        })))
                .isInstanceOf(QueryDbException.class);

        var failed = tasks.reads().find(STAFF, Objects.requireNonNull(id.get())).orElseThrow();
        assertThat(failed.status()).isEqualTo(TaskStatus.SCHEDULED);
        assertThat(failed.events().getLast().kind()).isEqualTo(Kind.FAILED);
    }

    /** Interrupts a thread that asks for the time, once. */
    private static final class InterruptingClock extends Clock {
        private final AtomicReference<@Nullable Thread> next = new AtomicReference<>();

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            if (next.compareAndSet(Thread.currentThread(), null)) {
                Thread.currentThread().interrupt();
            }
            return Clock.systemUTC().instant();
        }
    }

    @Test
    void noMoreTasksRunAtOnceThanAreAllowed() throws InterruptedException {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var three = new CountDownLatch(3);
        start(3, run -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            three.countDown();
            three.await();
            running.decrementAndGet();
            return null;
        });

        var submitted = tasks.submission().submit(STAFF, Collections.nCopies(12, print()));

        submitted.forEach(result -> ended(created(result)));
        assertThat(most).hasValue(3);
    }

    @Test
    void allPlacesAreUsedAlsoWhereAClaimMayHaveFewerTasks() throws InterruptedException {
        // So that few of so many leases have to be extended.
        config = config.lease(Duration.ofSeconds(30));
        connect();
        var places = tasks.protocol().maxClaim() + 20;
        var all = new CountDownLatch(places);
        start(places, run -> {
            all.countDown();
            all.await();
            return null;
        });

        var submitted = tasks.submission().submit(STAFF, Collections.nCopies(places, print()));

        submitted.forEach(result -> assertThat(ended(created(result)).status()).isEqualTo(TaskStatus.COMPLETED));
    }

    @Test
    void aLongTaskKeepsItsLeaseAndSaysHowFarItIs() {
        var goOn = new CountDownLatch(1);
        start(1, run -> {
            run.progress(new TaskProgress(3, 10L, "third"));
            goOn.await();
            run.progress(new TaskProgress(10, 10L, "all"));
            return null;
        });

        var task = created(tasks.submission().submit(STAFF, print()));
        await().until(() -> current(task).progress() != null);
        var first = leaseEnd(task);
        await().until(() -> leaseEnd(task).isAfter(first.plus(config.lease())));
        goOn.countDown();

        var done = ended(task);
        assertThat(done.attempt()).isOne();
        assertThat(done.progress()).isEqualTo(new TaskProgress(10, 10L, "all"));
    }

    @Test
    void aHandlerWhoseTaskIsCancelledIsInterrupted() {
        var begun = new CountDownLatch(1);
        var interrupted = new CountDownLatch(1);
        start(1, run -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return null;
        });
        var task = created(tasks.submission().submit(STAFF, print()));
        await().until(() -> begun.getCount() == 0);

        tasks.administration().cancel(STAFF, task.id(), "not needed");

        await().until(() -> interrupted.getCount() == 0);
        assertThat(current(task).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void stoppingGivesBackWhatCannotBeFinished() {
        var begun = new CountDownLatch(1);
        start(1, run -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return null;
        });
        var task = created(tasks.submission().submit(STAFF, print()));
        await().until(() -> begun.getCount() == 0);

        workers.close(Duration.ofSeconds(1));

        assertThat(current(task).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(current(task).failures()).isZero();
        assertThat(current(task).events().getLast().kind()).isEqualTo(Kind.RELEASED);
    }

    @Test
    void aTaskCanBeDoneHereAndNow() {
        start(1, run -> null);

        var done = workers.perform(STAFF, print(), run -> Json.parse("result", "1"));

        assertThat(done.status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.reads()
                        .history(STAFF, done.id(), PageRequest.forward(64, null))
                        .nodes())
                .extracting(TaskEvent::kind)
                .containsExactly(Kind.SUBMITTED, Kind.CLAIMED, Kind.COMPLETED);
    }

    @Test
    void whoeverHadATaskDoneHereThatIsCancelledGoesOn() {
        start(1, run -> null);

        var done = workers.perform(STAFF, print(), run -> {
            tasks.administration().cancel(STAFF, run.task().id(), "not needed");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                // As a handler does that ends in a way of its own.
                Thread.currentThread().interrupt();
            }
            return null;
        });

        assertThat(Thread.interrupted()).isFalse();
        assertThat(done.status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void whoeverHasATaskDoneHereIsInterruptedByAStopAlsoWhereItIsCancelled() {
        start(1, run -> null);
        var runner = new TaskRunner(
                tasks.protocol(), Access.ofSystem("runner", Actor.Source.WORKER), TaskSettings.QUICK.lease());
        var task = tasks.submission()
                .submitClaimed(
                        STAFF, print(), workers.worker(), tasks.protocol().lease());

        runner.run(task, run -> {
            tasks.administration().cancel(STAFF, task.id(), "not needed");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                runner.interrupt();
            }
            return null;
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aTableThatIsAwayForAMomentChangesNothing() {
        start(2, run -> null);
        table.faults().inject(Fault.SERVER_ERROR, "UpdateItem", 0.5, 4);
        table.faults().inject(Fault.REPLY_LOST, "Query", 0.3, 5);

        var submitted = tasks.submission().submit(STAFF, java.util.Collections.nCopies(20, print()));

        submitted.forEach(result -> assertThat(ended(created(result)).status()).isEqualTo(TaskStatus.COMPLETED));
    }

    private void start(int concurrency, TaskHandler handler) {
        workers = WorkersFixture.workers(config, tasks, List.of(new TaskWork(PRINT, concurrency, handler)));
        workers.start();
    }

    private Task ended(Task task) {
        await().pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(30))
                .until(() -> current(task).status().isFinished());
        return current(task);
    }

    private Task current(Task task) {
        return tasks.reads().find(STAFF, task.id()).orElseThrow();
    }

    private java.time.Instant leaseEnd(Task task) {
        var lease = current(task).lease();
        return lease == null ? java.time.Instant.EPOCH : lease.endsAt();
    }

    @Test
    void whatAHandlerHasSaidIsToldAlsoWhereThatFailedOnce() {
        var client = InterruptedClient.before(
                request -> request instanceof UpdateItemRequest update
                        && update.toString().contains("third"),
                1,
                table.client(),
                () -> {
                    throw DynamoDbException.builder()
                            .message("refused")
                            .awsErrorDetails(AwsErrorDetails.builder()
                                    .errorCode("AccessDeniedException")
                                    .build())
                            .build();
                });
        tasks = TasksFixture.tasks(table.queryDb(client, Clock.systemUTC()), Clock.systemUTC(), config);
        var goOn = new CountDownLatch(1);
        start(1, run -> {
            run.progress(new TaskProgress(3, 10L, "third"));
            goOn.await();
            return null;
        });

        var task = created(tasks.submission().submit(STAFF, print()));

        await().untilAsserted(() -> assertThat(current(task).progress()).isEqualTo(new TaskProgress(3, 10L, "third")));
        goOn.countDown();
        assertThat(ended(task).status()).isEqualTo(TaskStatus.COMPLETED);
    }
}
