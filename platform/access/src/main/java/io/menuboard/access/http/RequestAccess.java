package io.menuboard.access.http;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor.Source;
import io.micronaut.http.HttpRequest;

/** The access of who sends a request. */
public final class RequestAccess {
    static final String PRINCIPAL = Principal.class.getName();

    private RequestAccess() {}

    /**
     * The access of a request that has passed the filter, as every request has that reaches a controller.
     *
     * @throws IllegalStateException for any other
     */
    public static Access of(HttpRequest<?> request, Source source) {
        return request.getAttribute(PRINCIPAL, Principal.class)
                .map(principal -> new Access(principal, source))
                .orElseThrow(() -> new IllegalStateException("a request without a principal"));
    }
}
