package io.menuboard.accounts.http;

import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.NewSession;
import io.menuboard.accounts.SessionKey;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cookie of a session: {@code account.credentialVersion.secret}, the only place where the secret is. It is not readable by scripts, not sent from pages of other
 * sites except with links, and named {@code __Host-menuboard}, so that it needs TLS and no other host can set it (RFC 6265bis,
 * section 4.1.3.2). Only where the browser calls this machine by a name of its own, where there is no TLS, it is plain.
 */
public final class SessionCookie {
    private static final String SECURE = "__Host-menuboard";
    private static final String PLAIN = "menuboard";
    private static final String NAME = "";
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]*)?");
    private static final Pattern FORM =
            Pattern.compile("([0-7][0-9A-HJKMNP-TV-Z]{25})\\.([0-9]{1,18})\\.([0-9a-f]{64})");

    private SessionCookie() {}

    /** The session that a request is of; empty without a cookie, and for one that we did not make. Reads nothing. */
    public static Optional<SessionKey> of(HttpRequest<?> request) {
        return form(request)
                .map(form -> SessionKey.ofSecret(
                        new AccountId(form.group(1)), Long.parseLong(form.group(2)), form.group(3)));
    }

    /** The secret of that session. */
    static Optional<String> secret(HttpRequest<?> request) {
        return form(request).map(form -> form.group(3));
    }

    private static Optional<MatchResult> form(HttpRequest<?> request) {
        return find(request, NAME).map(FORM::matcher).filter(Matcher::matches).map(Matcher::toMatchResult);
    }

    /** The cookie that begins a session in the browser that sent the request, until the session or the browser ends. */
    public static Cookie begin(HttpRequest<?> request, NewSession begun) {
        var session = begun.session();
        return cookie(request, NAME, session.account() + "." + session.credentialVersion() + "." + begun.secret());
    }

    /** The cookie that removes that one. */
    public static Cookie end(HttpRequest<?> request) {
        return cookie(request, NAME, "").maxAge(0);
    }

    /** Value of the cookie of that name, which is that of a session with a hyphen and more behind it. */
    static Optional<String> find(HttpRequest<?> request, String name) {
        return request.getCookies().findCookie(name(request, name)).map(Cookie::getValue);
    }

    /** A cookie of that name that is kept as that of a session is, until the browser ends. */
    static Cookie cookie(HttpRequest<?> request, String name, String value) {
        return Cookie.of(name(request, name), value)
                .path("/")
                .httpOnly(true)
                .secure(!isLocal(request))
                .sameSite(SameSite.Lax);
    }

    private static String name(HttpRequest<?> request, String name) {
        return (isLocal(request) ? PLAIN : SECURE) + (name.isEmpty() ? "" : "-" + name);
    }

    /** Whether the browser calls this machine by a name of its own, where there is no TLS. */
    public static boolean isLocal(HttpRequest<?> request) {
        var host = request.getHeaders().get(HttpHeaders.HOST);
        return host != null && LOOPBACK.matcher(host).matches();
    }
}
