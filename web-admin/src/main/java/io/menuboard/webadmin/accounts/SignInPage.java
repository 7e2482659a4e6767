package io.menuboard.webadmin.accounts;

import org.jspecify.annotations.Nullable;

/**
 * The ways to sign in.
 *
 * @param username as it was typed
 * @param to address of this site to go to
 * @param problem why it did not work; null before it was tried
 * @param takesPasswords whether there is a form for a username and a password
 * @param issuer to sign in at instead; null without one
 */
record SignInPage(
        String username,
        String to,
        @Nullable String problem,
        boolean takesPasswords,
        @Nullable Issuer issuer) {

    /** @param name for people */
    record Issuer(String name, String href) {}
}
