package io.menuboard.tasks.updates;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.tasks.TasksInput;

/** Subscriptions of {@code task-updates.graphqls} to use cases. */
final class UpdatesGraphQl implements GraphQlModule {
    private final TaskUpdates updates;

    UpdatesGraphQl(TaskUpdates updates) {
        this.updates = updates;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("task-updates");
        parts.subscription("taskUpdated", args -> updates.of(args.access(), TasksInput.id(args)));
    }
}
