package io.menuboard.accounts;

import java.util.regex.Pattern;

/**
 * Identifies a session. Knowing it gives nobody the session: that takes the secret, of which the id is the hash.
 *
 * @param credentialVersion of the account when the session began
 * @param id SHA-256 of the secret, 64 hexadecimal digits
 */
public record SessionKey(AccountId account, long credentialVersion, String id) {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");

    /** Of the session that whoever has the secret has. */
    public static SessionKey ofSecret(AccountId account, long credentialVersion, String secret) {
        return new SessionKey(account, credentialVersion, Sha256.hex(secret));
    }

    /** Whether that may be the id of one. */
    static boolean isId(String id) {
        return ID.matcher(id).matches();
    }
}
