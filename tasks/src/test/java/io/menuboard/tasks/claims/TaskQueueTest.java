package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.ADA;
import static io.menuboard.tasks.TasksFixture.PRINT;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TaskQueueTest {
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int BACKLOG = 300;

    /** Longer than any wait until the next poll. */
    private static final Duration NEVER = Duration.ofHours(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);
    private final PayloadBudget payloads = new PayloadBudget(65_536);

    @Test
    void whoIsCalledForATaskAndComesLateFindsItInTheIndex() throws Exception {
        var db = table.queryDb(clock);
        var config = TaskSettings.USUAL.shards(1).pollInterval(NEVER);
        var queue = new TaskQueue(TasksFixture.store(db, config), clock, ClaimsFixture.config(config));
        var claim = new ClaimTasks(ADA, List.of(PRINT), 1, Duration.ofSeconds(10), null);
        var polls = new AtomicInteger();
        var late = new CountDownLatch(1);
        var claimed = new FutureTask<>(() -> queue.claim(claim, LEASE, false, WORKER.actor(), payloads, () -> {
            if (polls.incrementAndGet() == 2) {
                await().until(() -> late.getCount() == 0);
            }
            return List.of();
        }));
        var waiter = Thread.ofPlatform().start(claimed);
        await().until(() -> polls.get() == 1 && waiter.getState() == Thread.State.TIMED_WAITING);
        var task = created(TasksFixture.tasks(db, clock, config).submission().submit(WORKER, print()));

        queue.offer(task);
        var offered = System.nanoTime();
        await().until(() -> System.nanoTime() - offered > 1_100_000L * TaskQueue.FRESH_MILLIS);
        late.countDown();

        assertThat(claimed.get()).extracting(Task::id).containsExactly(task.id());
        queue.close();
    }

    @Test
    void thoseThatHaveWaitedLongestComeFirstWhileNewOnesKeepComing() {
        var db = table.queryDb(clock);
        var config = TaskSettings.USUAL.shards(4).pollInterval(Duration.ofMillis(100));
        var queue = new TaskQueue(TasksFixture.store(db, config), clock, ClaimsFixture.config(config));
        var tasks = TasksFixture.tasks(db, clock, config);
        List<TaskId> waiting = new ArrayList<>();
        for (var i = 0; i < BACKLOG; i++) {
            waiting.add(submit(tasks).id());
        }

        List<TaskId> claimed = new ArrayList<>();
        while (claimed.size() < BACKLOG) {
            if (claimed.size() % 80 == 0) {
                pause(); // then little is read at first
            }
            var several = claimed.size() % 40 == 0 ? 13 : 1;
            queue.claim(TasksFixture.claim(ADA, several), LEASE, false, WORKER.actor(), payloads, List::of)
                    .forEach(task -> claimed.add(task.id()));
            var task = submit(tasks);
            queue.offer(task);
            waiting.add(task.id());
        }

        assertThat(claimed).isEqualTo(waiting.subList(0, claimed.size()));
        queue.close();
    }

    @Test
    void whatIsSubmittedElsewhereIsNotOvertakenForLong() {
        var db = table.queryDb(clock);
        var config = TaskSettings.USUAL.shards(4).pollInterval(Duration.ofMillis(100));
        var queue = new TaskQueue(TasksFixture.store(db, config), clock, ClaimsFixture.config(config));
        var tasks = TasksFixture.tasks(db, clock, config);
        queue.claim(TasksFixture.claim(ADA, 1), LEASE, false, WORKER.actor(), payloads, List::of);
        queue.offer(submit(tasks));
        var elsewhere = submit(tasks);
        queue.offer(submit(tasks));

        await().pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            queue.offer(submit(tasks));
            assertThat(queue.claim(TasksFixture.claim(ADA, 1), LEASE, false, WORKER.actor(), payloads, List::of))
                    .extracting(Task::id)
                    .containsExactly(elsewhere.id());
        });
        queue.close();
    }

    @Test
    void aTaskThatIsCancelledAndRetriedElsewhereIsFoundAgain() {
        var db = table.queryDb(clock);
        var config = TaskSettings.USUAL.shards(1);
        var queue = new TaskQueue(TasksFixture.store(db, config), clock, ClaimsFixture.config(config));
        var tasks = TasksFixture.tasks(db, clock, config);
        var first = submit(tasks);
        var second = submit(tasks);
        assertThat(claimOne(queue)).containsExactly(first.id());
        done(tasks.administration().cancel(STAFF, second.id(), null));
        assertThat(claimOne(queue)).isEmpty();
        clock.advance(Duration.ofSeconds(1));

        done(tasks.administration().retry(STAFF, second.id(), null));
        var retried = System.nanoTime();
        await().until(() -> System.nanoTime() - retried > TaskQueue.SAME_TIME.toNanos());

        assertThat(claimOne(queue)).containsExactly(second.id());
        queue.close();
    }

    private List<TaskId> claimOne(TaskQueue queue) {
        return queue.claim(TasksFixture.claim(ADA, 1), LEASE, false, WORKER.actor(), payloads, List::of).stream()
                .map(Task::id)
                .toList();
    }

    @Test
    void claimsOfTheInstanceItselfWaitHoweverManyOfClientsDo() throws Exception {
        var db = table.queryDb(clock);
        var usual = ClaimsFixture.config(TaskSettings.USUAL);
        var config = new ClaimsConfig(
                usual.lease(), usual.maxLease(), NEVER, NEVER, usual.maxWait(), 1, usual.maxClaim(), false);
        var queue = new TaskQueue(TasksFixture.store(db, TaskSettings.USUAL), clock, config);
        var waiting = List.of(waiting(queue, true), waiting(queue, false), waiting(queue, true));

        var oneMore = waitFor(queue, false);

        assertThat(oneMore).isEmpty();
        assertThat(waiting).noneMatch(FutureTask::isDone);
        queue.close();
        for (var each : waiting) {
            assertThat(each.get()).isEmpty();
        }
    }

    private static FutureTask<List<Task>> waiting(TaskQueue queue, boolean operations) {
        var claim = new FutureTask<>(() -> waitFor(queue, operations));
        var waiter = Thread.ofPlatform().start(claim);
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING || claim.isDone());
        return claim;
    }

    private static List<Task> waitFor(TaskQueue queue, boolean operations) {
        var claim = new ClaimTasks(ADA, List.of(PRINT), 1, Duration.ofSeconds(10), null);
        return queue.claim(claim, LEASE, operations, WORKER.actor(), new PayloadBudget(65_536), List::of);
    }

    /** Until what was read is too old to be trusted. */
    private static void pause() {
        var begin = System.nanoTime();
        await().until(() -> System.nanoTime() - begin > 1_100_000L * TaskQueue.FRESH_MILLIS);
    }

    private Task submit(TasksInstance tasks) {
        clock.advance(Duration.ofMillis(1));
        return created(tasks.submission().submit(WORKER, print()));
    }
}
