package io.menuboard.accounts.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the browser that sends a request knows, and no page of another site: the secret of its session, or, where nobody is signed
 * in, a random value in a cookie of its own, {@code __Host-menuboard-form}. Whoever begins or ends a session has another one.
 */
public final class BrowserSecret {
    private static final String NAME = "form";
    private static final String NEW = "io.menuboard.new-browser-secret";
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private BrowserSecret() {}

    /** The one that a request has; empty for none, and for one that we did not make. Reads nothing. */
    public static Optional<String> of(HttpRequest<?> request) {
        return SessionCookie.secret(request).or(() -> SessionCookie.find(request, NAME)
                .filter(value -> FORM.matcher(value).matches()));
    }

    /** The one that a request has, or else one that the browser is to have from the answer on; see {@link #given}. */
    public static String orNew(HttpRequest<?> request) {
        return of(request).or(() -> request.getAttribute(NEW, String.class)).orElseGet(() -> {
            var bytes = new byte[32];
            RANDOM.nextBytes(bytes);
            var secret = HexFormat.of().formatHex(bytes);
            request.setAttribute(NEW, secret);
            return secret;
        });
    }

    /** The cookie that gives the browser what {@link #orNew} has made for it; empty where that was not needed. */
    public static Optional<Cookie> given(HttpRequest<?> request) {
        return request.getAttribute(NEW, String.class).map(secret -> SessionCookie.cookie(request, NAME, secret));
    }
}
