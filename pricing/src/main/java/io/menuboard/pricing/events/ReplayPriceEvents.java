package io.menuboard.pricing.events;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.tasks.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Asks for events of price changes to be published again.
 *
 * @param stores listed ones, or all
 * @param from of changes that count since then or later
 * @param to of changes that count since before then
 */
public record ReplayPriceEvents(StoreSelection stores, Instant from, Instant to) {
    /** Longest time from {@code from} to {@code to}: a month and some days, so that nobody publishes years by mistake. */
    public static final Duration LONGEST = Duration.ofDays(35);

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

    /** True where the event of that entry is one of them, as far as its time is concerned. */
    boolean includes(PriceHistoryEntry entry) {
        return !entry.at().isBefore(from) && entry.at().isBefore(to);
    }

    /** The payload of the task that replays them. */
    Json payload() {
        var begin = from.toString();
        var end = to.toString();
        return Json.of(
                stores instanceof StoreSelection.Listed(var ids)
                        ? Map.of(
                                "from",
                                begin,
                                "to",
                                end,
                                "stores",
                                ids.stream().map(StoreId::value).toList())
                        : Map.of("from", begin, "to", end, "allStores", true));
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
                Instant.parse(String.valueOf(members.get("to"))));
    }
}
