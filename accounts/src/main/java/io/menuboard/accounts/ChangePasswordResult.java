package io.menuboard.accounts;

import java.time.Duration;

/** Outcome of {@link SignIns#changePassword}. */
public sealed interface ChangePasswordResult {

    /** Changed; all other sessions have ended, and this one goes on with a new secret and credential version. */
    record Changed(NewSession goesOn, Account account) implements ChangePasswordResult {}

    /** The old password is another one; nothing was written. */
    record WrongPassword() implements ChangePasswordResult {}

    /** The account has none to change: its person signs in at an issuer of identities. Nothing was written. */
    record NoPassword() implements ChangePasswordResult {}

    /** The session has ended, maybe by the same change sent before, or the account changed at the same time; nothing was written. */
    record Ended() implements ChangePasswordResult {}

    /** Too many attempts, or too many at once; the password was not looked at. */
    record Throttled(Duration retryAfter) implements ChangePasswordResult {}
}
