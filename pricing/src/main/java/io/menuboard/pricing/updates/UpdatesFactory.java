package io.menuboard.pricing.updates;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.streams.StreamsConfig;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.tasks.TaskReads;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.concurrent.ScheduledExecutorService;

/** Wires what tells of change sets. */
@Factory
final class UpdatesFactory {

    @Singleton
    ChangeSetUpdates updates(
            ChangeSets sets,
            TaskReads tasks,
            StreamsConfig config,
            @Named("graphql-streams") ScheduledExecutorService timer) {
        return new ChangeSetUpdates(sets, tasks, config.watchInterval(), timer);
    }

    @Singleton
    @Named("changeSetUpdates")
    GraphQlModule updatesGraphQl(ChangeSetUpdates updates) {
        return new UpdatesGraphQl(updates);
    }
}
