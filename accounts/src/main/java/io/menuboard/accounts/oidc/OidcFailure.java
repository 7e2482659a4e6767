package io.menuboard.accounts.oidc;

/** Why an issuer has not identified anybody. */
public enum OidcFailure {
    /** The person did not want to, or the issuer does not let them. */
    CANCELLED,
    /** It was begun in another browser or too long ago, or has been used already. */
    STALE,
    /** What the issuer says cannot be believed, or the issuer does not believe us. */
    UNTRUSTED,
    /** The issuer does not answer, not in time, or not as an issuer does. */
    UNAVAILABLE
}
