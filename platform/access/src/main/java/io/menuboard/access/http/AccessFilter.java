package io.menuboard.access.http;

import io.menuboard.access.Access;
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

/** Gives every request its {@link Principal}, and lets it go on only where its route says that this principal may. */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(AccessFilter.ORDER)
final class AccessFilter {
    /** Behind what refuses requests whoever sends them, and before everything that does something for a request. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    /** Of operations, such as health: they are not ours to annotate. */
    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    private final Principals principals;

    AccessFilter(Principals principals) {
        this.principals = principals;
    }

    /**
     * Lets requests without a route pass: nothing answers them.
     *
     * @throws Denied where the permission is missing that the route requires
     */
    @RequestFilter
    void admit(HttpRequest<?> request) {
        var principal = principals.of(request);
        request.setAttribute(RequestAccess.PRINCIPAL, principal);
        RouteAttributes.getRouteMatch(request)
                .ifPresent(route -> require(RequestAccess.of(request, Source.PAGE), route.getAnnotationMetadata()));
    }

    /** A route without a rule is a mistake of ours, and closed. */
    private static void require(Access access, AnnotationMetadata route) {
        var permission = route.enumValue(RequiresPermission.class, Permission.class);
        if (permission.isPresent()) {
            access.require(permission.get());
        } else if (!route.hasAnnotation(OpenToAll.class) && !route.hasStereotype(ENDPOINT)) {
            throw new IllegalStateException("the route has no rule: " + route);
        }
    }
}
