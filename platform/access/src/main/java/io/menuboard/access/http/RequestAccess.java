package io.menuboard.access.http;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor.Source;
import io.micronaut.http.HttpRequest;
import java.util.Optional;

/** The access of who sends a request. */
public final class RequestAccess {
    static final String PRINCIPAL = Principal.class.getName();

    private RequestAccess() {}

    /**
     * The access of who sends a request.
     *
     * @throws Unauthenticated where it is not known who that is
     */
    public static Access of(HttpRequest<?> request, Source source) {
        return new Access(require(request), source);
    }

    /** Who sends a request; empty where that is not known, or nobody has asked yet. */
    public static Optional<Principal> principal(HttpRequest<?> request) {
        return request.getAttribute(PRINCIPAL, Principal.class);
    }

    static Principal require(HttpRequest<?> request) {
        return principal(request).orElseThrow(Unauthenticated::nobody);
    }
}
