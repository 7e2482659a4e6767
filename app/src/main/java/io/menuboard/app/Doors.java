package io.menuboard.app;

import io.menuboard.graphql.GraphQlResponse;
import io.micronaut.context.annotation.Context;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.HttpServerConfiguration.CorsConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import io.micronaut.management.endpoint.EndpointDefaultConfiguration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses, by the headers alone and whatever the path, what a browser was made to send by somebody else's page:
 *
 * <ul>
 *   <li>requests without exactly one {@code Host} (RFC 9112, section 3.2), or with two types; {@code 400}.
 *   <li>requests to a host by another name than {@code menuboard.hosts}: a page that points its own name at this machine
 *       (DNS rebinding) would count as ours; {@code 421}. Health is asked for by load balancers, under any name, and so is
 *       everything that operations have a port of their own for.
 *   <li>requests that may change something, or whose answer a script wants to read, and that come from another site, by
 *       {@code Sec-Fetch-Site} (W3C Fetch Metadata), or where a browser does not send that, by {@code Origin}; {@code 403}.
 *       GraphQL alone is open to the origins that {@code menuboard.cors} names, or {@code micronaut.server.cors}, and to them
 *       without cookies. Clients that are no browsers send neither.
 * </ul>
 */
@Context // so that settings that are wrong stop the start
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Doors.ORDER)
final class Doors {
    /** Behind what gives every answer its headers, those of refusals too. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

    private static final String HEALTH = "/health";
    private static final Set<String> SAME_SITE = Set.of("same-origin", "none");

    private final Set<String> hosts;
    private final CorsConfiguration cors;
    private final Optional<Integer> operations;

    Doors(MenuboardConfig config, HttpServerConfiguration server, EndpointDefaultConfiguration endpoints) {
        operations = endpoints.getPort();
        cors = server.getCors();
        cors.getConfigurations().forEach(Doors::requireOrigins);
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
        if (!isOurs(host) && !isHealth(request.getPath()) && !isForOperations(request)) {
            return refuse(
                    request,
                    HttpStatus.MISDIRECTED_REQUEST,
                    "MISDIRECTED_REQUEST",
                    "Host names no host of this service (menuboard.hosts)");
        }
        var origin = request.getHeaders().get(HttpHeaders.ORIGIN);
        if ((origin != null || mayChangeSomething(request)) && isFromElsewhere(request, host, origin)) {
            if (!GraphQlResponse.isEndpoint(request) || !isAllowed(origin)) {
                return refuse(
                        request,
                        HttpStatus.FORBIDDEN,
                        "CROSS_SITE_REQUEST",
                        "a page of another site must not read or change anything here (menuboard.cors)");
            }
            removeCookies(request);
        }
        return null;
    }

    /**
     * As if none had been sent. CORS sees to that for requests of scripts, but not for WebSockets: from another host of the same site
     * a browser sends the cookie of a session with those.
     */
    private static void removeCookies(HttpRequest<?> request) {
        ((MutableHttpHeaders) request.getHeaders()).remove(HttpHeaders.COOKIE);
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

    private boolean isForOperations(HttpRequest<?> request) {
        return operations
                .filter(port -> port == request.getServerAddress().getPort())
                .isPresent();
    }

    private static boolean mayChangeSomething(HttpRequest<?> request) {
        return switch (request.getMethod()) {
            case GET, HEAD, OPTIONS -> false;
            default -> true;
        };
    }

    private static boolean isFromElsewhere(HttpRequest<?> request, @Nullable String host, @Nullable String origin) {
        var site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null) {
            return !SAME_SITE.contains(site);
        }
        // The scheme is not compared: behind a proxy that ends TLS it is not known here.
        return origin != null && !origin.replaceFirst("^https?://", "").equalsIgnoreCase(host);
    }

    /** Micronaut takes a configuration without any as one for all. */
    private static void requireOrigins(String name, CorsOriginConfiguration site) {
        if (site.getAllowedOriginsRegex().isEmpty() && site.getAllowedOrigins().contains("*")) {
            throw new IllegalArgumentException("micronaut.server.cors.configurations." + name
                    + " must name origins, with allowed-origins or allowed-origins-regex");
        }
    }

    /** To Micronaut, a configuration with a pattern alone has the origin {@code *}, which is none. */
    private boolean isAllowed(@Nullable String origin) {
        return origin != null
                && !origin.equals(CorsOriginConfiguration.ANY.getFirst())
                && cors.isEnabled()
                && cors.getConfigurations().values().stream()
                        .anyMatch(site -> site.getAllowedOrigins().contains(origin)
                                || site.getAllowedOriginsRegex()
                                        .filter(origin::matches)
                                        .isPresent());
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
