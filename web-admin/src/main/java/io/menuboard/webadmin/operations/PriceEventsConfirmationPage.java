package io.menuboard.webadmin.operations;

import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Moments;
import java.time.Duration;
import java.util.stream.Collectors;

/**
 * View model of {@code operations/price-events-confirmation}: the question before price events are published again.
 *
 * @param form to be sent again
 * @param key makes two sendings of one question one
 * @param stores how many, or that it is all of them
 * @param ids of listed stores; empty for all
 * @param span from the one to the other
 */
record PriceEventsConfirmationPage(
        PriceEventsForm form, String key, String stores, String ids, String from, String to, String span) {

    static PriceEventsConfirmationPage of(PriceEventsForm form, ReplayPriceEvents command, String key) {
        var listed = command.stores() instanceof StoreSelection.Listed(var ids) ? ids : null;
        return new PriceEventsConfirmationPage(
                form,
                key,
                listed == null ? "Every store" : listed.size() == 1 ? "1 store" : Counts.of(listed.size()) + " stores",
                listed == null ? "" : listed.stream().map(StoreId::value).collect(Collectors.joining(", ")),
                Moments.utcSeconds(command.from()),
                Moments.utcSeconds(command.to()),
                Moments.span(Duration.between(command.from(), command.to())));
    }
}
