package io.menuboard.webadmin.webhooks;

import io.menuboard.pricing.webhooks.NewSecret;
import io.menuboard.webadmin.ui.Fact;
import java.util.List;

/**
 * View model of {@code webhooks/secret}, the only page that ever has a secret.
 *
 * @param isRotated whether there was another one before
 */
record WebhookSecretPage(String name, String href, boolean isRotated, String secret, List<Fact> facts) {
    static WebhookSecretPage of(NewSecret made) {
        var webhook = made.webhook();
        return new WebhookSecretPage(
                webhook.name(),
                WebhookWords.link(webhook.id()).toString(),
                webhook.oldSecretUntil() != null,
                made.secret(),
                List.of(
                        new Fact("Name", webhook.name(), null),
                        new Fact("URL", webhook.settings().url().toString(), null),
                        new Fact("Stores", WebhookWords.stores(webhook.settings()), null),
                        new Fact("Events", WebhookWords.events(webhook.settings()), null)));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "WebhookSecretPage[" + name + "]";
    }
}
