package io.menuboard.accounts;

/**
 * A token that was just made.
 *
 * @param text what the client sends, with the secret; cannot be read again
 */
public record NewToken(Token token, String text) {
    /** Without the secret. */
    @Override
    public String toString() {
        return "NewToken[" + token + "]";
    }
}
