package io.menuboard.webadmin.operations;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.webadmin.changes.NewChangeForm;
import io.menuboard.webadmin.ui.Moments;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * The fields of {@code operations/price-events} as they are sent.
 *
 * @param storesBy {@code ids} or {@code all}
 * @param stores ids, one per line; ignored for all
 * @param from on the clock of UTC, as is {@code to}
 * @param webhook id of the one that they are sent to; empty for the bus
 */
record PriceEventsForm(String storesBy, String stores, String from, String to, String webhook) {
    private static final String IDS = "ids";
    private static final String ALL = "all";
    static final PriceEventsForm EMPTY = new PriceEventsForm(IDS, "", "", "", "");

    static PriceEventsForm of(Map<String, String> fields) {
        return new PriceEventsForm(
                text(fields, "storesBy"),
                text(fields, "stores"),
                text(fields, "from"),
                text(fields, "to"),
                text(fields, "webhook"));
    }

    private static String text(Map<String, String> fields, String name) {
        return Objects.requireNonNullElse(fields.get(name), "").strip();
    }

    /** @throws InvalidInput naming the field that is wrong */
    ReplayPriceEvents command() {
        return new ReplayPriceEvents(
                selection(), instant("from", from), instant("to", to), webhook.isEmpty() ? null : webhook);
    }

    private StoreSelection selection() {
        return switch (storesBy) {
            case IDS -> new StoreSelection.Listed(NewChangeForm.each("stores", stores, StoreId::new));
            case ALL -> new StoreSelection.All();
            default -> throw new InvalidInput("INVALID_STORES", "storesBy", "must be " + IDS + " or " + ALL);
        };
    }

    private static Instant instant(String field, String text) {
        var instant = Moments.parseUtc(field, text);
        if (instant == null) {
            throw new InvalidInput("INVALID_DATE_TIME", field, "must be given");
        }
        return instant;
    }
}
