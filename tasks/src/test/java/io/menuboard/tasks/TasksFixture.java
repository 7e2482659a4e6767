package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.InstanceLeases;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Task use cases on a test's table. Each one is an instance of its own; they share the table. */
public final class TasksFixture {
    /** Tests that show more the longer they run take minutes with {@code -Dsoak=full}. */
    static final boolean FULL_SOAK = "full".equals(System.getProperty("soak"));

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    static final TaskType PRINT = new TaskType("labels.print");
    static final TaskType MAIL = new TaskType("mail.send");
    static final WorkerId ADA = new WorkerId("ada");
    static final WorkerId BOB = new WorkerId("bob");
    static final Actor STAFF = new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE);
    static final Actor WORKER = new Actor(Actor.Kind.TOKEN, "till 7", Actor.Source.WORKER);

    /** Draws the least fencing token that may come next. */
    static final RandomGenerator ONE_BY_ONE = () -> 0;

    private static final AtomicInteger INSTANCES = new AtomicInteger();

    private TasksFixture() {}

    /** An instance with settings that few tests care about. */
    public static TasksInstance tasks(QueryDb db, Clock clock) {
        return tasks(db, clock, config());
    }

    /** Does tasks of that instance; not started. */
    public static TaskWorkers workers(TasksInstance tasks, TaskWork... works) {
        return workers(quick(), tasks, List.of(works));
    }

    /** Does tasks here and now, with leases that are longer than any test. */
    public static TaskWorkers patientWorkers(TasksInstance tasks) {
        return workers(config(), tasks, List.of());
    }

    static TaskWorkers workers(TasksConfig config, TasksInstance tasks, List<TaskWork> works) {
        var sweeper = tasks.leasedSweeper("instance " + INSTANCES.incrementAndGet());
        var upkeep = new TaskUpkeep(sweeper, tasks.statistics(), config.sweepInterval());
        return new TaskWorkers(tasks.protocol(), tasks.submission(), tasks.reads(), upkeep, works, config);
    }

    /** Its fencing tokens are the numbers of attempts, as those of earlier versions are. */
    static TasksInstance tasks(QueryDb db, Clock clock, TasksConfig config) {
        return tasks(db, clock, config, ONE_BY_ONE);
    }

    static TasksInstance tasks(QueryDb db, Clock clock, TasksConfig config, RandomGenerator tokens) {
        var random = new SecureRandom();
        var millis = Clock.tick(clock, Duration.ofMillis(1));
        var store = new DynamoTasks(db, random, tokens, config);
        var keys = new IdempotencyKeys(db, "tasks");
        var workers = new DynamoWorkers(db);
        var counts = new DynamoTaskCounts(db, clock);
        var audit = new AuditTrail(db, clock, new Random(7), new AuditTrail.Settings(1, Duration.ofDays(1)));
        var queue = new TaskQueue(store, millis, config);
        var steps = new TaskSteps(store, queue, counts, millis);
        var backoff = new Backoff(config.backoff(), config.maxBackoff(), random);
        var presence = new WorkerPresence(workers, millis, Runnable::run);
        var submission = new TaskSubmission(store, keys, steps, random, config);
        var reads = new TaskReads(store, workers, keys, millis, config);
        return new TasksInstance(
                submission,
                new WorkerProtocol(store, queue, presence, steps, backoff, config),
                new TaskAdministration(store, submission, steps, presence, audit, config),
                reads,
                new TaskStatistics(reads, store.types(), counts, queue, millis, config),
                new TaskSweeper(store, steps, backoff),
                new InstanceLeases(db, clock));
    }

    static TasksConfig config() {
        return config(4, Duration.ofMillis(250));
    }

    static TasksConfig config(int shards, Duration pollInterval) {
        return new TasksConfig(
                shards,
                Duration.ofSeconds(60),
                Duration.ofHours(1),
                Duration.ofSeconds(1),
                pollInterval,
                pollInterval,
                Duration.ofSeconds(20),
                1000,
                100,
                20,
                1000,
                65_536,
                Duration.ofSeconds(1),
                Duration.ofMinutes(10),
                Duration.ofSeconds(60),
                Duration.ofHours(24),
                Duration.ofDays(7),
                10_000);
    }

    /**
     * Lease of workers in processes of their own: longer than clocks that have just begun to agree may differ, and than a
     * process on a busy machine may get no time, so that nothing but death ends it.
     */
    static final Duration LEASE_OF_PROCESSES = Duration.ofSeconds(FULL_SOAK ? 20 : 8);

    /** Short leases and pauses, for tests on real time. */
    static TasksConfig quick() {
        return quick(Duration.ofSeconds(2));
    }

    static TasksConfig quick(Duration lease) {
        return new TasksConfig(
                2,
                lease,
                Duration.ofHours(1),
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                Duration.ofSeconds(20),
                1000,
                100,
                20,
                1000,
                65_536,
                Duration.ofMillis(10),
                Duration.ofMillis(100),
                Duration.ofSeconds(60),
                Duration.ofHours(24),
                Duration.ofDays(7),
                10_000);
    }

    static SubmitTask print() {
        return SubmitTask.of(PRINT, Json.parse("payload", "{\"store\":\"DE-0001\"}"));
    }

    static ClaimTasks claim(WorkerId worker, int max) {
        return new ClaimTasks(worker, List.of(PRINT), max, Duration.ZERO, null);
    }

    static Task created(SubmitResult result) {
        if (result instanceof SubmitResult.Created(var task, var _)) {
            return task;
        }
        throw new AssertionError(result);
    }

    static Task done(TaskResult result) {
        if (result instanceof TaskResult.Done(var task)) {
            return task;
        }
        throw new AssertionError(result);
    }
}
