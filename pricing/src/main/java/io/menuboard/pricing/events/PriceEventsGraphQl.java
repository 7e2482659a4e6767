package io.menuboard.pricing.events;

import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.tasks.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code replayPriceEvents} of {@code changes.graphqls} to its use case. */
final class PriceEventsGraphQl {
    private static final String KEY = "idempotencyKey";

    private final PriceEventReplay replay;

    PriceEventsGraphQl(PriceEventReplay replay) {
        this.replay = replay;
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("replayPriceEvents", this::replay)
                .build();
    }

    /** Answer of the mutation. */
    record ReplayPriceEventsPayload(@Nullable TaskId task, List<UserError> errors) {}

    private ReplayPriceEventsPayload replay(DataFetchingEnvironment args) {
        try {
            var command = new ReplayPriceEvents(stores(args), instant(args, "from"), instant(args, "to"));
            var actor = args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
            return switch (replay.start(command, args.getArgument(KEY), actor)) {
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
        } catch (InvalidInput e) {
            return new ReplayPriceEventsPayload(null, UserError.list(e));
        }
    }

    private static StoreSelection stores(DataFetchingEnvironment args) {
        List<String> listed = args.getArgument("stores");
        boolean all = args.getArgumentOrDefault("allStores", false);
        if (all == (listed != null)) {
            throw new InvalidInput("INVALID_STORES", "stores", "exactly one of stores and allStores must be given");
        }
        return listed == null ? new StoreSelection.All() : new StoreSelection.Listed(ids(listed));
    }

    private static List<StoreId> ids(List<String> listed) {
        var ids = new ArrayList<StoreId>();
        for (var id : listed) {
            try {
                ids.add(new StoreId(id));
            } catch (InvalidInput e) {
                throw e.renamed("stores." + ids.size());
            }
        }
        return ids;
    }

    private static Instant instant(DataFetchingEnvironment args, String name) {
        return Objects.requireNonNull(args.<Instant>getArgument(name));
    }
}
