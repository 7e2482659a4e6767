package io.menuboard.pricing.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.Ulid;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class WebhookSecretTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final WebhookId ONE = new WebhookId(Ulid.random(Instant.EPOCH, RANDOM));
    private static final WebhookId OTHER = new WebhookId(Ulid.random(Instant.EPOCH, RANDOM));

    @Test
    void signsAsThePublishedExample() {
        var secret = WebhookSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

        var signature = secret.sign(
                "msg_p5jXN8AQM9LWM0D4loKWxJek", Instant.ofEpochSecond(1_614_265_330), "{\"test\": 2432232314}");

        assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void has32RandomBytesAndASaysSoOnlyWhenAsked() {
        var secret = WebhookSecret.random(RANDOM);

        assertThat(secret.text())
                .startsWith("whsec_")
                .isNotEqualTo(WebhookSecret.random(RANDOM).text());
        assertThat(Base64.getDecoder().decode(secret.text().substring("whsec_".length())))
                .hasSize(32);
        assertThat(secret.toString()).isEqualTo("whsec_…");
    }

    @Test
    void isReadWithItsKeyForItsWebhookAlone() throws Exception {
        var cipher = new SecretCipher(KEY);
        var secret = WebhookSecret.random(RANDOM);
        var encrypted = cipher.encrypt(ONE, secret);

        assertThat(cipher.decrypt(ONE, encrypted).text()).isEqualTo(secret.text());
        assertThat(cipher.encrypt(ONE, secret)).isNotEqualTo(encrypted);
        assertThatThrownBy(() -> cipher.decrypt(OTHER, encrypted)).isInstanceOf(SecretCipher.WrongKey.class);
        var otherKey = new SecretCipher("AQ" + KEY.substring(2));
        assertThatThrownBy(() -> otherKey.decrypt(ONE, encrypted)).isInstanceOf(SecretCipher.WrongKey.class);
    }

    @Test
    void aKeyIsKnownByItsFingerprint() {
        assertThat(new SecretCipher(KEY).fingerprint())
                .matches("[0-9a-f]{16}")
                .isEqualTo(new SecretCipher(KEY + "\n").fingerprint())
                .isNotEqualTo(new SecretCipher("AQ" + KEY.substring(2)).fingerprint());
    }

    @Test
    void aKeyThatIsNoneIsRefusedWithoutBeingTold() {
        for (var key : new String[] {"s3cret-but-short", "", Base64.getEncoder().encodeToString(new byte[16])}) {
            assertThatThrownBy(() -> new SecretCipher(key))
                    .hasMessage("menuboard.webhooks.key must be 32 bytes in Base64")
                    .hasNoCause();
        }
        assertThat(new WebhooksConfig(KEY, false, 16).toString()).doesNotContain(KEY);
    }
}
