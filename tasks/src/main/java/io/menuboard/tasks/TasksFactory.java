package io.menuboard.tasks;

import graphql.schema.GraphQLScalarType;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.PageLimits;
import io.menuboard.messaging.PeriodicWork;
import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SharedSetting;
import io.menuboard.querydb.TableClock;
import io.menuboard.querydb.Turns;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/** Wires tasks. */
@Factory
final class TasksFactory {

    @Singleton
    Tasks tasks(QueryDb db, AuditTrail audit, TableClock clock, Turns turns, TasksConfig config) {
        var random = new SecureRandom();
        return new Tasks(
                new DynamoTasks(db, random, random, config),
                // Until clients have names of their own, they share their keys.
                new IdempotencyKeys(db, "tasks"),
                new DynamoWorkers(db),
                new DynamoTaskCounts(db, clock),
                audit,
                clock,
                random,
                Thread::startVirtualThread,
                turns,
                config);
    }

    @Singleton
    @Named("taskShards")
    SharedSetting taskShards(TasksConfig config) {
        return SharedSetting.neverLowered("menuboard.tasks.shards", config.shards());
    }

    @Singleton
    @Named("tasksBacklog")
    PeriodicWork backlog(Tasks tasks) {
        return new PeriodicWork("tasks backlog", Duration.ofMinutes(1), tasks::lookAtBacklog);
    }

    @Singleton
    BulkOperations bulkOperations(Tasks tasks, QueryDb db, TasksConfig config) {
        return new BulkOperations(tasks, new DynamoBulkOutcomes(db, config.retention()));
    }

    @Singleton
    @Named("bulk")
    TaskWork bulkWork(BulkOperations bulk) {
        return bulk.work();
    }

    @Singleton
    @Bean(preDestroy = "close")
    TaskWorkers taskWorkers(Tasks tasks, List<TaskWork> works, TasksConfig config) {
        return new TaskWorkers(tasks, works, config);
    }

    @Singleton
    TasksGraphQl tasksGraphQl(Tasks tasks, BulkOperations bulk, PageLimits limits, TasksConfig config) {
        return new TasksGraphQl(tasks, bulk, limits, config.maxWait());
    }

    @Singleton
    @Named("tasksQuery")
    TypeRuntimeWiring query(TasksGraphQl graphQl) {
        return graphQl.query();
    }

    @Singleton
    @Named("tasksMutation")
    TypeRuntimeWiring mutation(TasksGraphQl graphQl) {
        return graphQl.mutation();
    }

    @Singleton
    @Named("task")
    TypeRuntimeWiring task(TasksGraphQl graphQl) {
        return graphQl.task();
    }

    @Singleton
    @Named("taskLease")
    TypeRuntimeWiring lease(TasksGraphQl graphQl) {
        return graphQl.lease();
    }

    @Singleton
    @Named("bulkOperation")
    TypeRuntimeWiring bulkOperation(TasksGraphQl graphQl) {
        return graphQl.bulkOperation();
    }

    @Singleton
    @Named("taskConnection")
    TypeRuntimeWiring taskConnection() {
        return TasksGraphQl.connection("TaskConnection");
    }

    @Singleton
    @Named("taskEventConnection")
    TypeRuntimeWiring taskEventConnection() {
        return TasksGraphQl.connection("TaskEventConnection");
    }

    @Singleton
    @Named("workerConnection")
    TypeRuntimeWiring workerConnection() {
        return TasksGraphQl.connection("WorkerConnection");
    }

    @Singleton
    @Named("bulkOutcomeConnection")
    TypeRuntimeWiring bulkOutcomeConnection() {
        return TasksGraphQl.connection("BulkOutcomeConnection");
    }

    @Singleton
    @Named("json")
    GraphQLScalarType json() {
        return JsonGraphQl.SCALAR;
    }
}
