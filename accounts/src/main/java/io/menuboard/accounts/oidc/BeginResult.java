package io.menuboard.accounts.oidc;

import java.net.URI;

/** Outcome of {@link OpenIdConnect#begin}. */
public sealed interface BeginResult {

    /**
     * The browser is to go to the issuer.
     *
     * @param handshake that the browser is to keep until it comes back, and nobody else is to see
     */
    record Begun(URI address, Handshake handshake) implements BeginResult {}

    /** It cannot begin. */
    record Failed(OidcFailure why) implements BeginResult {}
}
