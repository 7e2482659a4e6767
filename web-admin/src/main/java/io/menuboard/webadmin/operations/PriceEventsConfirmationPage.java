package io.menuboard.webadmin.operations;

import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * View model of {@code operations/price-events-confirmation}: the question before price events are published again.
 *
 * @param stores their number, or that it is all of them
 * @param ids of listed stores; empty for all
 * @param span from the one to the other
 * @param receiver the bus, or a webhook by name
 */
record PriceEventsConfirmationPage(
        Confirmation confirmation, String stores, String ids, String from, String to, String span, String receiver) {

    /** @param key makes two submissions of the form one */
    static PriceEventsConfirmationPage of(
            PriceEventsForm form, ReplayPriceEvents command, String receiver, String key) {
        var listed = command.stores() instanceof StoreSelection.Listed(var ids) ? ids : null;
        return new PriceEventsConfirmationPage(
                confirmation(form, key),
                listed == null ? "Every store" : listed.size() == 1 ? "1 store" : Counts.of(listed.size()) + " stores",
                listed == null ? "" : listed.stream().map(StoreId::value).collect(Collectors.joining(", ")),
                Moments.utcSeconds(command.from()),
                Moments.utcSeconds(command.to()),
                Moments.span(Duration.between(command.from(), command.to())),
                receiver);
    }

    private static Confirmation confirmation(PriceEventsForm form, String key) {
        var page = Link.to("operations", "price-events");
        return Confirmation.of(
                        List.of(
                                Reference.of("Operations", Link.to("operations")),
                                Reference.of("Replay price events", page)),
                        "Replay price events?",
                        "Each event is published under the id that it has always had, so whoever has heard it knows it"
                                + " again. It may come after a newer one of the same price: what counts is the time that"
                                + " each tells.",
                        "Publish them again",
                        page,
                        Reference.of("Back to the form", Link.to("operations", "price-events", "edit")))
                .editable()
                .with("key", key)
                .with("storesBy", form.storesBy())
                .with("stores", form.stores())
                .with("from", form.from())
                .with("to", form.to())
                .with("webhook", form.webhook());
    }
}
