package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.MAIL;
import static io.menuboard.tasks.TasksFixture.NOW;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.claim;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.bulk.BulkOperations;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.claims.WorkerStatus;
import io.menuboard.tasks.statistics.QueueStatistics;
import io.menuboard.tasks.statistics.TaskBacklog;
import io.menuboard.tasks.statistics.TaskCounts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** One task at a time, from one caller: what each use case does and refuses. */
class TasksTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @BeforeEach
    void connect() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
    }

    @Test
    void aTaskIsSubmittedClaimedAndCompleted() {
        var submitted = created(tasks.submission().submit(STAFF, print()));
        var claimed = tasks.protocol().claim(WORKER, claim(ADA, 1)).getFirst();
        var completed = done(tasks.protocol()
                .complete(WORKER, claimed.id(), TasksFixture.token(1), Json.parse("result", "{\"labels\":12}")));

        assertThat(submitted.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(submitted.submittedAt()).isEqualTo(NOW);
        assertThat(claimed.id()).isEqualTo(submitted.id());
        assertThat(claimed.payload()).isEqualTo(print().payload());
        assertThat(claimed.lease()).isEqualTo(TasksFixture.lease(ADA, 1, NOW.plusSeconds(60)));
        assertThat(completed.status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.reads().find(STAFF, completed.id())).contains(completed);
        assertThat(tasks.reads().result(STAFF, completed)).contains(Json.parse("result", "{\"labels\":12}"));
        assertThat(tasks.reads().history(STAFF, completed.id(), PAGE).nodes())
                .containsExactly(
                        new TaskEvent(1, NOW, Kind.SUBMITTED, TaskStatus.PENDING, STAFF.actor(), 0, null, null),
                        new TaskEvent(2, NOW, Kind.CLAIMED, TaskStatus.RUNNING, WORKER.actor(), 1, ADA, null),
                        new TaskEvent(3, NOW, Kind.COMPLETED, TaskStatus.COMPLETED, WORKER.actor(), 1, ADA, null));
    }

    @Test
    void aLongPayloadAndResultComeBackWhole() {
        var text = "\"" + "é".repeat(20_000) + "\"";
        var submitted = created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, Json.parse("payload", text))));
        var claimed = tasks.protocol().claim(WORKER, claim(ADA, 1)).getFirst();

        var completed = done(
                tasks.protocol().complete(WORKER, submitted.id(), TasksFixture.token(1), Json.parse("result", text)));

        assertThat(claimed.payload()).hasToString(text);
        assertThat(tasks.reads()
                        .payload(
                                STAFF, tasks.reads().find(STAFF, submitted.id()).orElseThrow()))
                .hasToString(text);
        assertThat(tasks.reads().result(STAFF, completed).orElseThrow()).hasToString(text);
        assertThat(tasks.reads()
                        .payloads(
                                STAFF,
                                List.of(completed, created(tasks.submission().submit(STAFF, print())))))
                .containsExactly(Json.parse("payload", text), print().payload());
    }

    @Test
    void theHighestPriorityComesFirstAndThenTheOldest() {
        var low = created(tasks.submission().submit(STAFF, print().priority(TaskPriority.LOW)));
        var ids = new ArrayList<TaskId>();
        for (var i = 0; i < 5; i++) {
            clock.advance(Duration.ofMillis(1));
            ids.add(created(tasks.submission().submit(STAFF, print())).id());
        }
        var urgent = created(tasks.submission().submit(STAFF, print().priority(TaskPriority.URGENT)));
        ids.addFirst(urgent.id());
        ids.addLast(low.id());

        assertThat(tasks.reads()
                        .list(STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE)
                        .nodes())
                .extracting(Task::id)
                .isEqualTo(ids);
        assertThat(IntStream.range(0, 7).mapToObj(_ -> tasks.protocol()
                        .claim(WORKER, claim(ADA, 1))
                        .getFirst()
                        .id()))
                .isEqualTo(ids);
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();
    }

    @Test
    void aTaskForLaterBecomesPendingInTime() {
        var task = created(tasks.submission().submit(STAFF, print().notBefore(NOW.plusSeconds(5))));
        assertThat(task.status()).isEqualTo(TaskStatus.SCHEDULED);

        clock.advance(Duration.ofMillis(4_999));
        assertThat(tasks.sweep()).isZero();
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();

        clock.advance(Duration.ofMillis(1));
        assertThat(tasks.sweep()).isOne();
        assertThat(tasks.sweep()).isZero();
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aFailureIsFollowedByAPauseThatDoublesUntilTheTaskIsDead() {
        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(3)));
        for (var attempt = 1; attempt <= 2; attempt++) {
            tasks.protocol().claim(WORKER, claim(ADA, 1));
            var failed = done(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(attempt), "no paper", true));
            var pause = Duration.between(clock.instant(), failed.availableAt());
            assertThat(failed.status()).isEqualTo(TaskStatus.SCHEDULED);
            assertThat(failed.failures()).isEqualTo(attempt);
            assertThat(pause)
                    .isBetween(Duration.ofMillis(500L << (attempt - 1)), Duration.ofMillis(1_000L << (attempt - 1)));
            clock.advance(pause);
            tasks.sweep();
        }
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        var dead = done(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(3), "no paper", true));

        assertThat(dead.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(dead.reason()).isEqualTo("no paper");
        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::kind)
                .containsExactly(
                        Kind.SUBMITTED,
                        Kind.CLAIMED,
                        Kind.FAILED,
                        Kind.DUE,
                        Kind.CLAIMED,
                        Kind.FAILED,
                        Kind.DUE,
                        Kind.CLAIMED,
                        Kind.FAILED);
    }

    @Test
    void aFailureForGoodIsDeathAtOnce() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        assertThat(done(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(1), "no such store", false))
                        .status())
                .isEqualTo(TaskStatus.DEAD);
    }

    @Test
    void whoLostItsLeaseCanDoNothingAnyMore() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        clock.advance(Duration.ofSeconds(60));
        var before = tasks.reads().find(STAFF, task.id()).orElseThrow();

        assertThat(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null))
                .isEqualTo(new TaskResult.LeaseLost(before));
        assertThat(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(1), "no paper", true))
                .isEqualTo(new TaskResult.LeaseLost(before));
        assertThat(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(1), null))
                .isEqualTo(new TaskResult.LeaseLost(before));
        assertThat(tasks.protocol().extend(WORKER, task.id(), TasksFixture.token(1), null, null))
                .isEqualTo(new TaskResult.LeaseLost(before));
        assertThat(tasks.reads().find(STAFF, task.id())).contains(before);

        assertThat(tasks.sweep()).isOne();
        assertThat(tasks.protocol().claim(WORKER, claim(BOB, 1)).getFirst().attempt())
                .isEqualTo(2);
        assertThat(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(2), null))
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void aLeaseThatIsExtendedLastsLongerAndSaysHowFarTheWorkIs() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        clock.advance(Duration.ofSeconds(50));

        var extended = done(tasks.protocol()
                .extend(
                        WORKER,
                        task.id(),
                        TasksFixture.token(1),
                        Duration.ofSeconds(30),
                        new TaskProgress(500, 2_000L, "printing")));
        clock.advance(Duration.ofSeconds(29));

        assertThat(extended.lease()).isEqualTo(TasksFixture.lease(ADA, 1, NOW.plusSeconds(80)));
        assertThat(extended.rate()).isEqualTo(10);
        assertThat(tasks.sweep()).isZero();
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null))
                        .progress())
                .isEqualTo(new TaskProgress(500, 2_000L, "printing"));
    }

    @Test
    void aLeaseThatEndsAgainAndAgainIsDeathToo() {
        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(2)));
        for (var attempt = 1; attempt <= 2; attempt++) {
            assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).hasSize(1);
            clock.advance(Duration.ofSeconds(60));
            assertThat(tasks.sweep()).isOne();
        }

        var dead = tasks.reads().find(STAFF, task.id()).orElseThrow();
        assertThat(dead.status()).isEqualTo(TaskStatus.DEAD);
        assertThat(dead.events().getLast().kind()).isEqualTo(Kind.LEASE_EXPIRED);
    }

    @Test
    void anOperationOutlastsHalfADayOfFailures() {
        var operation = SubmitTask.operation(BulkOperations.TYPE, Json.EMPTY);
        var id = created(tasks.submission().submit(STAFF, operation)).id();
        var claim = new ClaimTasks(ADA, List.of(BulkOperations.TYPE), 1, Duration.ZERO, null);
        var attempts = 0;
        for (; clock.instant().isBefore(NOW.plus(Duration.ofHours(8))); attempts++) {
            var held = tasks.protocol().withOperations().claim(WORKER, claim).getFirst();
            // Every other time it cannot even be said that it failed.
            var expires = attempts % 2 == 1;
            var failed = expires
                    ? expired(clock, tasks, id)
                    : done(tasks.protocol().withOperations().fail(WORKER, id, held.leaseToken(), "no bucket", true));
            if (failed.status() == TaskStatus.SCHEDULED) {
                clock.advance(Duration.between(clock.instant(), failed.availableAt()));
                tasks.sweep();
            }
        }

        assertThat(attempts).isLessThan(SubmitTask.MOST_ATTEMPTS);
        assertThat(tasks.reads().find(STAFF, id).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
    }

    private static Task expired(MovingClock clock, TasksInstance tasks, TaskId id) {
        clock.advance(Duration.ofSeconds(60));
        tasks.sweep();
        return tasks.reads().find(STAFF, id).orElseThrow();
    }

    @Test
    void givingATaskBackIsNoFailure() {
        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(1)));
        for (var attempt = 1; attempt <= 3; attempt++) {
            assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).hasSize(1);
            assertThat(done(tasks.protocol().release(WORKER, task.id(), TasksFixture.token(attempt), "shutting down"))
                            .status())
                    .isEqualTo(TaskStatus.PENDING);
        }
        assertThat(tasks.reads().find(STAFF, task.id()).orElseThrow().failures())
                .isZero();
    }

    @Test
    void sayingTheSameTwiceIsSayingItOnce() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        var completed = done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null));

        assertThat(done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null)))
                .isEqualTo(completed);
        assertThat(tasks.protocol().fail(WORKER, task.id(), TasksFixture.token(1), "no paper", true))
                .isInstanceOf(TaskResult.LeaseLost.class);
    }

    @Test
    void aCancelledTaskIsTakenFromItsWorkerAndCanBeRetried() {
        var task = created(tasks.submission().submit(STAFF, print().maxAttempts(1)));
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        var cancelled = done(tasks.administration().cancel(STAFF, task.id(), "not needed"));
        assertThat(cancelled.status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
        assertThat(done(tasks.administration().cancel(STAFF, task.id(), null))).isEqualTo(cancelled);

        var retried = done(tasks.administration().retry(STAFF, task.id(), "needed after all"));
        assertThat(retried.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(retried.finishedAt()).isNull();
        assertThat(done(tasks.administration().retry(STAFF, task.id(), null))).isEqualTo(retried);
        assertThat(tasks.protocol().claim(WORKER, claim(BOB, 1)).getFirst().attempt())
                .isEqualTo(2);
        assertThat(tasks.administration().retry(STAFF, task.id(), null)).isInstanceOf(TaskResult.NotAllowed.class);
        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::kind)
                .containsExactly(Kind.SUBMITTED, Kind.CLAIMED, Kind.CANCELLED, Kind.RETRIED, Kind.CLAIMED);
    }

    @Test
    void aTaskThatIsCancelledBeforeItsTimeAndRetriedWaitsForThatTime() {
        var later = clock.instant().plus(Duration.ofHours(18));
        var id = created(tasks.submission().submit(STAFF, print().notBefore(later)))
                .id();
        done(tasks.administration().cancel(STAFF, id, null));
        clock.advance(Duration.ofHours(1));

        var retried = done(tasks.administration().retry(STAFF, id, null));

        assertThat(retried.status()).isEqualTo(TaskStatus.SCHEDULED);
        assertThat(retried.availableAt()).isEqualTo(later);
        assertThat(done(tasks.administration().retry(STAFF, id, null))).isEqualTo(retried);
        tasks.sweep();
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();

        clock.set(later);
        tasks.sweep();

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(id);
    }

    @Test
    void aTaskThatIsCancelledWhileItWaitsForItsNextAttemptIsTriedAtOnceWhenItIsRetried() {
        var id = created(tasks.submission().submit(STAFF, print())).id();
        done(tasks.protocol().claim(WORKER, id, ADA, null));
        done(tasks.protocol().fail(WORKER, id, TasksFixture.token(1), "no paper", true));
        done(tasks.administration().cancel(STAFF, id, null));

        assertThat(done(tasks.administration().retry(STAFF, id, null)).status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void aFinishedTaskGoesAfterItsRetentionAndARetriedOneDoesNot() {
        var payload = Json.parse("payload", "\"" + "x".repeat(500) + "\"");
        var gone = created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, payload)));
        var kept = created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, payload)));
        tasks.administration().cancel(STAFF, gone.id(), null);
        tasks.administration().cancel(STAFF, kept.id(), null);
        tasks.administration().retry(STAFF, kept.id(), null);

        clock.advance(Duration.ofDays(7));

        assertThat(tasks.reads().find(STAFF, gone.id())).isEmpty();
        assertThat(tasks.reads()
                        .list(STAFF, TaskFilter.of(TaskStatus.CANCELLED), PAGE)
                        .nodes())
                .isEmpty();
        assertThat(tasks.reads()
                        .payload(STAFF, tasks.reads().find(STAFF, kept.id()).orElseThrow()))
                .isEqualTo(payload);
        assertThat(table.queryDb(clock).load("TASK#" + gone.id())).isEmpty();
    }

    @Test
    void aWorkerThatWasAwayForDaysIsAsGoodAsNew() {
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();
        clock.advance(Duration.ofDays(3));
        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
        assertThat(tasks.workers().find(STAFF, ADA)).isPresent();
    }

    @Test
    void aWorkerThatWasAwayForDaysIsGivenWhatIsKeptForIt() {
        tasks.protocol().claim(WORKER, claim(BOB, 1));
        clock.advance(Duration.ofDays(3));
        var elsewhere = TasksFixture.tasks(table.queryDb(clock), clock);
        var first = created(tasks.submission().submit(STAFF, print()));
        var second = created(tasks.submission().submit(STAFF, print()));

        done(tasks.administration().reassign(STAFF, first.id(), BOB, null));
        done(elsewhere.protocol().claim(WORKER, second.id(), BOB, null));

        assertThat(elsewhere.workers().find(STAFF, BOB).orElseThrow().lastSeen())
                .isEqualTo(clock.instant());
        assertThat(elsewhere.protocol().claim(WORKER, claim(BOB, 1)))
                .extracting(Task::id)
                .containsExactly(first.id());
    }

    @Test
    void aTaskWhosePayloadIsGoneDoesNotTakeOthersWithIt() {
        var large = SubmitTask.of(PRINT, Json.parse("payload", "\"" + "x".repeat(500) + "\""));
        var ids = tasks.submission().submit(STAFF, Collections.nCopies(3, large)).stream()
                .map(submitted -> created(submitted).id())
                .toList();
        table.queryDb(clock).delete(new Key("TASK#" + ids.get(1), "PAYLOAD"));

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 3)))
                .extracting(Task::id)
                .containsExactlyInAnyOrder(ids.getFirst(), ids.getLast());
    }

    @Test
    void aTaskIsReassignedThoughItsWorkerCannotBeTold() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var client = Unreliable.withoutUpdatesOf("WORKER#bob", table.client());
        var elsewhere = TasksFixture.tasks(table.queryDb(client, clock), clock);

        assertThat(done(elsewhere.administration().reassign(STAFF, task.id(), BOB, null))
                        .reservedFor())
                .isEqualTo(BOB);

        clock.advance(Duration.ofSeconds(60));
        tasks.sweep();
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aReassignedTaskGoesToItsWorkerAlone() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        var kept = done(tasks.administration().reassign(STAFF, task.id(), BOB, "ada is ill"));

        assertThat(kept.reservedFor()).isEqualTo(BOB);
        assertThat(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null))
                .isInstanceOf(TaskResult.LeaseLost.class);
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).isEmpty();
        assertThat(tasks.protocol().claim(WORKER, task.id(), ADA, null)).isInstanceOf(TaskResult.NotAllowed.class);
        assertThat(tasks.protocol().claim(WORKER, claim(BOB, 1)))
                .singleElement()
                .satisfies(claimed -> {
                    assertThat(claimed.id()).isEqualTo(task.id());
                    assertThat(claimed.attempt()).isEqualTo(2);
                    assertThat(claimed.reservedFor()).isNull();
                });
    }

    @Test
    void reassigningATaskTwiceToOneWorkerIsReassigningItOnce() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var kept = done(tasks.administration().reassign(STAFF, task.id(), BOB, "is nearer"));

        assertThat(done(tasks.administration().reassign(STAFF, task.id(), BOB, "is nearer")))
                .isEqualTo(kept);
        var held = done(tasks.protocol().claim(WORKER, task.id(), BOB, null));
        var again = done(tasks.administration().reassign(STAFF, task.id(), BOB, "is nearer"));

        assertThat(again.lease()).isEqualTo(TasksFixture.lease(BOB, 0, NOW.plusSeconds(60)));
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), held.leaseToken(), null))
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.reads().history(STAFF, task.id(), PAGE).nodes())
                .extracting(TaskEvent::kind)
                .containsExactly(Kind.SUBMITTED, Kind.REASSIGNED, Kind.CLAIMED, Kind.COMPLETED);
    }

    @Test
    void aTaskIsKeptAnewForAWorkerThatLetItsTimePass() {
        var task = created(tasks.submission().submit(STAFF, print()));
        done(tasks.administration().reassign(STAFF, task.id(), BOB, null));

        clock.advance(Duration.ofSeconds(60));
        var kept = done(tasks.administration().reassign(STAFF, task.id(), BOB, null));
        done(tasks.protocol().claim(WORKER, task.id(), BOB, Duration.ofSeconds(5)));
        clock.advance(Duration.ofSeconds(5));
        var keptAgain = done(tasks.administration().reassign(STAFF, task.id(), BOB, null));

        assertThat(kept.availableAt()).isEqualTo(NOW.plusSeconds(120));
        assertThat(keptAgain.availableAt()).isEqualTo(NOW.plusSeconds(125));
        assertThat(keptAgain.reservedFor()).isEqualTo(BOB);
    }

    @Test
    void aScheduledTaskThatIsReassignedWaitsForItsTimeNoLonger() {
        var later = print().notBefore(clock.instant().plus(Duration.ofHours(1)));
        var task = created(tasks.submission().submit(STAFF, later));

        done(tasks.administration().reassign(STAFF, task.id(), BOB, null));

        assertThat(tasks.protocol().claim(WORKER, claim(BOB, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aWorkerIsGivenWhatIsKeptForItAsFarAsItAsksForThat() {
        var mail = created(tasks.submission().submit(STAFF, SubmitTask.of(MAIL, Json.EMPTY)));
        var prints = Stream.generate(
                        () -> created(tasks.submission().submit(STAFF, print())).id())
                .limit(3)
                .toList();
        prints.forEach(id -> done(tasks.administration().reassign(STAFF, id, BOB, null)));
        done(tasks.administration().reassign(STAFF, mail.id(), BOB, null));

        var first = tasks.protocol().claim(WORKER, claim(BOB, 1));
        var rest = tasks.protocol().claim(WORKER, claim(BOB, 3));
        var ofMail = tasks.protocol().claim(WORKER, new ClaimTasks(BOB, List.of(PRINT, MAIL), 3, Duration.ZERO, null));

        assertThat(first).hasSize(1);
        assertThat(Stream.concat(first.stream(), rest.stream()).map(Task::id))
                .containsExactlyInAnyOrderElementsOf(prints);
        assertThat(ofMail).extracting(Task::id).containsExactly(mail.id());
    }

    @Test
    void noTaskIsKeptForAWorkerOfMenuboardItself() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var own = new WorkerId("menuboard-0a1b2c3d");

        assertThatThrownBy(() -> tasks.administration().reassign(STAFF, task.id(), own, null))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("RESERVED_WORKER"))
                .hasMessage("worker must not be one of Menuboard's own workers, whose names begin with menuboard-");

        assertThat(tasks.reads().find(STAFF, task.id())).contains(task);
    }

    @Test
    void claimsOfMenuboardItselfTakeNothingThatIsKeptForAWorker() {
        var task = created(tasks.submission().submit(STAFF, print()));
        done(tasks.administration().reassign(STAFF, task.id(), ADA, null));

        assertThat(tasks.protocol().withOperations().claim(WORKER, claim(ADA, 1)))
                .isEmpty();

        clock.advance(Duration.ofSeconds(5));
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aReassignedTaskThatIsNotFetchedIsAnybodysAgain() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.administration().reassign(STAFF, task.id(), BOB, null);

        clock.advance(Duration.ofSeconds(60));
        tasks.sweep();

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1)))
                .extracting(Task::id)
                .containsExactly(task.id());
    }

    @Test
    void aCloneIsANewTaskWithTheSameBody() {
        var task = created(tasks.submission()
                .submit(STAFF, print().priority(TaskPriority.HIGH).idempotencyKey("k")));

        var copy =
                created(tasks.administration().cloneTask(STAFF, task.id(), null).orElseThrow());

        assertThat(copy.id()).isNotEqualTo(task.id());
        assertThat(copy.clonedFrom()).isEqualTo(task.id());
        assertThat(copy.payload()).isEqualTo(task.payload());
        assertThat(copy.priority()).isEqualTo(TaskPriority.HIGH);
        assertThat(copy.idempotencyKey()).isNull();
        assertThat(tasks.administration().cloneTask(STAFF, TaskId.random(NOW, new java.util.Random(1)), null))
                .isEmpty();
    }

    @Test
    void aKeyMakesOneCopyOfOneTask() {
        var task = created(tasks.submission().submit(STAFF, print()));
        var other = created(tasks.submission().submit(STAFF, print()));

        var copy = created(
                tasks.administration().cloneTask(STAFF, task.id(), "again").orElseThrow());

        assertThat(copy.clonedFrom()).isEqualTo(task.id());
        assertThat(tasks.administration().cloneTask(STAFF, task.id(), "again"))
                .hasValueSatisfying(result -> assertThat(result)
                        .isInstanceOfSatisfying(
                                SubmitResult.Replayed.class,
                                replayed -> assertThat(replayed.task().id()).isEqualTo(copy.id())));
        assertThat(tasks.administration().cloneTask(STAFF, other.id(), "again"))
                .hasValue(new SubmitResult.Conflict(copy.id(), "again"));
        assertThat(tasks.submission().submit(STAFF, print().idempotencyKey("again")))
                .isEqualTo(new SubmitResult.Conflict(copy.id(), "again"));
    }

    @Test
    void anInternalTaskCannotBeClaimedOrFinishedByOthers() {
        var waiting = created(tasks.submission().submit(STAFF, SubmitTask.of(BulkOperations.TYPE, Json.EMPTY)))
                .id();
        var held = tasks.submission()
                .submitClaimed(STAFF, SubmitTask.of(BulkOperations.TYPE, Json.EMPTY), BOB, TaskSettings.USUAL.lease());
        var id = held.id();
        var before = tasks.reads().find(STAFF, id);
        var elsewhere = TasksFixture.tasks(table.queryDb(clock), clock);

        for (var instance : List.of(tasks, elsewhere)) {
            assertReserved(() -> instance.protocol()
                    .claim(WORKER, new ClaimTasks(ADA, List.of(PRINT, BulkOperations.TYPE), 1, Duration.ZERO, null)));
            assertReserved(() -> instance.protocol().claim(WORKER, waiting, ADA, null));
            assertReserved(() -> instance.protocol().extend(WORKER, id, held.leaseToken(), null, null));
            assertReserved(() -> instance.protocol().complete(WORKER, id, held.leaseToken(), null));
            assertReserved(() -> instance.protocol().fail(WORKER, id, held.leaseToken(), "no paper", false));
            assertReserved(() -> instance.protocol().release(WORKER, id, held.leaseToken(), null));
            assertReserved(() -> instance.administration().reassign(STAFF, id, ADA, null));
            assertThat(instance.administration().cloneTask(STAFF, id, null))
                    .hasValueSatisfying(result -> assertThat(result).isInstanceOf(SubmitResult.Invalid.class));
        }

        assertThat(tasks.reads().find(STAFF, id)).isEqualTo(before);
        assertThat(tasks.reads().find(STAFF, waiting).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
        assertThat(done(tasks.protocol().withOperations().complete(WORKER, id, held.leaseToken(), null))
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
    }

    private static void assertReserved(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                .isEqualTo("RESERVED_TYPE"));
    }

    @Test
    void aFencingTokenGrowsAndCanBeNeitherGuessedNorRead() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock, TaskSettings.USUAL, new SecureRandom());
        var task = created(tasks.submission().submit(STAFF, print()));
        var last = 0;
        var held = Lease.Token.NONE;
        var steps = new TreeSet<Integer>();
        for (var attempt = 1; attempt <= 200; attempt++) {
            var claimed = done(tasks.protocol().claim(WORKER, task.id(), ADA, null));
            var token = Objects.requireNonNull(claimed.lease()).fencingToken();
            assertThat(claimed.attempt()).isEqualTo(attempt);
            assertThat(token).isGreaterThan(last);
            steps.add(token - last);
            assertThat(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(attempt), null))
                    .isInstanceOf(TaskResult.LeaseLost.class);
            last = token;
            held = claimed.leaseToken();
            if (attempt < 200) {
                done(tasks.protocol().release(WORKER, task.id(), claimed.leaseToken(), null));
            }
        }

        var hidden = TasksFixture.lease(ADA, 0, NOW.plusSeconds(60));
        assertThat(steps).hasSizeGreaterThan(190);
        assertThat(tasks.reads().find(STAFF, task.id()).orElseThrow().lease()).isEqualTo(hidden);
        assertThat(tasks.reads()
                        .list(STAFF, TaskFilter.of(TaskStatus.RUNNING), PAGE)
                        .nodes())
                .extracting(Task::lease)
                .containsExactly(hidden);
        assertThat(tasks.workers().claims(STAFF).get(ADA))
                .extracting(Task::lease)
                .containsExactly(hidden);
        assertThat(tasks.protocol().claim(WORKER, task.id(), BOB, null))
                .isInstanceOfSatisfying(
                        TaskResult.NotAllowed.class,
                        refused -> assertThat(refused.task().lease()).isEqualTo(hidden));
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), held, null))
                        .attempt())
                .isEqualTo(200);
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), held, null))
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void leasesOfAnEarlierVersionGoOnBesideThoseOfThisOne() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock, TaskSettings.USUAL, new SecureRandom());
        // Which adds one to the attribute that it takes for the number of attempts, and knows no other.
        var earlier = TasksFixture.tasks(table.queryDb(clock), clock);
        var begun = created(earlier.submission().submit(STAFF, print())).id();
        var first = done(earlier.protocol().claim(WORKER, begun, ADA, null));
        assertThat(first.token()).isOne();

        done(tasks.protocol().extend(WORKER, begun, TasksFixture.token(1), null, null));
        done(tasks.protocol().release(WORKER, begun, TasksFixture.token(1), null));
        var second = done(tasks.protocol().claim(WORKER, begun, ADA, null));
        done(earlier.protocol().release(WORKER, begun, second.leaseToken(), null));
        var third = done(earlier.protocol().claim(WORKER, begun, ADA, null));

        assertThat(third.token()).isEqualTo(second.token() + 1);
        assertThat(tasks.reads().find(STAFF, begun).orElseThrow().attempt()).isEqualTo(3);
        assertThat(done(tasks.protocol().complete(WORKER, begun, third.leaseToken(), null))
                        .attempt())
                .isEqualTo(3);
    }

    @Test
    void oneTaskCanBeClaimedByItsId() {
        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(done(tasks.protocol().claim(WORKER, task.id(), ADA, Duration.ofSeconds(5)))
                        .lease())
                .isEqualTo(TasksFixture.lease(ADA, 1, NOW.plusSeconds(5)));
        assertThat(tasks.protocol().claim(WORKER, task.id(), BOB, null)).isInstanceOf(TaskResult.NotAllowed.class);
        assertThat(tasks.protocol().claim(WORKER, TaskId.random(NOW, new java.util.Random(1)), BOB, null))
                .isInstanceOf(TaskResult.NotFound.class);
    }

    @Test
    void workersAndTheirClaimsAreKnown() {
        tasks.submission().submit(STAFF, List.of(print(), print(), print()));
        tasks.protocol().claim(WORKER, claim(ADA, 2));
        tasks.protocol().claim(WORKER, claim(BOB, 1));

        assertThat(tasks.workers().list(STAFF, PAGE).nodes())
                .containsExactly(
                        new WorkerStatus(ADA, List.of(PRINT), NOW, NOW),
                        new WorkerStatus(BOB, List.of(PRINT), NOW, NOW));
        assertThat(tasks.workers().claims(STAFF).get(ADA)).hasSize(2);
        assertThat(tasks.reads()
                        .list(STAFF, new TaskFilter(TaskStatus.RUNNING, null, null, null, BOB, null), PAGE)
                        .nodes())
                .hasSize(1);
        clock.advance(Duration.ofDays(1));
        assertThat(tasks.workers().find(STAFF, ADA)).isEmpty();
    }

    @Test
    void aWorkerHoldsATaskOnceThatMovesOnInItsListWhileThatIsRead() {
        var id = created(tasks.submission().submit(STAFF, print())).id();
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        var extending = InterruptedClient.before(
                request -> request instanceof QueryRequest query
                        && query.indexName() != null
                        && query.hasExclusiveStartKey(),
                1,
                itemByItem(LocalDynamoDb.shared().directClient()),
                () -> done(tasks.protocol().extend(WORKER, id, TasksFixture.token(1), Duration.ofSeconds(90), null)));

        var claims = TasksFixture.tasks(table.queryDb(extending, clock), clock)
                .workers()
                .claims(STAFF);

        assertThat(claims.get(ADA))
                .extracting(Task::lease)
                .containsExactly(TasksFixture.lease(ADA, 0, NOW.plusSeconds(90)));
    }

    @Test
    void aHistoryIsWholeWhereAReplicaLacksTheEventsThatWereMoved() {
        var id = created(tasks.submission().submit(STAFF, print())).id();
        for (var attempt = 1; attempt <= 5; attempt++) {
            done(tasks.protocol().claim(WORKER, id, ADA, null));
            done(tasks.protocol().release(WORKER, id, TasksFixture.token(attempt), null));
        }
        var behind = TasksFixture.tasks(table.queryDb(withoutMovedEvents(table.client()), clock), clock);

        assertThat(behind.reads().history(STAFF, id, PAGE).nodes())
                .extracting(TaskEvent::number)
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    /** Answers what need not be consistent as a replica that no events have come to. */
    private static DynamoDbClient withoutMovedEvents(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                TasksTest.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    try {
                        var answer = method.invoke(client, arguments);
                        return arguments != null
                                        && arguments[0] instanceof QueryRequest query
                                        && !query.consistentRead()
                                        && answer instanceof QueryResponse found
                                ? found.toBuilder()
                                        .items(found.items().stream()
                                                .filter(item -> !Objects.requireNonNull(item.get("sk"))
                                                        .s()
                                                        .startsWith("EVENT#"))
                                                .toList())
                                        .build()
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Reads a list of one task in two requests. */
    private static DynamoDbClient itemByItem(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                TasksTest.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    try {
                        return arguments != null
                                        && arguments[0] instanceof QueryRequest query
                                        && query.indexName() != null
                                ? client.query(query.toBuilder().limit(1).build())
                                : method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void anInstanceKeepsNoLongPayloads() {
        var kept = new ArrayList<Task>();
        var settings = TaskSettings.USUAL;
        var store = TasksFixture.store(table.queryDb(clock), settings);
        var listener = new TaskListener() {
            @Override
            public void submitted(Task task) {
                kept.add(task);
            }

            @Override
            public void claimed(Task task) {
                kept.add(task);
            }
        };
        var backoff = new Backoff(settings.backoff(), settings.maxBackoff(), new SecureRandom());
        var steps = new TaskSteps(store, List.of(listener), backoff, clock);
        var submission = new TaskSubmission(
                store, new IdempotencyKeys(table.queryDb(clock), "tasks"), steps, new SecureRandom(), settings.tasks());
        var payload = Json.parse("payload", "\"" + "é".repeat(20_000) + "\"");

        var pending = created(submission.submit(STAFF, SubmitTask.of(PRINT, payload)));
        var running = submission.submitClaimed(STAFF, SubmitTask.of(PRINT, payload), ADA, Duration.ofSeconds(60));
        steps.held(running.id(), running.token()).ifPresent(kept::add);

        assertThat(List.of(pending, running)).extracting(Task::payload).containsOnly(payload);
        assertThat(kept).extracting(Task::id).containsExactly(pending.id(), running.id(), running.id(), running.id());
        assertThat(kept).extracting(Task::payload).containsOnlyNulls();
    }

    @Test
    void tasksAreFoundByStatusTypeAgeAndKey() {
        var first = created(tasks.submission().submit(STAFF, print().idempotencyKey("k1")));
        clock.advance(Duration.ofMinutes(1));
        var second = created(tasks.submission().submit(STAFF, print().priority(TaskPriority.URGENT)));
        clock.advance(Duration.ofMinutes(1));
        var third = created(tasks.submission().submit(STAFF, SubmitTask.of(MAIL, Json.EMPTY)));
        tasks.administration().cancel(STAFF, third.id(), null);

        assertThat(found(TaskFilter.of(TaskStatus.PENDING))).containsExactly(second.id(), first.id());
        assertThat(found(TaskFilter.of(TaskStatus.CANCELLED))).containsExactly(third.id());
        assertThat(found(new TaskFilter(TaskStatus.PENDING, MAIL, null, null, null, null)))
                .isEmpty();
        assertThat(found(new TaskFilter(TaskStatus.PENDING, null, NOW.plusSeconds(1), NOW.plusSeconds(90), null, null)))
                .containsExactly(second.id());
        assertThat(found(new TaskFilter(TaskStatus.PENDING, null, null, NOW.plusSeconds(1), null, null)))
                .containsExactly(first.id());
        assertThat(found(new TaskFilter(TaskStatus.CANCELLED, MAIL, NOW.plusSeconds(120), null, null, null)))
                .containsExactly(third.id());
        assertThat(found(new TaskFilter(TaskStatus.PENDING, null, null, null, null, "k1")))
                .containsExactly(first.id());
        assertThat(found(new TaskFilter(TaskStatus.PENDING, null, null, null, null, "k2")))
                .isEmpty();
    }

    @Test
    void statisticsTellHowEveryQueueStands() {
        tasks.submission()
                .submit(STAFF, List.of(print(), print().priority(TaskPriority.LOW), SubmitTask.of(MAIL, Json.EMPTY)));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        tasks.statistics().flush();
        tasks.statistics().flush();

        assertThat(tasks.statistics().queues(STAFF))
                .containsExactly(
                        new QueueStatistics(PRINT, 1, false, NOW, 1 / 60.0),
                        new QueueStatistics(MAIL, 1, false, NOW, 0));
        assertThat(tasks.statistics().counts(STAFF, NOW))
                .containsExactly(new TaskCounts(NOW, PRINT, 2, 1, 0, 0, 0), new TaskCounts(NOW, MAIL, 1, 0, 0, 0, 0));
        assertThat(tasks.count(TaskStatus.RUNNING, PRINT)).isOne();
    }

    /** In each of four shards there are many of the others before it. */
    @ParameterizedTest
    @EnumSource
    void theOldestOfAQueueIsFoundWhateverItsPriority(TaskPriority priority) {
        tasks.submission().submit(STAFF, print().priority(priority));
        clock.advance(Duration.ofMinutes(1));
        for (var other : TaskPriority.values()) {
            tasks.submission().submit(STAFF, Collections.nCopies(30, print().priority(other)));
        }

        assertThat(tasks.statistics().queues(STAFF)).containsExactly(new QueueStatistics(PRINT, 121, false, NOW, 0));
    }

    @Test
    void countsOfMinutesComeInPagesOverHours() {
        tasks.submission().submit(STAFF, List.of(print(), SubmitTask.of(MAIL, Json.EMPTY)));
        tasks.statistics().flush();
        clock.advance(Duration.ofHours(2));
        tasks.submission().submit(STAFF, print());
        tasks.statistics().flush();
        var statistics = tasks.statistics();

        var first = statistics.counts(STAFF, NOW, PageRequest.forward(2, null));
        var second = statistics.counts(STAFF, NOW, PageRequest.forward(2, first.endCursor()));

        assertThat(Stream.concat(first.nodes().stream(), second.nodes().stream()))
                .containsExactlyElementsOf(statistics.counts(STAFF, NOW))
                .hasSize(3);
        assertThat(second.hasNextPage()).isFalse();
        assertThat(statistics
                        .counts(STAFF, NOW.plusSeconds(60), PageRequest.forward(2, null))
                        .nodes())
                .hasSize(1);
        assertThat(statistics
                        .counts(STAFF, clock.instant().plus(Duration.ofDays(1)), PageRequest.forward(2, null))
                        .nodes())
                .isEmpty();
    }

    @Test
    void countsUpToABoundWhatAFilterLetsThrough() {
        tasks.submission().submit(STAFF, List.of(print(), print(), print(), SubmitTask.of(MAIL, Json.EMPTY)));
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        assertThat(tasks.reads().count(STAFF, TaskFilter.of(TaskStatus.PENDING), 100))
                .hasValue(3);
        assertThat(tasks.reads().count(STAFF, TaskFilter.of(TaskStatus.PENDING), 2))
                .hasValue(2);
        assertThat(tasks.reads().count(STAFF, new TaskFilter(TaskStatus.PENDING, MAIL, null, null, null, null), 100))
                .hasValue(1);
        assertThat(tasks.reads()
                        .count(
                                STAFF,
                                new TaskFilter(TaskStatus.PENDING, null, NOW.plusSeconds(60), null, null, null),
                                100))
                .hasValue(0);
        assertThat(tasks.reads().count(STAFF, TaskFilter.of(TaskStatus.RUNNING), 100))
                .hasValue(1);
        assertThat(tasks.reads().count(STAFF, new TaskFilter(TaskStatus.RUNNING, null, null, null, ADA, null), 100))
                .isEmpty();
        assertThat(tasks.reads().count(STAFF, new TaskFilter(TaskStatus.DEAD, null, null, null, null, "k1"), 100))
                .isEmpty();
    }

    @Test
    void countsTheTasksThatAFilterLetsThrough() {
        tasks.submission()
                .submit(
                        STAFF,
                        List.of(print(), print(), print().idempotencyKey("k1"), SubmitTask.of(MAIL, Json.EMPTY)));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        clock.advance(Duration.ofSeconds(10));
        tasks.submission().submit(STAFF, print());

        assertThat(total(TaskFilter.of(TaskStatus.PENDING))).isEqualTo(4);
        assertThat(total(new TaskFilter(TaskStatus.PENDING, MAIL, null, null, null, null)))
                .isEqualTo(1);
        assertThat(total(new TaskFilter(TaskStatus.PENDING, PRINT, null, NOW.plusSeconds(5), null, null)))
                .isEqualTo(2);
        assertThat(total(new TaskFilter(TaskStatus.PENDING, null, NOW.plusSeconds(5), null, null, null)))
                .isEqualTo(1);
        assertThat(total(new TaskFilter(TaskStatus.PENDING, null, NOW.plusSeconds(60), null, null, null)))
                .isZero();
        assertThat(total(TaskFilter.of(TaskStatus.RUNNING))).isEqualTo(1);
        assertThat(total(new TaskFilter(TaskStatus.RUNNING, null, null, null, ADA, null)))
                .isEqualTo(1);
        assertThat(total(new TaskFilter(TaskStatus.RUNNING, MAIL, null, null, null, null)))
                .isZero();
        assertThat(total(new TaskFilter(TaskStatus.DEAD, null, null, null, null, "k1")))
                .isEqualTo(1);
        assertThat(total(new TaskFilter(TaskStatus.DEAD, null, null, null, null, "k2")))
                .isZero();
    }

    /** All that there are, as a walk finds them too. */
    private int total(TaskFilter filter) {
        var page = tasks.reads().list(STAFF, filter, PageRequest.forward(100, null));
        assertThat(page.totalCount()).isEqualTo(Count.exactly(page.nodes().size()));
        return page.totalCount().count();
    }

    @Test
    void aListGoesOnWhenThereIsAnotherType() {
        var first = created(tasks.submission().submit(STAFF, print()));
        clock.advance(Duration.ofMillis(1));
        var second = created(tasks.submission().submit(STAFF, print()));
        var filter = TaskFilter.of(TaskStatus.PENDING);
        var page = tasks.reads().list(STAFF, filter, PageRequest.forward(1, null));
        clock.advance(Duration.ofMillis(1));
        var mail = created(tasks.submission().submit(STAFF, SubmitTask.of(MAIL, Json.EMPTY)));

        var rest = tasks.reads().list(STAFF, filter, PageRequest.forward(5, page.endCursor()));

        assertThat(page.nodes()).extracting(Task::id).containsExactly(first.id());
        assertThat(rest.nodes()).extracting(Task::id).containsExactly(second.id(), mail.id());
        var other = new TaskFilter(TaskStatus.PENDING, PRINT, null, null, null, null);
        assertThatThrownBy(() -> tasks.reads().list(STAFF, other, PageRequest.forward(5, page.endCursor())))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_CURSOR"));
    }

    @Test
    void typesAreBoundedAndUnusedOnesMakeRoom() {
        var most = TaskSettings.MAX_TYPES;
        var waiting = created(tasks.submission().submit(STAFF, print()));
        for (var i = 1; i < most; i++) {
            var task = created(tasks.submission().submit(STAFF, SubmitTask.of(new TaskType("type-" + i), Json.EMPTY)));
            done(tasks.administration().cancel(STAFF, task.id(), null));
        }
        var another = SubmitTask.of(new TaskType("another"), Json.EMPTY);
        var elsewhere = TasksFixture.tasks(table.queryDb(clock), clock);

        for (var instance : List.of(tasks, elsewhere)) {
            assertThat(instance.submission().submit(STAFF, another.idempotencyKey("k")))
                    .isInstanceOfSatisfying(
                            SubmitResult.Invalid.class,
                            invalid -> assertThat(invalid.refusal().code()).isEqualTo("TOO_MANY_TYPES"));
            created(instance.submission().submit(STAFF, SubmitTask.of(BulkOperations.TYPE, Json.EMPTY)));
            created(instance.submission().submit(STAFF, SubmitTask.of(new TaskType("type-1"), Json.EMPTY)));
        }
        assertThatThrownBy(() -> tasks.protocol()
                        .claim(
                                WORKER,
                                new ClaimTasks(
                                        ADA,
                                        IntStream.rangeClosed(0, most)
                                                .mapToObj(i -> new TaskType("none-" + i))
                                                .toList(),
                                        1,
                                        Duration.ZERO,
                                        null)))
                .hasMessage("types must name at most " + most + " types of tasks");

        for (var day = 0; day < 38; day++) {
            clock.advance(Duration.ofDays(1));
            tasks.statistics().measureBacklog();
        }

        // What has tasks that wait stays, however long.
        assertThat(tasks.reads().types(STAFF))
                .contains(PRINT, new TaskType("type-1"))
                .doesNotContain(new TaskType("type-2"));
        assertThat(found(TaskFilter.of(TaskStatus.PENDING))).contains(waiting.id());
        created(elsewhere.submission().submit(STAFF, another));
    }

    @Test
    void anInstanceThatStopsClaimsNothingMore() {
        tasks.submission().submit(STAFF, List.of(print(), print(), print()));
        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 1))).hasSize(1);
        var kept = created(tasks.submission().submit(STAFF, print()));
        done(tasks.administration().reassign(STAFF, kept.id(), ADA, null));

        tasks.protocol().stopWaiting();

        assertThat(tasks.protocol().claim(WORKER, claim(ADA, 3))).isEmpty();
        assertThat(TasksFixture.tasks(table.queryDb(clock), clock).protocol().claim(WORKER, claim(ADA, 4)))
                .hasSize(3);
    }

    @Test
    void theBacklogTellsSinceWhenTasksWaitAndWhichOperationsGaveUp() {
        var operation = SubmitTask.operation(BulkOperations.TYPE, Json.EMPTY);
        assertThat(tasks.statistics().backlog(STAFF)).isEmpty();
        tasks.submission().submit(STAFF, print().notBefore(NOW.plusSeconds(30)));
        tasks.submission().submit(STAFF, operation);
        var dead = tasks.submission().submitClaimed(STAFF, operation, ADA, TaskSettings.USUAL.lease());
        done(tasks.protocol().withOperations().fail(WORKER, dead.id(), dead.leaseToken(), "no bucket", false));
        var delivery = SubmitTask.operation(new TaskType(TaskType.WEBHOOK_PREFIX + "deliver"), Json.EMPTY);
        var undeliverable = tasks.submission().submitClaimed(STAFF, delivery, ADA, TaskSettings.USUAL.lease());
        done(tasks.protocol()
                .withOperations()
                .fail(WORKER, undeliverable.id(), undeliverable.leaseToken(), "410 Gone", false));
        clock.advance(Duration.ofSeconds(40));

        tasks.statistics().measureBacklog();
        assertThat(tasks.statistics().backlog(STAFF))
                .contains(new TaskBacklog(NOW.plusSeconds(40), null, NOW, NOW.plusSeconds(30), 1));
        tasks.sweep();
        tasks.statistics().measureBacklog();

        assertThat(tasks.statistics().backlog(STAFF))
                .contains(new TaskBacklog(NOW.plusSeconds(40), NOW.plusSeconds(30), NOW, null, 1));
        assertThat(tasks.statistics().deadOperations(STAFF))
                .extracting(Task::id)
                .containsExactly(dead.id());
        clock.advance(Duration.ofMinutes(3));
        assertThat(tasks.statistics().backlog(STAFF)).isEmpty();

        var held = tasks.submission().submitClaimed(STAFF, operation, ADA, Duration.ofSeconds(35));
        clock.advance(Duration.ofSeconds(40));
        tasks.statistics().measureBacklog();
        assertThat(tasks.statistics().backlog(STAFF).map(TaskBacklog::overdue))
                .contains(((Task.Running) held).lease().endsAt());
    }

    @Test
    void deliveriesThatWaitAreNoBacklogOfOperations() {
        tasks.submission()
                .submit(STAFF, SubmitTask.operation(new TaskType(TaskType.WEBHOOK_PREFIX + "deliver"), Json.EMPTY));
        clock.advance(Duration.ofMinutes(20));

        tasks.statistics().measureBacklog();

        assertThat(tasks.statistics().backlog(STAFF))
                .contains(new TaskBacklog(NOW.plus(Duration.ofMinutes(20)), null, null, null, 0));
    }

    @Test
    void badInputIsRefusedAndChangesNothing() {
        assertThatThrownBy(() -> print().maxAttempts(0)).isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> print().maxAttempts(101)).hasMessage("maxAttempts must be between 1 and 100, not 101");
        assertThatThrownBy(() -> print().idempotencyKey("a#b")).hasMessage("idempotencyKey must not contain '#'");
        assertThatThrownBy(() -> Json.parse("payload", "{a}")).hasMessageStartingWith("payload must be JSON: ");
        assertThatThrownBy(() -> new TaskId("x")).isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> tasks.protocol().claim(WORKER, claim(ADA, 101)))
                .hasMessage("max must be at most 100");
        assertThatThrownBy(() -> tasks.protocol()
                        .claim(WORKER, new ClaimTasks(ADA, List.of(PRINT), 1, Duration.ofSeconds(21), null)))
                .hasMessage("waitSeconds must be at most 20");
        assertThatThrownBy(() -> tasks.protocol()
                        .extend(WORKER, new TaskId("0".repeat(26)), TasksFixture.token(1), Duration.ofHours(2), null))
                .hasMessage("leaseSeconds must be positive and at most 3600");
        assertThatThrownBy(() -> tasks.administration().cancel(STAFF, new TaskId("0".repeat(26)), " "))
                .hasMessageStartingWith("reason must have 1 to 500");
        assertThatThrownBy(() -> new TaskFilter(TaskStatus.DEAD, null, null, null, ADA, null))
                .hasMessageStartingWith("worker can only be given with status RUNNING");
        assertThatThrownBy(() -> new TaskProgress(2, 1L, null)).hasMessage("total must be at least done, which is 2");
        var large = SubmitTask.of(PRINT, Json.parse("payload", "\"" + "x".repeat(65_535) + "\""));
        assertThat(tasks.submission().submit(STAFF, large))
                .isInstanceOfSatisfying(
                        SubmitResult.Invalid.class,
                        invalid -> assertThat(invalid.refusal().code()).isEqualTo("PAYLOAD_TOO_LARGE"));
        assertThat(tasks.reads().types(STAFF)).isEmpty();
    }

    private List<TaskId> found(TaskFilter filter) {
        return tasks.reads().list(STAFF, filter, PAGE).nodes().stream()
                .map(Task::id)
                .toList();
    }
}
