package io.menuboard.access.http;

import io.micronaut.http.HttpRequest;
import io.micronaut.web.router.RouteAttributes;

/** Who may send requests to a route. */
public enum Openness {
    /** Whoever operates this service, who keeps others from it: health and metrics. */
    OPERATIONS,
    /** Anybody: routes that say so, and addresses where there is no route. */
    TO_ALL,
    /** Those who are known; all other routes. */
    TO_KNOWN_CALLERS;

    /** Of routes that are not ours to annotate. */
    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    /** That of the route that answers a request; looks nobody up. */
    public static Openness of(HttpRequest<?> request) {
        var route = RouteAttributes.getRouteMatch(request)
                .map(match -> match.getAnnotationMetadata())
                .orElse(null);
        if (route == null || route.hasAnnotation(OpenToAll.class)) {
            return TO_ALL;
        }
        return route.hasStereotype(ENDPOINT) || route.hasAnnotation(OpenToOperations.class)
                ? OPERATIONS
                : TO_KNOWN_CALLERS;
    }
}
