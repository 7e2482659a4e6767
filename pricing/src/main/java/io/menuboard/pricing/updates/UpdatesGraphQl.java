package io.menuboard.pricing.updates;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.pricing.ChangeSetId;

/** Subscriptions of {@code change-set-updates.graphqls} to use cases. */
final class UpdatesGraphQl implements GraphQlModule {
    private final ChangeSetUpdates updates;

    UpdatesGraphQl(ChangeSetUpdates updates) {
        this.updates = updates;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("change-set-updates");
        parts.subscription(
                "changeSetUpdated",
                args -> updates.of(
                        args.access(), Arguments.named("id", () -> new ChangeSetId(args.key("id", "ChangeSet")))));
    }
}
