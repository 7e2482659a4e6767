package io.menuboard.pricing.changes;

import io.menuboard.querydb.DeafClient;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Two instances on one table, and a third one that dies, or does not hear what the table answers. */
final class FailingInstances implements AutoCloseable {
    /** By then leases have ended, and tasks that failed are tried again. */
    static final Duration RECOVERY = Duration.ofHours(2);

    private static final Duration STILLNESS = Duration.ofSeconds(3);

    /** More than any task takes, on a busy machine too. */
    private static final Duration TIME_FOR_TASKS = Duration.ofMinutes(2);

    /** Most actions make fewer. */
    private static final int REQUESTS = 25;

    private final DynamoDbClient client;
    private final TableDefinition table;
    private final MovingClock clock;
    private final Random random;
    private final int inline;
    private final List<ChangesFixture> instances;
    private final boolean inBackground;
    private final Optional<TaskWorkers> background;

    /** @param inBackground whether all but the smallest sets are done by tasks that an instance finds */
    FailingInstances(
            DynamoDbClient client, TableDefinition table, MovingClock clock, Random random, boolean inBackground) {
        this.client = client;
        this.table = table;
        this.clock = clock;
        this.random = random;
        this.inBackground = inBackground;
        inline = inBackground ? 5 : 1_000;
        instances = List.of(instance(client), instance(client));
        background = inBackground ? Optional.of(working(one())) : Optional.empty();
    }

    private static TaskWorkers working(ChangesFixture instance) {
        var workers = WorkersFixture.workers(instance.tasks, instance.runs.work());
        workers.start();
        return workers;
    }

    private ChangesFixture instance(DynamoDbClient through) {
        var db = LocalTables.queryDb(through, table, clock);
        return new ChangesFixture(db, clock, inline);
    }

    /** Either of them. */
    ChangesFixture one() {
        return instances.get(random.nextInt(instances.size()));
    }

    /** Does it, and waits for the task that it may have left. */
    <T> T act(Function<ChangesFixture, T> action) {
        var result = action.apply(one());
        if (inBackground) {
            awaitTasks();
        }
        return result;
    }

    /**
     * Begins it on an instance that dies on the way, or does not hear an answer, and repeats it on another one once the task
     * that it may have left has been done.
     */
    <T> T actAndFail(Function<ChangesFixture, T> action) {
        var requests = random.nextInt(REQUESTS);
        var proxy = random.nextBoolean()
                ? new DyingClient(client, requests, random.nextBoolean()).proxy()
                : DeafClient.of(client, requests);
        try (var failing = instance(proxy)) {
            var unheard = action.apply(failing);
            Objects.requireNonNull(unheard, "every action answers");
        } catch (UncheckedIOException | QueryDbException _) {
            // It died, or does not know what has become of it.
        }
        clock.advance(RECOVERY);
        if (background.isPresent()) {
            awaitTasks();
        } else if (isAnyLeft()) {
            // One that has come since: it finds tasks as long as it is there, and never again.
            try (var another = instance(client);
                    var _ = working(another)) {
                awaitTasks();
            }
        }
        return act(action);
    }

    /** Does both at once, one on each instance; what came of each. */
    <T> List<T> race(Function<ChangesFixture, T> first, Function<ChangesFixture, T> second) {
        var barrier = new CyclicBarrier(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var one = threads.submit(() -> {
                barrier.await();
                return first.apply(instances.getFirst());
            });
            var other = threads.submit(() -> {
                barrier.await();
                return second.apply(instances.getLast());
            });
            var results = List.of(one.get(), other.get());
            if (inBackground) {
                awaitTasks();
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /**
     * Until no task is under way, or due. A worker that found nothing does not look again before its clock has moved on,
     * which it does where nothing happens for a while.
     */
    private void awaitTasks() {
        var moves = System.nanoTime() + STILLNESS.toNanos();
        var deadline = System.nanoTime() + TIME_FOR_TASKS.toNanos();
        while (isAnyLeft()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("still not ended at " + clock.instant() + ": " + left());
            }
            Thread.onSpinWait();
            if (System.nanoTime() > moves) {
                clock.advance(STILLNESS);
                moves = System.nanoTime() + STILLNESS.toNanos();
            }
        }
    }

    /**
     * Looked at in the order in which tasks go from one to the next, so that none slips through, also when its lease ends
     * and it is claimed again meanwhile.
     */
    private boolean isAnyLeft() {
        return Stream.of(
                        TaskStatus.SCHEDULED,
                        TaskStatus.PENDING,
                        TaskStatus.RUNNING,
                        TaskStatus.SCHEDULED,
                        TaskStatus.PENDING,
                        TaskStatus.RUNNING,
                        TaskStatus.SCHEDULED,
                        TaskStatus.PENDING)
                .anyMatch(status -> !due(status).isEmpty());
    }

    private List<Task> due(TaskStatus status) {
        return instances
                .getFirst()
                .tasks
                .reads()
                .list(TasksFixture.STAFF, TaskFilter.of(status), ChangesFixture.PAGE)
                .nodes()
                .stream()
                .filter(task ->
                        status != TaskStatus.SCHEDULED || !task.availableAt().isAfter(clock.instant()))
                .toList();
    }

    private List<Task> left() {
        return Stream.of(TaskStatus.SCHEDULED, TaskStatus.PENDING, TaskStatus.RUNNING)
                .flatMap(status -> due(status).stream())
                .toList();
    }

    @Override
    public void close() {
        background.ifPresent(TaskWorkers::close);
        instances.forEach(ChangesFixture::close);
    }
}
