package io.menuboard.tasks;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Wires tasks. */
@Factory
final class TasksFactory {
    private static final String KEYS = "tasks";

    @Singleton
    TaskLimits limits(TasksConfig config) {
        return config.limits();
    }

    @Singleton
    DynamoTasks store(QueryDb db, AuditTrail audit, TasksConfig config) {
        var random = new SecureRandom();
        return new DynamoTasks(db, audit, random, random, config);
    }

    @Singleton
    TaskSteps steps(DynamoTasks store, List<TaskListener> listeners, TableClock clock, TasksConfig config) {
        var backoff = new Backoff(config.backoff(), config.maxBackoff(), new SecureRandom());
        return new TaskSteps(store, listeners, backoff, millis(clock));
    }

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
    TaskAdministration administration(
            DynamoTasks store, TaskSubmission submission, TaskSteps steps, TasksConfig config) {
        return new TaskAdministration(store, submission, steps, config);
    }

    @Singleton
    TaskReads reads(DynamoTasks store, @Named(KEYS) IdempotencyKeys keys, TableClock clock, TasksConfig config) {
        return new TaskReads(store, keys, millis(clock), config);
    }

    @Singleton
    @Named("taskShards")
    SharedSetting taskShards(TasksConfig config) {
        return SharedSetting.neverLowered("menuboard.tasks.shards", config.shards());
    }

    @Singleton
    @Named("tasks")
    GraphQlModule tasksGraphQl(TaskReads reads) {
        return new TasksGraphQl(reads);
    }

    @Singleton
    @Named("taskMutations")
    GraphQlModule taskMutationsGraphQl(TaskSubmission submission, TaskAdministration administration) {
        return new TaskMutationsGraphQl(submission, administration);
    }

    /** Server time, cut as the table keeps instants. */
    private static Clock millis(TableClock clock) {
        return Clock.tick(clock, Duration.ofMillis(1));
    }
}
