package io.menuboard.pricing.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs messages.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard
 *     Webhooks, "Signature scheme"</a>
 */
final class WebhookSecret {
    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final byte[] key;

    private WebhookSecret(byte[] key) {
        this.key = key;
    }

    static WebhookSecret random(SecureRandom random) {
        var key = new byte[BYTES];
        random.nextBytes(key);
        return new WebhookSecret(key);
    }

    /** The secret that has that {@link #text}. */
    static WebhookSecret of(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("no secret of a webhook");
        }
        return new WebhookSecret(Base64.getDecoder().decode(text.substring(PREFIX.length())));
    }

    /** As its receiver is told. */
    String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** One signature, with its version. */
    String sign(String id, Instant timestamp, String body) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            var signed = id + "." + timestamp.getEpochSecond() + "." + body;
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
