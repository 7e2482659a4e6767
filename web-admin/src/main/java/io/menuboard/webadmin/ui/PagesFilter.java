package io.menuboard.webadmin.ui;

import io.menuboard.access.http.RequestAccess;
import io.menuboard.kernel.Actor;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.regex.Pattern;

/**
 * The outermost door: every request and answer passes here, whichever controller, filter or error made it, files and GraphQL
 * included. Gives them {@link AnswerHeaders}, and tells browsers to keep nothing that somebody had to sign in for, and to come by
 * TLS alone once they did.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PagesFilter {
    /** A list of languages with an element that is nothing but separators: Micronaut's parser fails on those. */
    private static final Pattern NO_LANGUAGE = Pattern.compile(",+|(.*,)?;+(,.*)?");

    private final String transportSecurity;

    PagesFilter(AdminConfig config) {
        transportSecurity = "max-age=" + config.hstsMaxAge().toSeconds();
    }

    /** As if it had not been sent, which RFC 9110, section 12.5.4, allows. */
    @RequestFilter
    void ignoreWhatCannotBeRead(HttpRequest<?> request) {
        var languages = request.getHeaders().get(HttpHeaders.ACCEPT_LANGUAGE);
        if (languages != null
                && NO_LANGUAGE.matcher(languages).matches()
                && request.getHeaders() instanceof MutableHttpHeaders headers) {
            headers.remove(HttpHeaders.ACCEPT_LANGUAGE);
        }
    }

    @ResponseFilter
    void protect(HttpRequest<?> request, MutableHttpResponse<?> response) {
        AnswerHeaders.protect(response);
        if (cameByTls(request)) {
            response.getHeaders().set("Strict-Transport-Security", transportSecurity);
        }
        if (isForOneAlone(request) && !mayBeKept(request, response)) {
            response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
        }
    }

    /** Whoever lies about it misleads nobody but themselves. */
    private static boolean cameByTls(HttpRequest<?> request) {
        return request.isSecure()
                || "https".equalsIgnoreCase(request.getHeaders().get("X-Forwarded-Proto"));
    }

    /** True for what a program keeps to ask again whether it still is so; what a person sees stays nowhere. */
    private static boolean mayBeKept(HttpRequest<?> request, MutableHttpResponse<?> response) {
        return response.getHeaders().contains(HttpHeaders.ETAG)
                && RequestAccess.principal(request)
                        .filter(principal -> principal.kind() == Actor.Kind.TOKEN)
                        .isPresent();
    }

    private static boolean isForOneAlone(HttpRequest<?> request) {
        return RequestAccess.principal(request)
                .filter(principal -> principal.id() != null)
                .isPresent();
    }
}
