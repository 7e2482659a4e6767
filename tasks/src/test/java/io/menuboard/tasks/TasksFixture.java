package io.menuboard.tasks;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.claims.ClaimsFixture;
import io.menuboard.tasks.statistics.StatisticsFixture;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Task use cases on a test's table. Each one is an instance of its own; they share the table. */
public final class TasksFixture {
    /** Tests that show more the longer they run take minutes with {@code -Dsoak=full}. */
    public static final boolean FULL_SOAK = "full".equals(System.getProperty("soak"));

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    public static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    /** Labels are printed. */
    public static final TaskType PRINT = new TaskType("labels.print");
    /** Mail is sent. */
    public static final TaskType MAIL = new TaskType("mail.send");
    /** A worker. */
    public static final WorkerId ADA = new WorkerId("ada");
    /** Another worker. */
    public static final WorkerId BOB = new WorkerId("bob");
    /** Who submits and administers. */
    public static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    /** Who works. */
    public static final Access WORKER =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "t7", "till 7", Actor.Source.WORKER));

    /** Draws the least fencing token that may come next. */
    public static final RandomGenerator ONE_BY_ONE = () -> 0;

    private TasksFixture() {}

    /** An instance with settings that few tests care about. */
    public static TasksInstance tasks(QueryDb db, Clock clock) {
        return tasks(db, clock, TaskSettings.USUAL);
    }

    /** Its fencing tokens are the numbers of attempts, as those of earlier versions are. */
    public static TasksInstance tasks(QueryDb db, Clock clock, TaskSettings settings) {
        return tasks(db, clock, settings, ONE_BY_ONE);
    }

    /** An instance that draws its fencing tokens from there. */
    public static TasksInstance tasks(QueryDb db, Clock clock, TaskSettings settings, RandomGenerator tokens) {
        var random = new SecureRandom();
        var millis = Clock.tick(clock, Duration.ofMillis(1));
        var config = settings.tasks();
        var store = new DynamoTasks(db, audit(db, clock), random, tokens, config);
        var keys = new IdempotencyKeys(db, "tasks");
        var reads = new TaskReads(store, keys, millis, config);
        var claims = new ClaimsFixture(db, store, reads, settings);
        var statistics = new StatisticsFixture(db, clock);
        var listeners =
                Stream.concat(claims.listeners(), statistics.listeners()).toList();
        var backoff = new Backoff(config.backoff(), config.maxBackoff(), random);
        var steps = new TaskSteps(store, listeners, backoff, millis);
        var submission = new TaskSubmission(store, keys, steps, random, config);
        return new TasksInstance(
                submission,
                claims.protocol(steps, config.limits()),
                new TaskAdministration(store, submission, steps, config),
                reads,
                claims.workers(),
                statistics.statistics(reads, store, config.limits()),
                claims.sweeper(steps),
                new InstanceLeases(db, clock));
    }

    /** Tells apart records of the same instant, also those of several trails of one table, and leaves them in their order. */
    public static final RandomGenerator IN_ORDER = new AtomicLong()::incrementAndGet;

    /** The audit trail of such instances. */
    public static AuditTrail audit(QueryDb db, Clock clock) {
        return new AuditTrail(db, clock, IN_ORDER, new AuditTrail.Settings(1, Duration.ofDays(1)));
    }

    /** The store of an instance whose fencing tokens are the numbers of attempts. */
    public static DynamoTasks store(QueryDb db, TaskSettings settings) {
        return new DynamoTasks(db, audit(db, Clock.systemUTC()), new SecureRandom(), ONE_BY_ONE, settings.tasks());
    }

    /**
     * Lease of workers in processes of their own: longer than clocks that have just begun to agree may differ, and than a
     * process on a busy machine may get no time, so that nothing but death ends it.
     */
    public static final Duration LEASE_OF_PROCESSES = Duration.ofSeconds(FULL_SOAK ? 20 : 8);

    /** Token of a lease whose instance draws tokens {@link #ONE_BY_ONE}. */
    public static Lease.Token token(int attempt) {
        return attempt == 0 ? Lease.Token.NONE : new Lease.Token(attempt, "A".repeat(22));
    }

    /** A lease with such a token; with none for 0. */
    public static Lease lease(WorkerId worker, int attempt, Instant endsAt) {
        return new Lease(worker, token(attempt), endsAt);
    }

    /** Asks for labels. */
    public static SubmitTask print() {
        return SubmitTask.of(PRINT, Json.parse("payload", "{\"store\":\"DE-0001\"}"));
    }

    /** Asks for tasks to print, now or never. */
    public static ClaimTasks claim(WorkerId worker, int max) {
        return new ClaimTasks(worker, List.of(PRINT), max, Duration.ZERO, null);
    }

    /** The new task of a submission. */
    public static Task created(SubmitResult result) {
        if (result instanceof SubmitResult.Created(var task, var _)) {
            return task;
        }
        throw new AssertionError(result);
    }

    /** The task as a change left it. */
    public static Task done(TaskResult result) {
        if (result instanceof TaskResult.Done(var task)) {
            return task;
        }
        throw new AssertionError(result);
    }
}
