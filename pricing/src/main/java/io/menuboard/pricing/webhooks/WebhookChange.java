package io.menuboard.pricing.webhooks;

import io.menuboard.kernel.Actor;
import java.util.Map;

/** For the audit trail: something that was done to a webhook. */
record WebhookChange(Actor actor, String action, Map<String, String> details) {
    static WebhookChange of(Actor actor, String action) {
        return new WebhookChange(actor, action, Map.of());
    }
}
