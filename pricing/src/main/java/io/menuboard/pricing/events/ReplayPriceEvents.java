package io.menuboard.pricing.events;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.StoreSelection;
import java.time.Duration;
import java.time.Instant;

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

    /** Whether the event of that entry is one of them, as far as its time is concerned. */
    boolean includes(PriceHistoryEntry entry) {
        return !entry.at().isBefore(from) && entry.at().isBefore(to);
    }
}
