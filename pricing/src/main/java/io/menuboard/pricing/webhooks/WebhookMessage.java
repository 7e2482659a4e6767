package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.tasks.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a webhook is told.
 *
 * @param id the same however often it is sent, and another one for each webhook
 * @param timestamp of what it tells
 */
record WebhookMessage(String id, String type, Instant timestamp, Map<String, @Nullable Object> data) {
    private static final String TEST = "webhook.test";
    private static final int ID_BYTES = 16;

    /** Tells that webhook of a price. Amounts are decimal strings, so that no receiver makes doubles of them. */
    static WebhookMessage of(WebhookId webhook, PriceUpdated event) {
        var data = new HashMap<String, @Nullable Object>();
        data.put("id", event.id());
        data.put("store", event.store().value());
        data.put("channel", event.channel().value());
        data.put("type", event.type());
        data.put("product", event.product());
        data.put("effectiveAt", event.effectiveAt().toString());
        data.put("sequence", event.sequence());
        data.put("before", amount(event.before()));
        data.put("after", amount(event.after()));
        data.put("changeSet", event.changeSet());
        return new WebhookMessage(
                id(webhook + "#" + event.id()), WebhookEvent.PRICE_UPDATED.type(), event.effectiveAt(), data);
    }

    /** Tells nothing but that messages arrive. */
    static WebhookMessage test(Webhook webhook, String random, Instant now) {
        return new WebhookMessage(id(webhook.id() + "#" + random), TEST, now, Map.of("webhook", webhook.name()));
    }

    private static @Nullable Map<String, String> amount(@Nullable Money money) {
        return money == null
                ? null
                : Map.of(
                        "amount", money.amount().toPlainString(),
                        "currency", money.currency().getCurrencyCode());
    }

    private static String id(String text) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "msg_" + HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What is posted. */
    String body() {
        return Json.of(Map.of("type", type, "timestamp", timestamp.toString(), "data", data))
                .text();
    }
}
