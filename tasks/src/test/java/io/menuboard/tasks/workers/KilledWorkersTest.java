package io.menuboard.tasks.workers;

import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskHistories;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Workers in processes of their own, whose clocks are minutes apart, and which are killed again and again: each task is
 * completed once all the same. {@code -Dsoak=full} makes it a hundred thousand tasks and 250 kills.
 */
@Isolated("a lease that ends because the machine is busy is not one that a death has ended")
class KilledWorkersTest {
    private static final int KILLS = TasksFixture.FULL_SOAK ? 250 : 5;
    private static final int TASKS_EACH = TasksFixture.FULL_SOAK ? 400 : 150;
    private static final int PROCESSES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(TasksFixture.FULL_SOAK ? 40 : 5);
    private static final List<Duration> CLOCKS_ARE_OFF =
            List.of(Duration.ofMinutes(-5), Duration.ZERO, Duration.ofMinutes(5));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final RandomGenerator random = new Random(1);

    @Test
    void everyTaskIsCompletedOnce() throws Exception {
        var db = table.queryDb(Clock.systemUTC());
        var tasks =
                TasksFixture.tasks(db, Clock.systemUTC(), TaskSettings.QUICK.lease(TasksFixture.LEASE_OF_PROCESSES));
        List<TaskId> submitted = Collections.synchronizedList(new ArrayList<>());
        var workers = new ArrayList<Worker>();
        Map<WorkerId, Instant> killed = new HashMap<>();
        var begin = System.nanoTime();
        try {
            for (var kill = 0; kill < KILLS; kill++) {
                while (workers.size() < PROCESSES) {
                    workers.add(start());
                }
                var victim = workers.remove(random.nextInt(PROCESSES));
                // At work for sure, and at any point of it. The others may be done before it has started.
                do {
                    submit(tasks, submitted);
                } while (!victim.isAtWork());
                var name = victim.name();
                Thread.sleep(random.nextLong(200));
                killed.put(name, tasks.reads().now());
                victim.process.close();
            }
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> List.of(TaskStatus.PENDING, TaskStatus.RUNNING, TaskStatus.SCHEDULED).stream()
                            .allMatch(status -> tasks.reads()
                                    .list(STAFF, TaskFilter.of(status), PageRequest.forward(1, null))
                                    .nodes()
                                    .isEmpty()));
        } finally {
            workers.forEach(worker -> worker.process.close());
        }
        var seconds = (System.nanoTime() - begin) / 1e9;

        var extra = 0;
        var expired = 0;
        for (var id : submitted) {
            var history = tasks.reads()
                    .history(STAFF, id, PageRequest.forward(500, null))
                    .nodes();
            TaskHistories.assertCompletedOnce(history);
            var lost = history.stream()
                    .filter(event -> event.kind() == Kind.LEASE_EXPIRED)
                    .toList();
            // Only what a worker held when it was killed: nothing but death ends a lease before its time.
            for (var event : lost) {
                assertThat(killed).containsKey(event.worker());
                assertThat(event.at()).as("%s in %s", event, history).isAfter(killed.get(event.worker()));
            }
            var executions = executions(db, id);
            // An attempt that died may or may not have come to its side effect; the one that completed has.
            assertThat(executions).contains(history.getLast().attempt());
            var others = new HashSet<>(executions);
            others.remove(history.getLast().attempt());
            assertThat(lost).extracting(TaskEvent::attempt).containsAll(others);
            extra += others.size();
            expired += lost.size();
        }
        assertThat(extra).isLessThanOrEqualTo(expired);
        assertThat(tasks.reads().all(STAFF, TaskFilter.of(TaskStatus.COMPLETED)).count())
                .isEqualTo(submitted.size());
        System.out.printf(
                "%d tasks, %d kills, %.0f s: %d in flight at a kill, %d of them executed again%n",
                submitted.size(), KILLS, seconds, expired, extra);
    }

    private static void submit(TasksInstance tasks, List<TaskId> submitted) {
        var command = print().maxAttempts(SubmitTask.MOST_ATTEMPTS);
        tasks.submission().submit(STAFF, Collections.nCopies(TASKS_EACH, command)).stream()
                .map(TasksFixture::created)
                .map(Task::id)
                .forEach(submitted::add);
    }

    private static List<Integer> executions(QueryDb db, TaskId task) {
        return db.load(WorkerProcess.execution(task, 0).partition()).stream()
                .map(Item::key)
                .map(key -> Integer.parseInt(key.sort()))
                .toList();
    }

    private Worker start() {
        var off = CLOCKS_ARE_OFF.get(random.nextInt(CLOCKS_ARE_OFF.size()));
        return new Worker(WorkerProcess.working(table.definition(), off));
    }

    private static final class Worker {
        private final WorkerProcess process;
        private @Nullable WorkerId name;

        Worker(WorkerProcess process) {
            this.process = process;
        }

        /** Waits a second for its name, which it says as soon as it has begun a task. */
        boolean isAtWork() {
            if (name == null) {
                name = process.says(Duration.ofSeconds(1)).map(WorkerId::new).orElse(null);
            }
            return name != null;
        }

        WorkerId name() {
            return Objects.requireNonNull(name);
        }
    }
}
