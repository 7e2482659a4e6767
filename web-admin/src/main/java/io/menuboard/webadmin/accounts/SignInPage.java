package io.menuboard.webadmin.accounts;

import org.jspecify.annotations.Nullable;

/**
 * The form to sign in with.
 *
 * @param username as it was typed
 * @param to address of this site to go to
 * @param problem why it did not work; null before it was tried
 */
record SignInPage(String username, String to, @Nullable String problem) {}
