package io.menuboard.accounts;

import java.time.Instant;

/**
 * A password that was accepted or refused for an account.
 *
 * @param at when it was tried
 * @param address of the client; empty where that was not recorded
 * @param userAgent of the browser, shortened; empty where it sent none, or that was not recorded
 */
public record SignInAttempt(Instant at, boolean succeeded, String address, String userAgent) {}
