package io.menuboard.pricing.updates;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;

/** {@code change-set-updates.graphqls} to use cases. */
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
                args -> args.selects("progress")
                        ? updates.withProgress(args.access(), id(args))
                        : updates.of(args.access(), id(args)));
        parts.object("ChangeSet", ChangeSet.class)
                .batch("progress", (sets, args) -> updates.tasks(args.access(), sets));
    }

    private static ChangeSetId id(Arguments args) {
        return Arguments.named("id", () -> new ChangeSetId(args.key("id", "ChangeSet")));
    }
}
