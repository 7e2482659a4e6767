package io.menuboard.pricing.events;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.tasks.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for events of price changes to be published again.
 *
 * @param stores listed ones, or all
 * @param from of changes that count since then or later
 * @param to of changes that count since before then
 * @param webhook id of the one that alone is told of them; null to publish them on the bus
 */
public record ReplayPriceEvents(
        StoreSelection stores,
        Instant from,
        Instant to,
        @Nullable String webhook) {
    /** Longest time from {@code from} to {@code to}: a month and some days, so that nobody publishes years by mistake. */
    public static final Duration LONGEST = Duration.ofDays(35);

    private static final String WEBHOOK = "webhook";

    /** Throws {@link InvalidInput} {@code INVALID_STORES} or {@code INVALID_RANGE} naming field and rule. */
    public ReplayPriceEvents {
        if (!(stores instanceof StoreSelection.Listed || stores instanceof StoreSelection.All)) {
            throw new InvalidInput("INVALID_STORES", "stores", "must be listed, or all");
        }
        if (!from.isBefore(to)) {
            throw new InvalidInput("INVALID_RANGE", "from", "must be before to");
        }
        if (Duration.between(from, to).compareTo(LONGEST) > 0) {
            throw new InvalidInput("INVALID_RANGE", "to", "must be at most " + LONGEST.toDays() + " days after from");
        }
    }

    /** On the bus. */
    public ReplayPriceEvents(StoreSelection stores, Instant from, Instant to) {
        this(stores, from, to, null);
    }

    /** True where the event of that entry is one of them, as far as its time is concerned. */
    boolean includes(PriceHistoryEntry entry) {
        return !entry.at().isBefore(from) && entry.at().isBefore(to);
    }

    /** The payload of the task that replays them. */
    Json payload() {
        var members = new HashMap<String, Object>(Map.of("from", from.toString(), "to", to.toString()));
        if (stores instanceof StoreSelection.Listed(var ids)) {
            members.put("stores", ids.stream().map(StoreId::value).toList());
        } else {
            members.put("allStores", true);
        }
        if (webhook != null) {
            members.put(WEBHOOK, webhook);
        }
        return Json.of(members);
    }

    /** The replay that a {@link #payload} asks for. */
    static ReplayPriceEvents of(Json payload) {
        if (!(payload.tree() instanceof Map<?, ?> members)) {
            throw new IllegalStateException("no replay of price events: " + payload);
        }
        var listed = members.get("stores") instanceof List<?> ids
                ? new StoreSelection.Listed(
                        ids.stream().map(id -> new StoreId(String.valueOf(id))).toList())
                : new StoreSelection.All();
        return new ReplayPriceEvents(
                listed,
                Instant.parse(String.valueOf(members.get("from"))),
                Instant.parse(String.valueOf(members.get("to"))),
                members.get(WEBHOOK) instanceof String webhook ? webhook : null);
    }
}
