package io.menuboard.tasks;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Wires tasks. */
@Factory
final class TasksFactory {
    private static final String KEYS = "tasks";

    @Singleton
    DynamoTasks store(QueryDb db, TasksConfig config) {
        var random = new SecureRandom();
        return new DynamoTasks(db, random, random, config);
    }

    @Singleton
    TaskQueue queue(DynamoTasks store, TableClock clock, TasksConfig config) {
        return new TaskQueue(store, millis(clock), config);
    }

    @Singleton
    DynamoTaskCounts counts(QueryDb db, TableClock clock) {
        return new DynamoTaskCounts(db, millis(clock));
    }

    @Singleton
    TaskSteps steps(DynamoTasks store, TaskQueue queue, DynamoTaskCounts counts, TableClock clock) {
        return new TaskSteps(store, queue, counts, millis(clock));
    }

    @Singleton
    Backoff backoff(TasksConfig config) {
        return new Backoff(config.backoff(), config.maxBackoff(), new SecureRandom());
    }

    @Singleton
    DynamoWorkers workers(QueryDb db) {
        return new DynamoWorkers(db);
    }

    @Singleton
    WorkerPresence presence(DynamoWorkers workers, TableClock clock) {
        return new WorkerPresence(workers, millis(clock), Thread::startVirtualThread);
    }

    /** Until clients have names of their own, they share their keys. */
    @Singleton
    @Named(KEYS)
    IdempotencyKeys keys(QueryDb db) {
        return new IdempotencyKeys(db, KEYS);
    }

    @Singleton
    TaskSubmission submission(
            DynamoTasks store, @Named(KEYS) IdempotencyKeys keys, TaskSteps steps, TasksConfig config) {
        return new TaskSubmission(store, keys, steps, new SecureRandom(), config);
    }

    @Singleton
    WorkerProtocol workerProtocol(
            DynamoTasks store,
            TaskQueue queue,
            WorkerPresence presence,
            TaskSteps steps,
            Backoff backoff,
            TasksConfig config) {
        return new WorkerProtocol(store, queue, presence, steps, backoff, config);
    }

    @Singleton
    TaskAdministration administration(
            DynamoTasks store,
            TaskSubmission submission,
            TaskSteps steps,
            WorkerPresence presence,
            AuditTrail audit,
            TasksConfig config) {
        return new TaskAdministration(store, submission, steps, presence, audit, config);
    }

    @Singleton
    TaskReads reads(
            DynamoTasks store,
            DynamoWorkers workers,
            @Named(KEYS) IdempotencyKeys keys,
            TableClock clock,
            TasksConfig config) {
        return new TaskReads(store, workers, keys, millis(clock), config);
    }

    @Singleton
    TaskStatistics statistics(
            TaskReads reads,
            DynamoTasks store,
            DynamoTaskCounts counts,
            TaskQueue queue,
            TableClock clock,
            TasksConfig config) {
        return new TaskStatistics(reads, store.types(), counts, queue, millis(clock), config);
    }

    @Singleton
    TaskSweeper taskSweeper(DynamoTasks store, TaskSteps steps, Backoff backoff) {
        return new TaskSweeper(store, steps, backoff);
    }

    @Singleton
    @Named("taskShards")
    SharedSetting taskShards(TasksConfig config) {
        return SharedSetting.neverLowered("menuboard.tasks.shards", config.shards());
    }

    @Singleton
    @Named("tasksBacklog")
    PeriodicJob backlog(TaskStatistics statistics) {
        return new PeriodicJob("tasks backlog", Duration.ofMinutes(1), statistics::measureBacklog);
    }

    @Singleton
    BulkOperations bulkOperations(
            TaskSubmission submission,
            TaskAdministration administration,
            TaskReads reads,
            QueryDb db,
            TasksConfig config) {
        return new BulkOperations(submission, administration, reads, new DynamoBulkOutcomes(db, config.retention()));
    }

    @Singleton
    @Named("bulk")
    TaskWork bulkWork(BulkOperations bulk) {
        return bulk.work();
    }

    @Singleton
    @Bean(preDestroy = "close")
    TaskWorkers taskWorkers(
            WorkerProtocol protocol,
            TaskSubmission submission,
            TaskReads reads,
            TaskUpkeep upkeep,
            List<TaskWork> works,
            TasksConfig config) {
        return new TaskWorkers(protocol, submission, reads, upkeep, works, config);
    }

    @Singleton
    TaskUpkeep upkeep(
            TaskSweeper sweeper,
            TaskStatistics statistics,
            InstanceLeases turns,
            TableClock clock,
            TasksConfig config) {
        var holder = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return new TaskUpkeep(new Sweeper(sweeper, turns, millis(clock), holder), statistics, config.sweepInterval());
    }

    @Singleton
    @Named("tasks")
    GraphQlModule tasksGraphQl(TaskReads reads, TaskStatistics statistics) {
        return new TasksGraphQl(reads, statistics);
    }

    @Singleton
    @Named("taskMutations")
    GraphQlModule taskMutationsGraphQl(
            TaskSubmission submission,
            WorkerProtocol protocol,
            TaskAdministration administration,
            TaskReads reads,
            TasksConfig config) {
        return new TaskMutationsGraphQl(submission, protocol, administration, reads, config.maxWait());
    }

    @Singleton
    @Named("bulk")
    GraphQlModule bulkGraphQl(BulkOperations bulk, TaskReads reads) {
        return new BulkGraphQl(bulk, reads);
    }

    /** Server time, cut as the table keeps instants. */
    private static Clock millis(TableClock clock) {
        return Clock.tick(clock, Duration.ofMillis(1));
    }
}
