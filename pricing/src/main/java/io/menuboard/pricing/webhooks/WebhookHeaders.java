package io.menuboard.pricing.webhooks;

import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;

/** The headers of one attempt to send a message, as the Standard Webhooks specification names them. */
record WebhookHeaders(String id, Instant timestamp, String signature) {

    /** @param secrets the present one, and the one before while it is being rotated */
    static WebhookHeaders signed(WebhookMessage message, Instant timestamp, String body, List<WebhookSecret> secrets) {
        return new WebhookHeaders(
                message.id(),
                timestamp,
                secrets.stream()
                        .map(secret -> secret.sign(message.id(), timestamp, body))
                        .collect(joining(" ")));
    }

    void forEach(BiConsumer<String, String> header) {
        header.accept("webhook-id", id);
        header.accept("webhook-timestamp", Long.toString(timestamp.getEpochSecond()));
        header.accept("webhook-signature", signature);
    }
}
