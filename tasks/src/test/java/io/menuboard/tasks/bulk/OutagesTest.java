package io.menuboard.tasks.bulk;

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

import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Outage;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskHistories;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table is away for ten minutes: no task is lost or done twice, and everything goes on by itself within seconds. */
class OutagesTest {
    private static final PageRequest PAGE = PageRequest.forward(2_000, null);
    private static final WorkerId CARL = new WorkerId("carl");
    private static final int LETTERS = 100;
    private static final int LABELS = 30;

    /** Turns of the sweep, and pauses after the first failures. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);
    private final Set<TaskId> acknowledged = new HashSet<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyTaskIsDoneOnceAndABulkOperationGoesOn(long seed) {
        var random = new Random(seed);
        var truth = TasksFixture.tasks(table.directQueryDb(clock), clock);
        var tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        var bulk = new BulkOperations(
                tasks.submission(),
                tasks.administration(),
                tasks.reads(),
                new DynamoBulkOutcomes(table.queryDb(clock), Duration.ofDays(7)),
                CurrentAccess.EVERYTHING);
        submit(tasks, LABELS, print());
        submit(tasks, LABELS, print().notBefore(clock.instant().plus(Outage.LENGTH.dividedBy(2))));
        var letter = SubmitTask.of(MAIL, Json.EMPTY);
        submit(tasks, LETTERS, letter);
        var adas = tasks.protocol().claim(WORKER, claim(ADA, 10));
        var bobs = tasks.protocol().claim(WORKER, claim(BOB, 5));
        bobs.forEach(task -> done(tasks.protocol().complete(WORKER, task.id(), task.leaseToken(), null)));
        var filter = new TaskFilter(TaskStatus.PENDING, MAIL, null, null, null, null);
        var change = new BulkChange(BulkChange.Action.CANCEL, filter, "not needed");
        var operation = created(bulk.start(STAFF, change, "once")).id();

        try (var workers = WorkersFixture.workers(tasks, bulk.work())) {
            table.faults().breakDown(seed, 20 + random.nextInt(100));
            workers.start();
            var held = adas.getFirst();
            Outage.pass(
                    table,
                    clock,
                    () -> Outage.refuses(
                            () -> tasks.submission().submit(STAFF, print().idempotencyKey("lost")),
                            () -> tasks.protocol().claim(WORKER, claim(BOB, 5)),
                            () -> tasks.protocol().extend(WORKER, held.id(), held.leaseToken(), null, null),
                            () -> tasks.protocol().complete(WORKER, held.id(), held.leaseToken(), null),
                            () -> tasks.administration().cancel(STAFF, held.id(), null),
                            () -> tasks.reads().find(STAFF, held.id()),
                            () -> tasks.reads().list(STAFF, filter(TaskStatus.PENDING), PAGE),
                            () -> bulk.preview(STAFF, change),
                            () -> bulk.start(STAFF, change, "another")));
            assertThat(truth.reads().find(STAFF, operation).orElseThrow().status())
                    .isEqualTo(TaskStatus.RUNNING);
            assertThat(tasks.protocol().complete(WORKER, held.id(), held.leaseToken(), null))
                    .as("its lease ended")
                    .isInstanceOf(TaskResult.LeaseLost.class);
            acknowledged.add(created(tasks.submission().submit(STAFF, print().idempotencyKey("lost")))
                    .id());

            var took = Outage.timeUntil(clock, truth, () -> {
                work(tasks);
                return Outage.isOver(truth);
            });

            System.out.printf("tasks, seed %d: all done %s after the table came back%n", seed, took);
            assertThat(took).isLessThan(SOON);
        }
        assertThat(Outage.dead(truth)).isEmpty();
        assertThat(bulk.find(STAFF, operation).orElseThrow()).satisfies(status -> {
            assertThat(status.task().status()).isEqualTo(TaskStatus.COMPLETED);
            assertThat(status.changed()).isEqualTo(LETTERS);
            assertThat(status.unchanged()).isZero();
        });
        assertThat(acknowledged).hasSize(2 * LABELS + LETTERS + 1);
        for (var id : acknowledged) {
            var task = truth.reads().find(STAFF, id).orElseThrow();
            var history = truth.reads().history(STAFF, id, PAGE).nodes();
            if (task.type().equals(PRINT)) {
                TaskHistories.assertCompletedOnce(history);
            } else {
                assertThat(history).extracting(TaskEvent::kind).containsExactly(Kind.SUBMITTED, Kind.CANCELLED);
            }
        }
    }

    private static TaskFilter filter(TaskStatus status) {
        return TaskFilter.of(status);
    }

    private void submit(TasksInstance tasks, int count, SubmitTask command) {
        tasks.submission()
                .submit(STAFF, Collections.nCopies(count, command))
                .forEach(result -> acknowledged.add(created(result).id()));
    }

    /** As a worker of somebody else does. */
    private static void work(TasksInstance tasks) {
        List<Task> claimed = tasks.protocol().claim(WORKER, claim(CARL, 100));
        claimed.forEach(task -> done(tasks.protocol().complete(WORKER, task.id(), task.leaseToken(), null)));
    }
}
