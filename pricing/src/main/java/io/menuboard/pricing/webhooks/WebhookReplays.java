package io.menuboard.pricing.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.pricing.events.ReplayReceivers;
import io.menuboard.tasks.TaskId;
import java.util.Optional;

/**
 * Webhooks as receivers of events that are sent again, for who may manage webhooks: each gets what it is told of, and nothing else.
 */
record WebhookReplays(DynamoWebhooks webhooks, DeliverySubmission deliveries) implements ReplayReceivers {
    private static final String WEBHOOK = "webhook";

    /** One read unit. */
    @Override
    public void check(Access access, String webhook) {
        var found = access.may(Permission.WEBHOOKS_MANAGE) ? find(webhook) : Optional.<Webhook>empty();
        if (found.isEmpty()) {
            throw new InvalidInput("WEBHOOK_NOT_FOUND", WEBHOOK, "must exist: there is no " + webhook);
        }
        if (!found.get().isActive()) {
            throw off(WEBHOOK);
        }
    }

    /** Of what cannot be sent again as the webhook is switched off, where the field names it. */
    static InvalidInput off(String field) {
        return new InvalidInput("WEBHOOK_OFF", field, "must be switched on before anything is sent to it");
    }

    private Optional<Webhook> find(String webhook) {
        try {
            return webhooks.find(new WebhookId(webhook)).map(StoredWebhook::webhook);
        } catch (InvalidInput _) {
            return Optional.empty(); // no webhook has such an id
        }
    }

    /** One read unit, and five write units for each event. */
    @Override
    public PriceEvents to(String webhook, TaskId replay) {
        var found = find(webhook);
        return new PriceEvents() {
            @Override
            public boolean wants(StoreId store) {
                return found.filter(Webhook::isActive)
                        .filter(it -> it.settings().wants(WebhookEvent.PRICE_UPDATED, store))
                        .isPresent();
            }

            @Override
            public void publish(PriceUpdated event) {
                if (wants(event.store())) {
                    var id = found.orElseThrow().id();
                    var message = WebhookMessage.of(id, event);
                    // Another key than that of the first delivery, which may have been made within the day that keys
                    // are kept.
                    deliveries.deliver(id, event, message, message.id() + "-" + replay);
                }
            }
        };
    }
}
