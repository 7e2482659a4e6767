package io.menuboard.tasks;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.MAIL;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.claim;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.claims.ClaimsFixture;
import io.menuboard.tasks.statistics.QueueStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every access to tasks costs; {@code docs/capacity.md} lists it. A move in the index is a delete and a put, two
 * write units: DynamoDB Local charges that as DynamoDB does, but nothing for a Query that finds nothing.
 */
class TasksCapacityTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final Units FREE = new Units(0, 0, 0);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    /** What an instance does once: it gets to know the types, and the workers that are there. */
    @BeforeEach
    void warmUp() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        for (var type : new TaskType[] {PRINT, MAIL}) {
            tasks.administration()
                    .cancel(
                            STAFF,
                            created(tasks.submission().submit(STAFF, SubmitTask.of(type, Json.EMPTY)))
                                    .id(),
                            null);
        }
        tasks.protocol().claim(WORKER, claim(ADA, 1));
    }

    @Test
    void aKeyOfAPrincipalWithAnId() {
        var client = CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "p1", "till 7", Actor.Source.GRAPHQL));
        tasks.submission().submit(STAFF, print());

        assertThat(cost(() -> tasks.submission().submit(client, print().idempotencyKey("k"))))
                .isEqualTo(new Units(3, 1, 3));
        assertThat(cost(() -> tasks.submission().submit(client, print().idempotencyKey("k"))))
                .isEqualTo(new Units(3, 2, 0));
    }

    @Test
    void submitting() {
        assertThat(cost(() -> tasks.submission().submit(STAFF, print()))).isEqualTo(write(1, 2));
        assertThat(cost(() -> tasks.submission()
                        .submit(STAFF, print().notBefore(clock.instant().plusSeconds(1)))))
                .isEqualTo(write(1, 2));
        assertThat(cost(() -> tasks.submission().submit(STAFF, print().idempotencyKey("k"))))
                .isEqualTo(write(2, 3));
        // The refused write costs one write unit, which is not reported.
        assertThat(cost(() -> tasks.submission().submit(STAFF, print().idempotencyKey("k"))))
                .isEqualTo(new Units(2, 1, 0));
        assertThat(cost(() -> tasks.submission()
                        .submit(STAFF, print().idempotencyKey("k").maxAttempts(1))))
                .isEqualTo(new Units(1, 0, 0));
        assertThat(cost(() -> tasks.submission().submit(STAFF, SubmitTask.of(PRINT, bytes(2_000)))))
                .isEqualTo(write(2, 5));
    }

    @Test
    void aWholeLife() {
        // A worker asks the instance that took the task in, which knows it.
        assertThat(cost(() -> live(print(), Json.of("done")))).isEqualTo(write(3, 8));
    }

    @Test
    void aWholeLifeThroughTwoInstances() {
        var submitter = TasksFixture.tasks(table.queryDb(clock), clock);
        submitter
                .administration()
                .cancel(
                        STAFF,
                        created(submitter.submission().submit(STAFF, print())).id(),
                        null);
        // Polls another type first, because one that was polled a moment ago is not polled again.
        var claimer = TasksFixture.tasks(table.queryDb(clock), clock);
        claimer.administration()
                .cancel(
                        STAFF,
                        created(claimer.submission().submit(STAFF, print())).id(),
                        null);
        claimer.protocol().claim(WORKER, new ClaimTasks(ADA, List.of(MAIL), 1, Duration.ZERO, null));
        clock.advance(Duration.ofMinutes(1));

        var life = cost(() -> {
            var task = created(submitter.submission().submit(STAFF, print()));
            claimer.protocol().claim(WORKER, claim(ADA, 1));
            claimer.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null);
        });

        // A poll of four shards, one of which has the task; and for the worker, which is then noted.
        assertThat(life).isEqualTo(new Units(3 + 4 + 2, 0.5 + 0.5, 8 + 2));
    }

    @Test
    void completingWhatAnotherInstanceClaimed() {
        var claimer = TasksFixture.tasks(table.queryDb(clock), clock);
        var task = created(claimer.submission().submit(STAFF, print()));
        claimer.protocol().claim(WORKER, claim(ADA, 1));
        var other = TasksFixture.tasks(table.queryDb(clock), clock);
        created(other.submission().submit(STAFF, print())); // it knows the type

        assertThat(cost(() -> other.protocol().complete(WORKER, task.id(), TasksFixture.token(1), null)))
                .isEqualTo(new Units(2, 1, 3));
    }

    @Test
    void aClaimLooksAtAHundredTasksThatWereKeptForItsWorker() {
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        for (var i = 0; i < 150; i++) {
            var id = created(tasks.submission().submit(STAFF, print())).id();
            done(tasks.administration().reassign(STAFF, id, BOB, null));
            done(tasks.administration().cancel(STAFF, id, null));
        }

        var claims = Stream.generate(() -> cost(() -> tasks.protocol().claim(WORKER, claim(BOB, 1))))
                .limit(3)
                .toList();

        // And the worker's item, with the names of all.
        assertThat(claims.get(0).read()).isBetween(100.0, 102.0);
        assertThat(claims.get(1).read()).isBetween(50.0, 52.0);
        assertThat(claims.get(2).read()).isLessThan(2);
        assertThat(claims).allSatisfy(units -> assertThat(units.requests()).isLessThan(20));
    }

    @Test
    void aClaimLooksForSomeSecondsAtNoMoreTasksThatAreKeptForItsWorkerAndOfOtherTypes() {
        var mails = new ArrayList<TaskId>();
        for (var i = 0; i < 300; i++) {
            var id = created(tasks.submission().submit(STAFF, SubmitTask.of(MAIL, Json.EMPTY)))
                    .id();
            done(tasks.administration().reassign(STAFF, id, BOB, null));
            mails.add(id);
        }

        var first = cost(() -> tasks.protocol().claim(WORKER, claim(BOB, 1)));
        var second = cost(() -> tasks.protocol().claim(WORKER, claim(BOB, 1)));
        var ofMails = new ClaimTasks(BOB, List.of(PRINT, MAIL), 3, Duration.ZERO, null);
        var third = cost(() -> assertThat(tasks.protocol().claim(WORKER, ofMails))
                .hasSize(3)
                .allMatch(task -> mails.contains(task.id())));

        assertThat(first.read()).isBetween(100.0, 102.0);
        assertThat(second.read()).isZero();
        // A mail each, and the worker's item.
        assertThat(third.read()).isBetween(3.0, 5.0);
    }

    @Test
    void aWorkerThatManyInstancesHearOfIsNotedOnceAMinute() {
        var instances = IntStream.range(0, 10)
                .mapToObj(_ -> TasksFixture.tasks(table.queryDb(clock), clock))
                .toList();
        // Noted when it was warmed up, and a minute later.
        var twoMinutes = cost(() -> {
            for (var second = 0; second < 120; second++) {
                instances.get(second % 10).protocol().claim(WORKER, claim(ADA, 1));
                clock.advance(Duration.ofSeconds(1));
            }
        });

        assertThat(twoMinutes.write()).isEqualTo(2);
    }

    @Test
    void aWholeLifeWithTheLongestPayloadAndResultThatAreKeptWithTheTask() {
        var longest = bytes(DynamoTaskItem.INLINE_BYTES);

        // The payload alone leaves the item below one KB; with the result it is above, which its last write pays for.
        assertThat(cost(() -> live(SubmitTask.of(PRINT, longest), null)).write())
                .isEqualTo(8);
        assertThat(cost(() -> live(SubmitTask.of(PRINT, longest), longest)).write())
                .isLessThanOrEqualTo(10);
    }

    @Test
    void aWholeLifeWithAnIdempotencyKey() {
        assertThat(cost(() -> live(print().idempotencyKey("k"), null)).write()).isEqualTo(9);
    }

    private void live(SubmitTask command, @Nullable Json result) {
        var task = created(tasks.submission().submit(STAFF, command));
        tasks.protocol().claim(WORKER, claim(ADA, 1));
        tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(1), result);
    }

    @Test
    void claiming() {
        tasks.submission().submit(STAFF, Collections.nCopies(2, print()));
        tasks.protocol().claim(WORKER, claim(ADA, 1));

        // What was read with the first one needs no poll.
        assertThat(cost(() -> tasks.protocol().claim(WORKER, claim(ADA, 1)))).isEqualTo(write(1, 3));
        // Polls at the same instant are one.
        var polled = System.nanoTime();
        await().until(() -> System.nanoTime() - polled > ClaimsFixture.SAME_TIME.toNanos());
        assertThat(cost(() -> tasks.protocol().claim(WORKER, claim(ADA, 1))).requests())
                .isEqualTo(4);
        assertThat(cost(() -> tasks.protocol().claim(WORKER, claim(BOB, 1))).write())
                .isEqualTo(2);
        assertThat(cost(() -> tasks.protocol().claim(WORKER, claim(BOB, 1))).write())
                .isZero();
    }

    @Test
    void claimingOneThatIsChosen() {
        var task = created(tasks.submission().submit(STAFF, print()));

        assertThat(cost(() -> tasks.protocol().claim(WORKER, task.id(), ADA, null)))
                .isEqualTo(new Units(2, 1, 3));
        assertThat(cost(() -> tasks.protocol().claim(WORKER, task.id(), ADA, null)))
                .isEqualTo(new Units(2, 2, 0));
    }

    @Test
    void working() {
        var id = running();
        assertThat(cost(() -> tasks.protocol()
                        .extend(
                                WORKER,
                                id,
                                TasksFixture.token(1),
                                Duration.ofSeconds(90),
                                new TaskProgress(1, 2L, "half"))))
                .isEqualTo(write(1, 3));
        assertThat(cost(() -> tasks.protocol().complete(WORKER, id, TasksFixture.token(1), Json.of("done"))))
                .isEqualTo(write(1, 3));
        assertThat(cost(() -> tasks.protocol().complete(WORKER, id, TasksFixture.token(1), Json.of("done"))))
                .isEqualTo(new Units(1, 1, 0));

        var failing = running();
        assertThat(cost(() -> tasks.protocol().fail(WORKER, failing, TasksFixture.token(1), "no paper", true)))
                .isEqualTo(write(1, 3));
        var dying = running();
        assertThat(cost(() -> tasks.protocol().fail(WORKER, dying, TasksFixture.token(1), "no paper", false)))
                .isEqualTo(write(1, 3));
        var released = running();
        assertThat(cost(() -> tasks.protocol().release(WORKER, released, TasksFixture.token(1), null)))
                .isEqualTo(write(1, 3));
        var lengthy = running();
        assertThat(cost(() -> tasks.protocol().complete(WORKER, lengthy, TasksFixture.token(1), bytes(2_000))))
                .isEqualTo(write(2, 6));
    }

    @Test
    void finishingWhatIsKeptApart() {
        var id = created(tasks.submission().submit(STAFF, SubmitTask.of(PRINT, bytes(2_000))))
                .id();
        done(tasks.protocol().claim(WORKER, id, ADA, null));

        // DynamoDB Local charges a transaction of two writes less than DynamoDB does.
        assertThat(cost(() -> tasks.protocol().fail(WORKER, id, TasksFixture.token(1), "no paper", false))
                        .requests())
                .isEqualTo(2);
        assertThat(cost(() -> tasks.administration().retry(STAFF, id, null)).requests())
                .isEqualTo(3 + 2);
    }

    @Test
    void finishingWhatHasManyEvents() {
        var id = created(tasks.submission().submit(STAFF, print())).id();
        for (var attempt = 1; attempt <= 5; attempt++) {
            done(tasks.protocol().claim(WORKER, id, ADA, null));
            done(tasks.protocol().release(WORKER, id, TasksFixture.token(attempt), null));
        }

        // Of its eleven events eight were moved out of it.
        assertThat(cost(() -> tasks.administration().cancel(STAFF, id, null)).requests())
                .isEqualTo(3 + 1);
        assertThat(cost(() -> tasks.administration().retry(STAFF, id, null)).requests())
                .isEqualTo(3 + 8);
    }

    @Test
    void changingByHand() {
        var id = running();

        // A change and its audit record are one transaction: two units for each item, and for each of the three places
        // in the
        // index, which DynamoDB charges once.
        assertThat(cost(() -> tasks.administration().cancel(STAFF, id, null))).isEqualTo(new Units(3, 2, 10));
        assertThat(cost(() -> tasks.administration().cancel(STAFF, id, null))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> tasks.administration().retry(STAFF, id, null))).isEqualTo(new Units(3, 2, 10));
        assertThat(cost(() -> tasks.administration().reassign(STAFF, id, ADA, null)))
                .isEqualTo(new Units(4, 2, 12));
        assertThat(cost(() -> tasks.administration().reassign(STAFF, id, ADA, null)))
                .isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> tasks.administration().cloneTask(STAFF, id, null)))
                .isEqualTo(new Units(2, 1, 4));
        assertThat(cost(() -> tasks.administration().cloneTask(STAFF, id, "key")))
                .isEqualTo(new Units(3, 1, 5));
    }

    @Test
    void whatHappensByItself() {
        // The first one of an instance asks the table for the time.
        assertThat(cost(tasks::sweep)).isEqualTo(new Units(1 + 8, 0.5, 0));
        assertThat(cost(tasks::sweep)).isEqualTo(new Units(8, 0, 0));
        running();
        clock.advance(Duration.ofMinutes(1));
        // One that finds something asks once more.
        assertThat(cost(tasks::sweep)).isEqualTo(new Units(1 + 8 + 1, 0.5 + 0.5, 3));
        tasks.statistics().flush();
        assertThat(cost(tasks.statistics()::flush)).isEqualTo(FREE);
        tasks.submission().submit(STAFF, print());
        assertThat(cost(tasks.statistics()::flush)).isEqualTo(write(1, 1));
    }

    @Test
    void reading() {
        var id = running();
        tasks.submission().submit(STAFF, Collections.nCopies(200, print()));

        assertThat(cost(() -> tasks.reads().find(STAFF, id))).isEqualTo(new Units(1, 1, 0));
        assertThat(cost(() -> tasks.reads().history(STAFF, id, PAGE))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> tasks.reads().types(STAFF))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> tasks.workers().find(STAFF, ADA))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> tasks.workers().list(STAFF, PAGE))).isEqualTo(new Units(1, 0.5, 0));
        assertThat(cost(() -> tasks.workers().claims(STAFF)).requests()).isEqualTo(1 + 4);
        assertThat(cost(() -> tasks.statistics().counts(STAFF, clock.instant())).requests())
                .isEqualTo(1);
        assertThat(cost(() -> tasks.statistics().counts(STAFF, clock.instant().minus(Duration.ofHours(2)), PAGE))
                        .requests())
                .isEqualTo(3);
        // A page of 64 in four shards, each of which has some: about 17 of each, and what a list is short of once more.
        assertThat(cost(() -> tasks.reads()
                        .list(STAFF, new TaskFilter(TaskStatus.PENDING, PRINT, null, null, null, null), PAGE)))
                .satisfies(units -> {
                    assertThat(units.requests()).isBetween(4, 8);
                    assertThat(units.read()).isBetween(4.0, 8.0);
                });
        // All types: their list, and four shards of each.
        assertThat(cost(() -> tasks.reads().list(STAFF, TaskFilter.of(TaskStatus.PENDING), PAGE))
                        .requests())
                .isBetween(1 + 2 * 4, 1 + 2 * 4 + 4);
        assertThat(cost(() -> tasks.reads().list(STAFF, TaskFilter.of(TaskStatus.RUNNING), PAGE))
                        .requests())
                .isEqualTo(1 + 4);
        // To count: each shard, and the 200 tasks of 300 bytes, not one of which is sent.
        var print = tasks.reads().list(STAFF, new TaskFilter(TaskStatus.PENDING, PRINT, null, null, null, null), PAGE);
        assertThat(cost(print::totalCount)).satisfies(units -> {
            assertThat(units.requests()).isEqualTo(4);
            assertThat(units.read()).isBetween(8.0, 16.0);
        });
        var running = tasks.reads().list(STAFF, new TaskFilter(TaskStatus.RUNNING, PRINT, null, null, ADA, null), PAGE);
        assertThat(cost(running::totalCount).requests()).isEqualTo(4);
        var history = tasks.reads().history(STAFF, id, PAGE);
        assertThat(cost(history::totalCount)).isEqualTo(new Units(0, 0, 0));
        // Their list, whether there is something in four shards of each, and four priorities in those of the one type
        // that has some.
        var old = new TaskFilter(TaskStatus.PENDING, null, null, clock.instant().plusSeconds(1), null, null);
        assertThat(cost(() -> tasks.reads().list(STAFF, old, PAGE)).requests())
                .isBetween(1 + 2 * 4 + 4 * 4, 1 + 2 * 4 + 4 * 4 + 4);
        // Of four shards of each type the first tasks, and of one type what is next of a low priority, and how many
        // there
        // are; the counts of an hour, or of two; the types.
        assertThat(cost(() -> tasks.statistics().queues(STAFF)).requests())
                .isBetween(2 + 2 * 4 + 4 + 4, 3 + 2 * 4 + 4 + 4);
    }

    @Test
    void typesWithFewPendingTasksCostARequestForEachShard() {
        for (var type : List.of(PRINT, MAIL)) {
            tasks.submission().submit(STAFF, Collections.nCopies(3, SubmitTask.of(type, Json.EMPTY)));
            tasks.submission().submit(STAFF, SubmitTask.of(type, Json.EMPTY).priority(TaskPriority.LOW));
        }
        tasks.reads().types(STAFF);

        assertThat(cost(() -> assertThat(tasks.statistics().queues(STAFF))
                        .extracting(QueueStatistics::pending)
                        .containsExactly(4L, 4L)))
                .satisfies(units -> {
                    assertThat(units.requests()).isBetween(2 + 2 * 4, 3 + 2 * 4);
                    assertThat(units.read()).isLessThanOrEqualTo(0.5 * units.requests());
                });
        // Each of the eight tasks is found in a list of its priority: these, and those that tell which there are.
        var old = new TaskFilter(TaskStatus.PENDING, null, null, clock.instant().plusSeconds(1), null, null);
        assertThat(cost(() -> assertThat(tasks.reads().list(STAFF, old, PAGE).nodes())
                                .hasSize(8))
                        .requests())
                .isBetween(1 + 2 * 4 + 2, 1 + 2 * 4 + 8);
        var none =
                new TaskFilter(TaskStatus.PENDING, null, null, clock.instant().minusSeconds(60), null, null);
        assertThat(cost(() -> assertThat(tasks.reads().list(STAFF, none, PAGE).nodes())
                                .isEmpty())
                        .requests())
                .isEqualTo(1 + 2 * 4);
    }

    @Test
    void tasksAreSpreadEvenlyOverShards() {
        var store = TasksFixture.store(table.queryDb(clock), TaskSettings.USUAL);
        var random = new Random(1);
        var count = 40_000;

        var shards = IntStream.range(0, count)
                .mapToObj(i -> TaskId.random(clock.instant().plusMillis(2L * i), random))
                .collect(Collectors.groupingBy(store::shard, Collectors.counting()));

        assertThat(shards).hasSize(4);
        // Five standard deviations of a fair draw.
        assertThat(shards.values()).allSatisfy(size -> assertThat(size).isBetween(count / 4 - 433L, count / 4 + 433L));
    }

    private TaskId running() {
        var task = created(tasks.submission().submit(STAFF, print()));
        tasks.protocol().claim(WORKER, task.id(), ADA, null);
        return task.id();
    }

    private Units cost(Runnable access) {
        return table.meter().during(access);
    }

    private static Units write(int requests, double units) {
        return new Units(requests, 0, units);
    }

    /** A JSON string of so many bytes. */
    private static Json bytes(int count) {
        return Json.of("x".repeat(count - 2));
    }
}
