package io.menuboard.accounts.http;

import io.menuboard.accounts.KnownBrowser;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.cookie.Cookie;
import org.jspecify.annotations.Nullable;

/** The cookie {@code __Host-menuboard-browser} of a {@link KnownBrowser}, which outlives sessions. */
public final class KnownBrowserCookie {
    private static final String NAME = "browser";

    private KnownBrowserCookie() {}

    /** The one that a request has; null for none, and for one that we did not make. Reads nothing. */
    public static @Nullable KnownBrowser find(HttpRequest<?> request) {
        return SessionCookie.find(request, NAME)
                .filter(KnownBrowser::isValid)
                .map(KnownBrowser::new)
                .orElse(null);
    }

    /** The cookie that has the browser that sent the request keep that. */
    public static Cookie keep(HttpRequest<?> request, KnownBrowser browser) {
        return SessionCookie.cookie(request, NAME, browser.secret()).maxAge(KnownBrowser.KEPT.toSeconds());
    }
}
