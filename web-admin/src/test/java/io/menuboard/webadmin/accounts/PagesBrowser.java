package io.menuboard.webadmin.accounts;

import static java.util.stream.Collectors.joining;

import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.TreeMap;

/** Keeps cookies as a browser does, but for those of forms; follows nothing by itself. */
final class PagesBrowser {
    private final PagesServer server;
    private final Map<String, String> cookies = new TreeMap<>();

    PagesBrowser(PagesServer server) {
        this.server = server;
    }

    /** By name; may be changed. */
    Map<String, String> cookies() {
        return cookies;
    }

    Answer get(String path) {
        return send(HttpRequest.newBuilder(server.address(path)));
    }

    Answer post(String path, String form) {
        return send(HttpRequest.newBuilder(server.address(path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    private Answer send(HttpRequest.Builder request) {
        request.header("Accept", "text/html");
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(joining("; ")));
        }
        var answer = server.send(request);
        answer.http().headers().allValues("Set-Cookie").stream()
                .flatMap(header -> HttpCookie.parse(header).stream())
                .forEach(this::keep);
        return answer;
    }

    private void keep(HttpCookie cookie) {
        if (cookie.getMaxAge() == 0) {
            cookies.remove(cookie.getName());
        } else if (!cookie.getName().endsWith("-form")) {
            cookies.put(cookie.getName(), cookie.getValue());
        }
    }

    /** At another site, which gets none of the cookies. */
    Answer elsewhere(String address) {
        return server.send(HttpRequest.newBuilder(URI.create(address)));
    }

    /** All the way there and back; the last answer of ours. */
    Answer signIn(StandInIssuer issuer) {
        var there = get("/oauth/login");
        if (there.header("Location").startsWith("/")) {
            return there;
        }
        var back = issuer.follow(this, there.header("Location"));
        return get(back.getRawPath() + "?" + back.getRawQuery());
    }
}
