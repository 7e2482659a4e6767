package io.menuboard.pricing.packs;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of price packs, under {@code menuboard.pricing.packs.*}.
 *
 * @param signingKey private key of Ed25519 with which packs are signed, PKCS#8 in Base64; the same for all instances. Without it
 *     there are no packs
 * @param days how many days of changes a pack has, 1 to 60, default 14; the same for all instances
 */
@ConfigurationProperties("menuboard.pricing.packs")
record PacksConfig(
        @Nullable String signingKey,
        @Bindable(defaultValue = "14") int days) {
    private static final int MOST_DAYS = 60;

    PacksConfig {
        if (days < 1 || days > MOST_DAYS) {
            throw new IllegalArgumentException("menuboard.pricing.packs.days must be from 1 to " + MOST_DAYS);
        }
    }

    /** Null without a key. Throws {@link IllegalArgumentException} for one that is none. */
    @Nullable
    PackSigner signer() {
        return signingKey == null || signingKey.isBlank() ? null : new PackSigner(signingKey);
    }

    Duration length() {
        return Duration.ofDays(days);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "PacksConfig[days=" + days + "]";
    }
}
