package io.menuboard.accounts.oidc;

import io.menuboard.accounts.IdentifiedPerson;

/** Outcome of {@link OpenIdConnect#finish}. */
public sealed interface FinishResult {

    /** The issuer knows who it is. */
    record Identified(IdentifiedPerson person) implements FinishResult {}

    /** Nobody is identified. */
    record Failed(OidcFailure why) implements FinishResult {}
}
