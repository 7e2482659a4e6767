package io.menuboard.access.http;

/** It has to be known who asks, and is not, or a password has to be changed first. Nothing was read or changed. */
public final class Unauthenticated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean passwordChange;

    private Unauthenticated(String message, boolean passwordChange) {
        super(message, null, false, false);
        this.passwordChange = passwordChange;
    }

    /** It is not known who asks. */
    public static Unauthenticated nobody() {
        return new Unauthenticated("sign in, or send a valid token as Authorization: Bearer TOKEN", false);
    }

    static Unauthenticated untilPasswordIsChanged() {
        return new Unauthenticated("change your password first", true);
    }

    /** Whether the sender is known, and only has to change the password. */
    public boolean needsPasswordChange() {
        return passwordChange;
    }
}
