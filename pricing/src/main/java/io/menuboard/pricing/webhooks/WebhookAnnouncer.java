package io.menuboard.pricing.webhooks;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.querydb.ChangeRecord;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Makes a delivery of each price that has changed, from its history, for each webhook that wants it. Webhooks are read once
 * in two seconds at most, whatever happens meanwhile: a new one is told of what comes two seconds later.
 */
final class WebhookAnnouncer implements ChangeHandler {
    /** How long a webhook is taken to be as it was. */
    static final Duration CACHED_FOR = Duration.ofSeconds(2);

    private static final String ALL = "all";

    private final DeliverySubmission deliveries;
    private final LoadingCache<String, List<Webhook>> webhooks;

    WebhookAnnouncer(DynamoWebhooks webhooks, DeliverySubmission deliveries, Ticker ticker) {
        this.deliveries = deliveries;
        this.webhooks = Caffeine.newBuilder()
                .expireAfterWrite(CACHED_FOR)
                .ticker(ticker)
                .build(_ -> webhooks.all());
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoPriceHistory.TYPE);
    }

    @Override
    public void handle(ChangeRecord record) {
        DynamoPriceHistory.created(record).flatMap(PriceUpdated::of).ifPresent(this::announce);
    }

    /** Five write units for each webhook that wants it. */
    private void announce(PriceUpdated event) {
        webhooks.get(ALL).stream()
                .filter(Webhook::isActive)
                .filter(webhook -> webhook.settings().wants(WebhookEvent.PRICE_UPDATED, event.store()))
                .forEach(webhook -> deliver(webhook.id(), event));
    }

    private void deliver(WebhookId webhook, PriceUpdated event) {
        var message = WebhookMessage.of(webhook, event);
        // The id of a message is that of a webhook and an event, so it is the key of its delivery too.
        deliveries.deliver(webhook, event, message, message.id());
    }
}
