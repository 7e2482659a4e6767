package io.menuboard.tasks;

import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableClock;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.List;

/** Wires tasks. */
@Factory
final class TasksFactory {

    @Singleton
    Tasks tasks(QueryDb db, AuditTrail audit, TableClock clock, TasksConfig config) {
        var random = new SecureRandom();
        return new Tasks(
                new DynamoTasks(db, random, config),
                new DynamoWorkers(db),
                new DynamoTaskCounts(db, clock),
                audit,
                clock,
                random,
                config);
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
}
