package io.menuboard.accounts.oidc;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What ties an answer of the issuer to the browser that asked: {@code state} comes back with the browser, {@code nonce} in the
 * token, and the issuer gives the token only to whoever knows {@code verifier} (RFC 7636). Each is random, and used once.
 */
public record Handshake(String state, String nonce, String verifier) {
    private static final int BYTES = 32;
    private static final String PART = "([A-Za-z0-9_-]{43})";
    private static final Pattern FORM = Pattern.compile(PART + "\\." + PART + "\\." + PART);

    static Handshake random(SecureRandom random) {
        return new Handshake(part(random), part(random), part(random));
    }

    private static String part(SecureRandom random) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** One string, as {@link #parse} reads it. */
    public String text() {
        return state + "." + nonce + "." + verifier;
    }

    /** The handshake of a string that {@link #text} made; empty for any other. */
    public static Optional<Handshake> parse(String text) {
        return Optional.of(FORM.matcher(text))
                .filter(form -> form.matches())
                .map(form -> new Handshake(form.group(1), form.group(2), form.group(3)));
    }

    /** Without its parts. */
    @Override
    public String toString() {
        return "Handshake[]";
    }
}
