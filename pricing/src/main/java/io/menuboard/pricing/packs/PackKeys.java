package io.menuboard.pricing.packs;

import org.jspecify.annotations.Nullable;

/** Public keys of packs. They are no secret. Thread-safe. */
public final class PackKeys {
    private final String json;

    PackKeys(@Nullable PackSigner signer) {
        json = "{\"keys\":[" + (signer == null ? "" : signer.jwk()) + "]}";
    }

    /** JSON Web Key Set (RFC 7517); without keys where no packs are made. */
    public String json() {
        return json;
    }
}
