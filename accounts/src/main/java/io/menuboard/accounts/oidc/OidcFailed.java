package io.menuboard.accounts.oidc;

/** Nobody is identified; the message is for the log, and has nothing of a token. */
final class OidcFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final OidcFailure why;

    OidcFailed(OidcFailure why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    OidcFailure why() {
        return why;
    }
}
