package io.menuboard.tasks.claims;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSteps;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Wires claims. */
@Factory
final class ClaimsFactory {

    @Singleton
    TaskQueue queue(DynamoTasks store, TaskReads reads, ClaimsConfig config) {
        return new TaskQueue(store, reads::now, config);
    }

    @Singleton
    DynamoWorkers workers(QueryDb db) {
        return new DynamoWorkers(db);
    }

    @Singleton
    WorkerPresence presence(DynamoWorkers workers, TaskReads reads) {
        return new WorkerPresence(workers, reads::now, Thread::startVirtualThread);
    }

    @Singleton
    WorkerProtocol protocol(
            DynamoTasks store,
            TaskQueue queue,
            WorkerPresence presence,
            TaskSteps steps,
            TaskLimits limits,
            ClaimsConfig config) {
        return new WorkerProtocol(store, queue, presence, steps, limits, config);
    }

    @Singleton
    WorkerReads workerReads(DynamoWorkers workers, TaskReads reads) {
        return new WorkerReads(workers, reads);
    }

    @Singleton
    TaskSweeper taskSweeper(DynamoTasks store, TaskSteps steps) {
        return new TaskSweeper(store, steps);
    }

    @Singleton
    Sweeper sweeper(TaskSweeper tasks, InstanceLeases leases, TaskReads reads) {
        var holder = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return new Sweeper(tasks, leases, reads::now, holder);
    }

    @Singleton
    @Named("claims")
    GraphQlModule claimsGraphQl(
            WorkerProtocol protocol, DynamoTasks store, QueryDb db, WorkerReads workers, TaskReads reads) {
        var repeatable = new RepeatableClaims(protocol, store, new IdempotencyKeys(db, "claims"), reads::now);
        return new ClaimsGraphQl(protocol, repeatable, workers);
    }
}
