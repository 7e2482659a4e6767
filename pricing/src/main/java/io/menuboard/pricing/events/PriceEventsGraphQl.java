package io.menuboard.pricing.events;

import static io.menuboard.tasks.TasksInput.key;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.PricingInput;
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
        parts.mutation("replayPriceEvents", this::replay);
        parts.object("ReplayPriceEventsPayload", ReplayPriceEventsPayload.class)
                .reference("task", "Task", payload -> key(payload.task()))
                .reference("existingTask", "Task", payload -> key(payload.existing()));
    }

    /**
     * Answer of the mutation.
     *
     * @param existing task that the idempotency key belongs to, where it belongs to another request
     * @param isNew whether this request started the task; null where there is none
     */
    record ReplayPriceEventsPayload(
            @Nullable TaskId task,
            @Nullable TaskId existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {}

    private ReplayPriceEventsPayload replay(Arguments args) {
        var command = new ReplayPriceEvents(
                stores(args), args.get("from"), args.get("to"), args.findKey("webhook", "Webhook"));
        return switch (replay.start(args.access(), command, args.find(KEY))) {
            case ReplayPriceEventsResult.Started(var task, var isNew) ->
                new ReplayPriceEventsPayload(task, null, isNew, List.of());
            case ReplayPriceEventsResult.KeyReused(var existing, var key) -> {
                var rule = KEY + " must be another one for another request: with " + key + ", task " + existing
                        + " was begun";
                var errors = UserError.list("IDEMPOTENCY_KEY_REUSED", rule, "input", KEY);
                yield new ReplayPriceEventsPayload(null, existing, null, errors);
            }
            case ReplayPriceEventsResult.NoEventBus() ->
                new ReplayPriceEventsPayload(
                        null,
                        null,
                        null,
                        UserError.list(
                                "NO_EVENT_BUS",
                                "no bus for events is configured where this was asked, so nothing can be published",
                                "input"));
        };
    }

    private static StoreSelection stores(Arguments args) {
        var isListed = args.find("stores") != null;
        boolean all = args.get("allStores", false);
        if (all == isListed) {
            throw InvalidInput.sentence(
                    "INVALID_STORES", "stores", "exactly one of stores and allStores must be given");
        }
        return all ? new StoreSelection.All() : new StoreSelection.Listed(ids(args.keys("stores", PricingInput.STORE)));
    }

    private static List<StoreId> ids(List<String> listed) {
        var ids = new ArrayList<StoreId>();
        for (var id : listed) {
            ids.add(Arguments.named("stores." + ids.size(), () -> new StoreId(id)));
        }
        return ids;
    }
}
