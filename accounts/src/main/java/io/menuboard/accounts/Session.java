package io.menuboard.accounts;

import java.time.Instant;

/**
 * One browser in which a person is signed in.
 *
 * @param id as of {@link SessionKey}: whoever knows it does not have the session
 * @param credentialVersion of the account when the session began, or got another id because the password was changed in it
 * @param userAgent of the browser, shortened; empty for none
 * @param endsAt from then on it is no longer valid, whatever happens in it
 */
public record Session(
        String id,
        AccountId account,
        long credentialVersion,
        Instant createdAt,
        String address,
        String userAgent,
        Instant endsAt) {

    /** Identifies it among all. */
    public SessionKey key() {
        return new SessionKey(account, credentialVersion, id);
    }
}
