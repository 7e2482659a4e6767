package io.menuboard.app;

import io.menuboard.graphql.GraphQlResponse;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.exceptions.HttpStatusException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, by the headers alone and whatever the path, what a browser was made to send by somebody else's page:
 *
 * <ul>
 *   <li>requests without exactly one {@code Host} (RFC 9112, section 3.2), or with two types; {@code 400}.
 *   <li>requests to a host by another name than {@code menuboard.hosts}: a page that points its own name at this machine
 *       (DNS rebinding) would count as ours; {@code 421}. Health is asked for by load balancers, under any name.
 *   <li>requests that may change something and come from another site, by {@code Sec-Fetch-Site} (W3C Fetch Metadata), or
 *       where a browser does not send that, by {@code Origin}; {@code 403}. Clients that are no browsers send neither.
 * </ul>
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class Doors {
    private static final String HEALTH = "/health";
    private static final Set<String> SAME_SITE = Set.of("same-origin", "none");

    private final Set<String> hosts;

    Doors(MenuboardConfig config) {
        hosts = config.hosts().stream().map(Doors::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Null lets the request pass. */
    @RequestFilter
    @Nullable
    HttpResponse<?> refuse(HttpRequest<?> request) {
        var malformed = malformed(request);
        if (malformed != null) {
            return refuse(request, HttpStatus.BAD_REQUEST, "BAD_REQUEST", malformed);
        }
        var host = request.getHeaders().get(HttpHeaders.HOST);
        if (!isOurs(host) && !isHealth(request.getPath())) {
            return refuse(
                    request,
                    HttpStatus.MISDIRECTED_REQUEST,
                    "MISDIRECTED_REQUEST",
                    "Host names no host of this service (menuboard.hosts)");
        }
        if (mayChangeSomething(request) && isFromElsewhere(request, host)) {
            return refuse(
                    request,
                    HttpStatus.FORBIDDEN,
                    "CROSS_SITE_REQUEST",
                    "a page of another site must not change anything here");
        }
        return null;
    }

    /** The rule that is broken, or null. */
    private static @Nullable String malformed(HttpRequest<?> request) {
        var hosts = request.getHeaders().getAll(HttpHeaders.HOST).size();
        if (hosts > 1 || (hosts == 0 && request.getHttpVersion() == HttpVersion.HTTP_1_1)) {
            return "a request has exactly one Host";
        }
        if (request.getHeaders().getAll(HttpHeaders.CONTENT_TYPE).size() > 1) {
            return "a request has at most one Content-Type";
        }
        return null;
    }

    private boolean isOurs(@Nullable String host) {
        return host != null && hosts.contains(name(host));
    }

    private static boolean isHealth(String path) {
        return path.equals(HEALTH) || path.startsWith(HEALTH + "/");
    }

    private static boolean mayChangeSomething(HttpRequest<?> request) {
        return switch (request.getMethod()) {
            case GET, HEAD, OPTIONS -> false;
            default -> true;
        };
    }

    private static boolean isFromElsewhere(HttpRequest<?> request, @Nullable String host) {
        var site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null) {
            return !SAME_SITE.contains(site);
        }
        // The scheme is not compared: behind a proxy that ends TLS it is not known here.
        var origin = request.getHeaders().get(HttpHeaders.ORIGIN);
        return origin != null && !origin.replaceFirst("^https?://", "").equalsIgnoreCase(host);
    }

    /** GraphQL clients read JSON; everything else has pages for errors. */
    private static HttpResponse<?> refuse(HttpRequest<?> request, HttpStatus status, String code, String message) {
        if (!GraphQlResponse.isEndpoint(request)) {
            throw new HttpStatusException(status, message);
        }
        return GraphQlResponse.refusal(request, HttpResponse.status(status), code, message);
    }

    /** Without port, in lower case. */
    private static String name(String host) {
        return host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
    }
}
