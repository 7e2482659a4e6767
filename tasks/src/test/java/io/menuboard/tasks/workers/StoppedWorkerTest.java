package io.menuboard.tasks.workers;

import static io.menuboard.tasks.TasksFixture.BOB;
import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.done;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.FreshTable;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker's process that is stopped with SIGSTOP, as by a long pause, and goes on when its lease has passed. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no SIGSTOP")
class StoppedWorkerTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final Clock clock = Clock.systemUTC();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private Task task;

    @BeforeEach
    void submit() {
        tasks = TasksFixture.tasks(table.queryDb(clock), clock);
        task = created(tasks.submission().submit(STAFF, print()));
    }

    /** What happens to the task while its first worker is stopped. */
    private interface Meanwhile {
        void happens();
    }

    @Test
    void isRefusedBeforeAnybodyHasNoticedThatItsLeaseHasPassed() throws Exception {
        wakesTooLate(() -> {});

        assertThat(current().status()).isEqualTo(TaskStatus.RUNNING);
        assertThat(current().attempt()).isEqualTo(1);
        assertThat(current().events()).extracting(TaskEvent::kind).containsExactly(Kind.SUBMITTED, Kind.CLAIMED);
    }

    @Test
    void isRefusedWhenTheTaskIsPendingAgain() throws Exception {
        wakesTooLate(() -> assertThat(tasks.sweep()).isOne());

        assertThat(current().status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void isRefusedWhenAnotherWorkerHasTheTask() throws Exception {
        wakesTooLate(() -> {
            assertThat(tasks.sweep()).isOne();
            done(tasks.protocol().claim(WORKER, task.id(), BOB, null));
        });

        assertThat(current().worker()).isEqualTo(BOB);
        assertThat(done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(2), null))
                        .status())
                .isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void isRefusedWhenAnotherWorkerHasDoneTheTask() throws Exception {
        wakesTooLate(() -> {
            assertThat(tasks.sweep()).isOne();
            done(tasks.protocol().claim(WORKER, task.id(), BOB, null));
            done(tasks.protocol().complete(WORKER, task.id(), TasksFixture.token(2), Json.of("in time")));
        });

        assertThat(tasks.reads().result(STAFF, current())).contains(Json.of("in time"));
        assertThat(current().events())
                .extracting(TaskEvent::kind)
                .containsExactly(Kind.SUBMITTED, Kind.CLAIMED, Kind.LEASE_EXPIRED, Kind.CLAIMED, Kind.COMPLETED);
    }

    private void wakesTooLate(Meanwhile meanwhile) throws Exception {
        try (var worker = WorkerProcess.holding(table.definition(), task.id())) {
            assertThat(worker.says()).isEqualTo("Done");
            worker.signal("STOP");
            var leaseEnd = Objects.requireNonNull(current().lease()).endsAt();
            // It is about to say that it is done when it is stopped.
            worker.tell("complete");
            await().until(() -> tasks.reads().now().isAfter(leaseEnd));
            meanwhile.happens();
            var before = current();

            worker.signal("CONT");

            assertThat(worker.says()).isEqualTo("LeaseLost");
            for (var order : List.of("extend", "fail", "release", "complete")) {
                worker.tell(order);
                assertThat(worker.says()).as(order).isEqualTo("LeaseLost");
            }
            assertThat(current()).isEqualTo(before);
        }
    }

    private Task current() {
        return tasks.reads().find(STAFF, task.id()).orElseThrow();
    }
}
