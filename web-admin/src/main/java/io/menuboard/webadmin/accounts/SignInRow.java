package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.SignInAttempt;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Moments;

/**
 * An attempt to sign in, for {@code accounts/parts :: sign-ins}.
 *
 * @param browser as it says itself
 */
record SignInRow(String at, Badge outcome, String address, String browser) {
    static SignInRow of(SignInAttempt attempt) {
        return new SignInRow(
                Moments.utcSeconds(attempt.at()),
                attempt.succeeded() ? new Badge("badge-good", "Signed in") : new Badge("badge-bad", "Refused"),
                attempt.address().isEmpty() ? "Unknown" : attempt.address(),
                Browser.name(attempt.userAgent()));
    }
}
