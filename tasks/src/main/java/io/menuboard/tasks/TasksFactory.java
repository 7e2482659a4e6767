package io.menuboard.tasks;

import io.menuboard.querydb.AuditTrail;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.security.SecureRandom;

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
}
