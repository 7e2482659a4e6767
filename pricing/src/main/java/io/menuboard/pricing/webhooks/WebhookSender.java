package io.menuboard.pricing.webhooks;

import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Signs messages and posts them. Thread-safe. */
final class WebhookSender {
    private final WebhookClient client;
    private final @Nullable SecretCipher cipher;
    private final Clock clock;

    /** @param cipher null where this server has no key */
    WebhookSender(WebhookClient client, @Nullable SecretCipher cipher, Clock clock) {
        this.client = client;
        this.cipher = cipher;
        this.clock = clock;
    }

    /** @param random tells apart tests of one webhook */
    WebhookAnswer test(StoredWebhook to, String random) throws InterruptedException {
        return send(to, WebhookMessage.test(to.webhook(), random, clock.instant()));
    }

    WebhookAnswer send(StoredWebhook to, WebhookMessage message) throws InterruptedException {
        if (cipher == null) {
            return new WebhookAnswer.Unsigned("this server cannot sign, as menuboard.webhooks.key is not set");
        }
        var now = clock.instant();
        var body = message.body();
        try {
            var headers = WebhookHeaders.signed(message, now, body, to.secretsAt(now, cipher));
            return client.post(to.webhook().settings(), headers, body);
        } catch (SecretCipher.WrongKey _) {
            return new WebhookAnswer.Unsigned(
                    "this server cannot sign, as the secret was made with another menuboard.webhooks.key: rotate it");
        }
    }
}
