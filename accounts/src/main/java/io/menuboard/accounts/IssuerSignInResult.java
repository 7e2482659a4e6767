package io.menuboard.accounts;

/** Outcome of {@link IssuerSignIns#signIn}. */
public sealed interface IssuerSignInResult {

    /** Signed in, and the session is stored. */
    record SignedIn(NewSession begun, Account account) implements IssuerSignInResult {}

    /** The issuer gives the person no role here: an account that there is has no grants and no sessions any more. */
    record NoRoles() implements IssuerSignInResult {}

    /** An administrator has disabled the account. */
    record Disabled() implements IssuerSignInResult {}

    /** Others changed the account at the same time, again and again. Safe to repeat. */
    record Conflict() implements IssuerSignInResult {}
}
