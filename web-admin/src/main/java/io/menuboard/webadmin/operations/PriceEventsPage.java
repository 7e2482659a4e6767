package io.menuboard.webadmin.operations;

import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code operations/price-events}.
 *
 * @param bus whether there is one to publish on
 * @param receivers the bus and webhooks, to choose from; empty where there is no choice
 */
record PriceEventsPage(
        PriceEventsForm form,
        boolean bus,
        List<Choice> receivers,
        @Nullable Problem problem) {

    /** The page for who may have events sent to those webhooks. */
    static PriceEventsPage of(PriceEventsForm form, boolean bus, List<Webhook> webhooks, @Nullable Problem problem) {
        var all = Stream.concat(
                        bus
                                ? Stream.of(new Choice(
                                        "", "The event bus", form.webhook().isEmpty()))
                                : Stream.of(),
                        webhooks.stream().map(webhook -> choice(webhook, form)))
                .toList();
        return new PriceEventsPage(form, bus, webhooks.isEmpty() ? List.of() : all, problem);
    }

    private static Choice choice(Webhook webhook, PriceEventsForm form) {
        var id = webhook.id().value();
        return new Choice(id, "Webhook " + webhook.name(), form.webhook().equals(id));
    }

    /** Whether there is anything to publish to. */
    public boolean possible() {
        return bus || !receivers.isEmpty();
    }

    public int mostStores() {
        return StoreSelection.Listed.MOST;
    }

    public long mostDays() {
        return ReplayPriceEvents.LONGEST.toDays();
    }

    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
