package io.menuboard.tasks.statistics;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.DynamoTasks;
import io.menuboard.tasks.TaskLimits;
import io.menuboard.tasks.TaskReads;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Wires statistics. */
@Factory
final class StatisticsFactory {

    @Singleton
    DynamoTaskCounts counts(QueryDb db, TaskReads reads) {
        return new DynamoTaskCounts(db, reads::now);
    }

    @Singleton
    TaskStatistics statistics(TaskReads reads, DynamoTasks store, DynamoTaskCounts counts, TaskLimits limits) {
        return new TaskStatistics(reads, store.types(), counts, limits);
    }

    @Singleton
    @Named("tasksBacklog")
    PeriodicJob backlog(TaskStatistics statistics) {
        return new PeriodicJob("tasks backlog", Duration.ofMinutes(1), statistics::measureBacklog);
    }

    @Singleton
    @Named("taskStatistics")
    GraphQlModule statisticsGraphQl(TaskStatistics statistics) {
        return new StatisticsGraphQl(statistics);
    }
}
