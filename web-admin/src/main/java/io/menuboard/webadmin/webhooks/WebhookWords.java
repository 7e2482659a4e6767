package io.menuboard.webadmin.webhooks;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.webhooks.Webhook;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookId;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.Reference;

/** Texts about webhooks, as pages write them. */
final class WebhookWords {
    /** Says on the page after an action what was done. */
    static final String DID = "did";

    private WebhookWords() {}

    static Link list() {
        return Link.to("webhooks");
    }

    static Link link(WebhookId id) {
        return Link.to("webhooks", id.value());
    }

    static Reference crumb() {
        return Reference.of("Webhooks", list());
    }

    static InvalidInput notFound(String id) {
        return NotFound.of("webhook", "There is no webhook with the id " + id + ".");
    }

    static Badge status(Webhook webhook) {
        return webhook.off() != null
                ? new Badge("badge-bad", "Switched off")
                : webhook.failingSince() != null
                        ? new Badge("badge-warn", "Failing")
                        : new Badge("badge-good", "Active");
    }

    static String stores(WebhookSettings settings) {
        return settings.stores() instanceof StoreSelection.Listed(var ids)
                ? ids.size() == 1 ? "1 store" : Counts.of(ids.size()) + " stores"
                : "Every store";
    }

    static String events(WebhookSettings settings) {
        return settings.events().stream().sorted().map(WebhookWords::event).collect(joining(", "));
    }

    static String event(WebhookEvent event) {
        return switch (event) {
            case PRICE_UPDATED -> "Price changes";
        };
    }
}
