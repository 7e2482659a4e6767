package io.menuboard.pricing.webhooks;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
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
record WebhookReplays(DynamoWebhooks webhooks, DeliverySubmission deliveries, Ticker ticker)
        implements ReplayReceivers {
    private static final String WEBHOOK = "webhook";

    /** One read unit. */
    @Override
    public void check(Access access, String webhook) {
        if (!access.may(Permission.WEBHOOKS_MANAGE)) {
            throw notFound(webhook);
        }
        requireActive(webhook);
    }

    private Webhook requireActive(String webhook) {
        var found = find(webhook).orElseThrow(() -> notFound(webhook));
        if (!found.isActive()) {
            throw off(WEBHOOK);
        }
        return found;
    }

    private static InvalidInput notFound(String webhook) {
        return new InvalidInput("WEBHOOK_NOT_FOUND", WEBHOOK, "must exist: there is no " + webhook);
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

    /** A read unit in two seconds at most, and five write units for each event. */
    @Override
    public PriceEvents to(String webhook, TaskId replay) {
        LoadingCache<String, Webhook> current = Caffeine.newBuilder()
                .expireAfterWrite(WebhookAnnouncer.CACHED_FOR)
                .ticker(ticker)
                .build(this::requireActive);
        return new PriceEvents() {
            @Override
            public boolean wants(StoreId store) {
                return current.get(webhook).settings().wants(WebhookEvent.PRICE_UPDATED, store);
            }

            @Override
            public void publish(PriceUpdated event) {
                if (wants(event.store())) {
                    var id = new WebhookId(webhook);
                    var message = WebhookMessage.of(id, event);
                    // Another key than that of the first delivery, which may have been made within the day that keys
                    // are kept.
                    deliveries.deliver(id, event, message, message.id() + "-" + replay);
                }
            }
        };
    }
}
