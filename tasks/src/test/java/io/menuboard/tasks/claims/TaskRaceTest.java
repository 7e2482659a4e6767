package io.menuboard.tasks.claims;

import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.tasks.TasksFixture.created;
import static io.menuboard.tasks.TasksFixture.print;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskEvent.Kind;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSettings;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many workers after one task. {@code -Dsoak=full} makes it ten thousand rounds. */
class TaskRaceTest {
    private static final int THREADS = 64;
    private static final int INSTANCES = 4;
    private static final int ROUNDS = TasksFixture.FULL_SOAK ? 10_000 : 25;
    private static final Duration LEASE = Duration.ofSeconds(60);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock(TasksFixture.NOW);

    /** Whether that worker's claim of that round won. */
    private interface Racer {
        boolean wins(int round);
    }

    /** Lets a worker race. */
    private interface Start {
        Racer of(int thread, WorkerId worker);
    }

    @Test
    void ofManyWorkersWhoClaimATaskExactlyOneGetsIt() throws Exception {
        var db = table.queryDb(clock);
        var instances = IntStream.range(0, INSTANCES)
                .mapToObj(_ -> TasksFixture.tasks(db, clock))
                .toList();
        var tasks = submit(instances.getFirst());

        var winners = race((thread, worker) -> {
            var instance = instances.get(thread % INSTANCES);
            return round ->
                    instance.protocol().claim(WORKER, tasks.get(round).id(), worker, LEASE) instanceof TaskResult.Done;
        });

        assertWonOnce(instances.getFirst(), tasks, winners);
    }

    /** Not one of them sees the task taken before it writes: only the condition of the write is left to decide. */
    @Test
    void ofManyWorkersWhoAllSawATaskPendingExactlyOneGetsIt() throws Exception {
        var db = table.queryDb(clock);
        var config = TaskSettings.USUAL;
        var tasks = submit(TasksFixture.tasks(db, clock));
        var queues = IntStream.range(0, INSTANCES)
                .mapToObj(_ -> new TaskQueue(TasksFixture.store(db, config), clock, ClaimsFixture.config(config)))
                .toList();

        var winners = race((thread, worker) -> {
            var queue = queues.get(thread % INSTANCES);
            return round -> queue.attempt(tasks.get(round), worker, LEASE, WORKER.actor())
                    .isPresent();
        });

        assertWonOnce(TasksFixture.tasks(db, clock), tasks, winners);
        assertThat(queues.stream().mapToLong(TaskQueue::attempts).sum()).isEqualTo((long) ROUNDS * THREADS);
        assertThat(queues.stream().mapToLong(TaskQueue::wins).sum()).isEqualTo(ROUNDS);
        queues.forEach(TaskQueue::close);
    }

    private static List<Task> submit(TasksInstance tasks) {
        return IntStream.range(0, ROUNDS)
                .mapToObj(_ -> created(tasks.submission().submit(WORKER, print())))
                .toList();
    }

    /** Who won each round; all set off at the same moment. */
    private static List<List<WorkerId>> race(Start start) throws InterruptedException, ExecutionException {
        var winners = IntStream.range(0, ROUNDS)
                .<List<WorkerId>>mapToObj(_ -> new ArrayList<>())
                .toList();
        var barrier = new CyclicBarrier(THREADS);
        try (var threads = Executors.newFixedThreadPool(THREADS)) {
            var running = new ExecutorCompletionService<Void>(threads);
            for (var i = 0; i < THREADS; i++) {
                var worker = new WorkerId("worker-" + i);
                var racer = start.of(i, worker);
                running.submit(() -> {
                    for (var round = 0; round < ROUNDS; round++) {
                        barrier.await(1, TimeUnit.MINUTES);
                        if (racer.wins(round)) {
                            synchronized (winners) {
                                winners.get(round).add(worker);
                            }
                        }
                    }
                    return null;
                });
            }
            for (var i = 0; i < THREADS; i++) {
                running.take().get();
            }
        }
        return winners;
    }

    private static void assertWonOnce(TasksInstance tasks, List<Task> raced, List<List<WorkerId>> winners) {
        for (var round = 0; round < ROUNDS; round++) {
            assertThat(winners.get(round)).as("winners of round %s", round).hasSize(1);
            var winner = winners.get(round).getFirst();
            assertThat(tasks.reads().find(STAFF, raced.get(round).id()).orElseThrow())
                    .satisfies(task -> {
                        assertThat(task.lease()).isEqualTo(TasksFixture.lease(winner, 0, TasksFixture.NOW.plus(LEASE)));
                        assertThat(task.events())
                                .extracting(TaskEvent::kind)
                                .containsExactly(Kind.SUBMITTED, Kind.CLAIMED);
                        assertThat(task.events()).extracting(TaskEvent::number).containsExactly(1, 2);
                    });
        }
    }
}
