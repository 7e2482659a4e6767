package io.menuboard.pricing.webhooks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A webhook with its secrets, as {@link SecretCipher} has encrypted them.
 *
 * @param secret the present one
 * @param oldSecrets those before it, of which some may have ended
 */
record StoredWebhook(Webhook webhook, String secret, List<OldSecret> oldSecrets) {

    /** One that signs until then too. */
    record OldSecret(Instant until, String secret) {
        String text() {
            return until.toEpochMilli() + " " + secret;
        }

        static OldSecret of(String text) {
            var parts = text.split(" ", 2);
            return new OldSecret(Instant.ofEpochMilli(Long.parseLong(parts[0])), parts[1]);
        }
    }

    List<OldSecret> oldSecretsAt(Instant now) {
        return oldSecrets.stream().filter(old -> now.isBefore(old.until())).toList();
    }

    /** Those that sign a message at that instant, the present one first; an old one of another key signs no more. */
    List<WebhookSecret> secretsAt(Instant now, SecretCipher cipher) throws SecretCipher.WrongKey {
        var secrets = new ArrayList<WebhookSecret>();
        secrets.add(cipher.decrypt(webhook.id(), secret));
        for (var old : oldSecretsAt(now)) {
            try {
                secrets.add(cipher.decrypt(webhook.id(), old.secret()));
            } catch (SecretCipher.WrongKey _) {
                // Rotating is how a webhook gets a secret under a new key.
            }
        }
        return secrets;
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "StoredWebhook[" + webhook + "]";
    }
}
