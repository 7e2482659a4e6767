package io.menuboard.accounts;

/**
 * A session that has just begun, or goes on under another id.
 *
 * @param secret what the browser shows, 64 hexadecimal digits; cannot be read again
 */
public record NewSession(String secret, Session session) {
    /** Without the secret. */
    @Override
    public String toString() {
        return "NewSession[" + session + "]";
    }
}
