package io.menuboard.pricing.events;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.tasks.TaskId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code replayPriceEvents} of {@code changes.graphqls} to its use case. */
final class PriceEventsGraphQl implements GraphQlModule {
    private static final String KEY = "idempotencyKey";

    private final PriceEventReplay replay;

    PriceEventsGraphQl(PriceEventReplay replay) {
        this.replay = replay;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.mutation(
                "replayPriceEvents",
                this::replay,
                refused -> new ReplayPriceEventsPayload(null, UserError.list(refused)));
    }

    /** Answer of the mutation. */
    record ReplayPriceEventsPayload(@Nullable TaskId task, List<UserError> errors) {}

    private ReplayPriceEventsPayload replay(Arguments args) {
        var command = new ReplayPriceEvents(stores(args), args.get("from"), args.get("to"));
        return switch (replay.start(command, args.find(KEY), args.actor())) {
            case ReplayPriceEventsResult.Started(var task) -> new ReplayPriceEventsPayload(task, List.of());
            case ReplayPriceEventsResult.KeyReused(var existing, var key) ->
                new ReplayPriceEventsPayload(
                        null,
                        UserError.list(
                                "IDEMPOTENCY_KEY_REUSED",
                                KEY + " must be another one for another request: with " + key + ", task " + existing
                                        + " was begun",
                                KEY));
            case ReplayPriceEventsResult.NoEventBus() ->
                new ReplayPriceEventsPayload(
                        null,
                        UserError.list(
                                "NO_EVENT_BUS",
                                "no bus for events is configured where this was asked, so nothing can be published"));
        };
    }

    private static StoreSelection stores(Arguments args) {
        List<String> listed = args.find("stores");
        boolean all = args.get("allStores", false);
        if (all == (listed != null)) {
            throw InvalidInput.sentence(
                    "INVALID_STORES", "stores", "exactly one of stores and allStores must be given");
        }
        return listed == null ? new StoreSelection.All() : new StoreSelection.Listed(ids(listed));
    }

    private static List<StoreId> ids(List<String> listed) {
        var ids = new ArrayList<StoreId>();
        for (var id : listed) {
            ids.add(Arguments.named("stores." + ids.size(), () -> new StoreId(id)));
        }
        return ids;
    }
}
