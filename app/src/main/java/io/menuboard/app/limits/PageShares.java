package io.menuboard.app.limits;

import io.menuboard.access.http.RequestAccess;
import io.menuboard.webadmin.ui.AdminConfig;
import io.menuboard.webadmin.ui.PageThreads;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets one account or token ask for so many pages at once as half of the places for pages can make, those that wait included, so that
 * its slow ones leave places to others, and to whoever signs in (ADR 30). A principal without an identity is everybody, and has all.
 */
@Singleton
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(PageShares.ORDER)
final class PageShares {
    /** Behind what finds out who sends a request, and what refuses forms of other sites. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 120;

    private static final String COUNTED = PageShares.class.getName();
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final int most;
    private final ConcurrentHashMap<String, Integer> pages = new ConcurrentHashMap<>();

    PageShares(AdminConfig config) {
        most = Math.ceilDiv(config.pagesAtOnce(), 2);
    }

    /** @throws TooManyRequests where it is one too many */
    @RequestFilter
    void count(HttpRequest<?> request) {
        if (!isPage(request)) {
            return;
        }
        RequestAccess.principal(request)
                .flatMap(principal -> Optional.ofNullable(principal.id()))
                .ifPresent(id -> {
                    if (pages.merge(id, 1, Integer::sum) > most) {
                        leave(id);
                        throw new TooManyRequests(WAIT);
                    }
                    request.setAttribute(COUNTED, id);
                });
    }

    /** Also where the client has gone, or what it sent was refused: Micronaut makes an answer all the same. */
    @ResponseFilter
    void answered(HttpRequest<?> request) {
        request.removeAttribute(COUNTED, String.class).ifPresent(this::leave);
    }

    private void leave(String id) {
        pages.computeIfPresent(id, (_, count) -> count == 1 ? null : count - 1);
    }

    private static boolean isPage(HttpRequest<?> request) {
        return RouteAttributes.getRouteInfo(request)
                .flatMap(route -> route.getAnnotationMetadata().stringValue(ExecuteOn.class))
                .filter(PageThreads.NAME::equals)
                .isPresent();
    }
}
