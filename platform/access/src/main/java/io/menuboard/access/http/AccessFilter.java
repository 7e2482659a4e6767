package io.menuboard.access.http;

import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor.Source;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.RouteAttributes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives every request its {@link Principal}, and lets it go on only where its route says that this principal may. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(AccessFilter.ORDER)
final class AccessFilter {
    /** Behind what refuses requests whoever sends them, and before everything that does something for a request. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    private final Principals principals;

    AccessFilter(Principals principals) {
        this.principals = principals;
    }

    /**
     * Lets requests pass without asking who sends them where no route of ours answers, or one that is open to all.
     *
     * @return the same, to go on with: where nothing comes later, Micronaut 4.10 ends the request
     * @throws Unauthenticated (later) where the route takes somebody who is known, and nobody is
     * @throws Denied (later) where the permission is missing that the route requires
     */
    @RequestFilter
    CompletableFuture<HttpRequest<?>> admit(HttpRequest<?> request) {
        var route = RouteAttributes.getRouteMatch(request).map(match -> match.getAnnotationMetadata());
        if (route.isEmpty() || Openness.of(request) != Openness.TO_KNOWN_CALLERS) {
            return CompletableFuture.completedFuture(request);
        }
        return principals.of(request).thenApply(caller -> {
            admit(request, caller, route.get());
            return request;
        });
    }

    /** A route without a rule is a mistake of ours, and closed. */
    private static void admit(HttpRequest<?> request, Caller caller, AnnotationMetadata route) {
        principal(caller).ifPresent(known -> request.setAttribute(RequestAccess.PRINCIPAL, known));
        var permission = route.enumValue(RequiresPermission.class, Permission.class);
        if (permission.isPresent()) {
            requirePasswordOfTheirOwn(caller);
            RequestAccess.of(request, Source.PAGE).require(permission.get());
        } else if (route.hasAnnotation(SignedIn.class)) {
            RequestAccess.require(request);
            if (!route.booleanValue(SignedIn.class, "beforePasswordChange").orElse(false)) {
                requirePasswordOfTheirOwn(caller);
            }
        } else {
            throw new IllegalStateException("the route has no rule: " + route);
        }
    }

    private static Optional<Principal> principal(Caller caller) {
        return switch (caller) {
            case Caller.Known(var principal) -> Optional.of(principal);
            case Caller.MustChangePassword(var principal) -> Optional.of(principal);
            case Caller.Nobody _ -> Optional.empty();
        };
    }

    private static void requirePasswordOfTheirOwn(Caller caller) {
        if (caller instanceof Caller.MustChangePassword) {
            throw Unauthenticated.untilPasswordIsChanged();
        }
    }
}
