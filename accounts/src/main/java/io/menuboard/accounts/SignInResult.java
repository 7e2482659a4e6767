package io.menuboard.accounts;

import java.time.Duration;

/** Outcome of {@link SignIns#signIn}. */
public sealed interface SignInResult {

    /**
     * Signed in, and the session is stored.
     *
     * @param begun with what the browser is to show
     * @param browser which is known from now on
     */
    record SignedIn(NewSession begun, Account account, KnownBrowser browser) implements SignInResult {}

    /** There is no such username, the password is another one, or the account is disabled: which of them is not said. */
    record Refused() implements SignInResult {}

    /** Too many attempts, or too many at once; the password was not looked at. */
    record Throttled(Duration retryAfter) implements SignInResult {}
}
