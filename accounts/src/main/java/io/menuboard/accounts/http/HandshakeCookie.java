package io.menuboard.accounts.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.accounts.oidc.Handshake;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * What a browser keeps from going to an issuer until it comes back, ten minutes at most, in a cookie as that of a session: the
 * handshake, and where the person wanted to go.
 *
 * @param to as the browser has it: to be checked again
 */
public record HandshakeCookie(Handshake handshake, String to) {
    private static final String NAME = "issuer";
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /** Longer ones are not kept: browsers take 4,096 characters of a cookie. */
    private static final int MAX_TO = 2048;

    /** The one that a request has; empty for none, and for one that we did not make. */
    public static Optional<HandshakeCookie> of(HttpRequest<?> request) {
        return SessionCookie.find(request, NAME).flatMap(HandshakeCookie::parse);
    }

    private static Optional<HandshakeCookie> parse(String value) {
        var end = value.lastIndexOf('.');
        if (end < 0) {
            return Optional.empty();
        }
        try {
            var to = new String(Base64.getUrlDecoder().decode(value.substring(end + 1)), UTF_8);
            return Handshake.parse(value.substring(0, end)).map(handshake -> new HandshakeCookie(handshake, to));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The cookie for the browser that sent the request; the next one takes its place. */
    public Cookie begin(HttpRequest<?> request) {
        var kept = to.length() > MAX_TO ? "" : to;
        var encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(kept.getBytes(UTF_8));
        return SessionCookie.cookie(request, NAME, handshake.text() + "." + encoded)
                .maxAge(LIFETIME.toSeconds());
    }

    /** The cookie that removes it, so that an answer counts once. */
    public static Cookie end(HttpRequest<?> request) {
        return SessionCookie.cookie(request, NAME, "").maxAge(0);
    }
}
