package io.menuboard.tasks.workers;

import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.claims.Sweeper;
import io.menuboard.tasks.claims.WorkerProtocol;
import io.menuboard.tasks.statistics.TaskStatistics;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.List;

/** Wires what instances do by themselves. */
@Factory
final class WorkersFactory {

    @Singleton
    TaskUpkeep upkeep(Sweeper sweeper, TaskStatistics statistics, WorkersConfig config) {
        return new TaskUpkeep(sweeper, statistics, config.sweepInterval());
    }

    @Singleton
    @Bean(preDestroy = "close")
    TaskWorkers workers(
            WorkerProtocol protocol,
            TaskSubmission submission,
            TaskReads reads,
            TaskUpkeep upkeep,
            List<TaskWork> works) {
        return new TaskWorkers(protocol, submission, reads, upkeep, works, protocol.lease());
    }
}
