package io.menuboard.pricing.webhooks;

import io.menuboard.pricing.StoreId;
import io.menuboard.tasks.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message on its way, as the payload of a task. */
record Delivery(WebhookId webhook, WebhookEvent event, StoreId store, WebhookMessage message) {

    Json payload() {
        return Json.of(Map.of(
                "webhook", webhook.value(),
                "event", event.name(),
                "store", store.value(),
                "id", message.id(),
                "timestamp", message.timestamp().toString(),
                "data", message.data()));
    }

    /** The delivery of a {@link #payload}. */
    static Delivery of(Json payload) {
        var event = WebhookEvent.valueOf(text(payload, "event"));
        var data = new LinkedHashMap<String, @Nullable Object>();
        if (payload.members().get("data") instanceof Map<?, ?> members) {
            members.forEach((name, value) -> data.put(String.valueOf(name), value));
        }
        return new Delivery(
                new WebhookId(text(payload, "webhook")),
                event,
                new StoreId(text(payload, "store")),
                new WebhookMessage(text(payload, "id"), event.type(), Instant.parse(text(payload, "timestamp")), data));
    }

    private static String text(Json payload, String member) {
        return payload.findText(member).orElseThrow(() -> new IllegalStateException("a delivery without " + member));
    }
}
