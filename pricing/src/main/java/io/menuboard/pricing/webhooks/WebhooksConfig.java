package io.menuboard.pricing.webhooks;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * Settings of webhooks under {@code menuboard.webhooks.*}.
 *
 * @param key 32 bytes in Base64, under which the secrets of webhooks are encrypted; the same for all instances. Without it no
 *     webhook can be registered and nothing is sent
 * @param allowPrivate whether messages may go to private addresses, and without TLS to this machine; for tests and local
 *     environments, false by default
 * @param deliveriesAtOnce how many messages one instance sends at the same time, default 16
 */
@ConfigurationProperties("menuboard.webhooks")
record WebhooksConfig(
        @Nullable String key,
        @Bindable(defaultValue = "false") boolean allowPrivate,
        @Bindable(defaultValue = "16") int deliveriesAtOnce) {

    /** Null without a key. Throws {@link IllegalArgumentException} for one that is none. */
    @Nullable
    SecretCipher cipher() {
        return key == null || key.isBlank() ? null : new SecretCipher(key);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "WebhooksConfig[allowPrivate=" + allowPrivate + ", deliveriesAtOnce=" + deliveriesAtOnce + "]";
    }
}
