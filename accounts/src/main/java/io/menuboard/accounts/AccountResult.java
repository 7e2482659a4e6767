package io.menuboard.accounts;

/** Outcome of a change of an account. */
public sealed interface AccountResult {

    /** Changed, or as it was asked for already. */
    record Done(Account account) implements AccountResult {}

    /** There is no such account. */
    record NotFound(AccountId id) implements AccountResult {}

    /** Another account has the username, in whatever case; nothing was written. */
    record UsernameTaken(Username username) implements AccountResult {}

    /** That part of the account is what its issuer of identities says, at each sign-in; nothing was written. */
    record IssuersToChange(Account account) implements AccountResult {}

    /** It was changed since that was decided; nothing was written. */
    record Outdated(Account now) implements AccountResult {}

    /** It is the last account that can sign in with a password and administer accounts; nothing was written. */
    record LastAdministrator(AccountId id) implements AccountResult {}

    /** Others changed the account at the same time, again and again; nothing was written. Safe to repeat. */
    record Conflict(AccountId id) implements AccountResult {}
}
