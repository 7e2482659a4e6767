package io.menuboard.accounts.http;

import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.Session;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.cookie.SameSite;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The cookie of a session: {@code account.credentialVersion.session}. It is not readable by scripts, not sent from pages of other
 * sites except with links, and named {@code __Host-menuboard}, so that it needs TLS and no other host can set it (RFC 6265bis,
 * section 4.1.3.2). Only where the browser calls this machine by a name of its own, where there is no TLS, it is plain.
 *
 * @param credentialVersion of the account when the session began
 */
public record SessionCookie(AccountId account, long credentialVersion, String session) {
    private static final String SECURE = "__Host-menuboard";
    private static final String PLAIN = "menuboard";
    private static final String NAME = "";
    private static final Pattern LOOPBACK = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]*)?");
    private static final Pattern FORM =
            Pattern.compile("([0-7][0-9A-HJKMNP-TV-Z]{25})\\.([0-9]{1,18})\\.([0-9a-f]{64})");

    /** The one that a request has; empty for none, and for one that we did not make. Reads nothing. */
    public static Optional<SessionCookie> of(HttpRequest<?> request) {
        return find(request, NAME)
                .map(FORM::matcher)
                .filter(form -> form.matches())
                .map(form ->
                        new SessionCookie(new AccountId(form.group(1)), Long.parseLong(form.group(2)), form.group(3)));
    }

    /** The cookie that begins a session in the browser that sent the request, until the session or the browser ends. */
    public static Cookie begin(HttpRequest<?> request, Session session) {
        return cookie(request, NAME, session.account() + "." + session.credentialVersion() + "." + session.id());
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
