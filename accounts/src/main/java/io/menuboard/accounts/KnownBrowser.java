package io.menuboard.accounts;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A browser in which somebody has signed in with a password. Its attempts with the same username are counted by themselves, and not
 * for its address, so that failures of strangers keep nobody out who has been here before (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
 *
 * @param secret 64 hexadecimal digits, which that browser keeps in a cookie
 */
public record KnownBrowser(String secret) {
    /** How long it is known since the last time that somebody signed in there. */
    public static final Duration KEPT = Duration.ofDays(180);

    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Throws {@link IllegalArgumentException} for anything else. */
    public KnownBrowser {
        if (!isValid(secret)) {
            throw new IllegalArgumentException("not the secret of a browser");
        }
    }

    /** Whether that may be the secret of one. */
    public static boolean isValid(String secret) {
        return FORM.matcher(secret).matches();
    }

    /** One that nobody can guess. */
    static KnownBrowser random() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new KnownBrowser(HexFormat.of().formatHex(bytes));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "KnownBrowser[]";
    }
}
