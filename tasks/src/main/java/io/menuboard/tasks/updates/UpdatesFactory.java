package io.menuboard.tasks.updates;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.streams.StreamsConfig;
import io.menuboard.tasks.TaskReads;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ScheduledExecutorService;

/** Wires what tells of tasks. */
@Factory
final class UpdatesFactory {

    @Singleton
    TaskUpdates updates(
            TaskReads tasks, StreamsConfig config, @Named("graphql-streams") ScheduledExecutorService timer) {
        return new TaskUpdates(tasks, config.watchInterval(), timer);
    }

    @Singleton
    @Named("taskUpdates")
    GraphQlModule updatesGraphQl(TaskUpdates updates) {
        return new UpdatesGraphQl(updates);
    }
}
