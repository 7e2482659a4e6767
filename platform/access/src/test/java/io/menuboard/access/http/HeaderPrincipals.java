package io.menuboard.access.http;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;

/** Believes whoever sends a request who it is, and that it has the grants of a header, one each. */
@Singleton
@Replaces(ConfiguredPrincipals.class)
@Requires(property = HeaderPrincipals.SETTING)
public final class HeaderPrincipals implements Principals {
    public static final String SETTING = "test.grants-by-header";

    /** A {@link Grant#text}. */
    public static final String GRANT = "X-Grant";

    /** An id; u1 where it is not sent. */
    public static final String ID = "X-Principal";

    /** An {@link Actor.Kind}; a person where it is not sent. */
    public static final String KIND = "X-Principal-Kind";

    @Override
    public CompletableFuture<Caller> of(HttpRequest<?> request) {
        var grants =
                request.getHeaders().getAll(GRANT).stream().map(Grant::parse).collect(toUnmodifiableSet());
        var id = request.getHeaders().get(ID, String.class).orElse("u1");
        var kind = request.getHeaders().get(KIND, Actor.Kind.class).orElse(Actor.Kind.USER);
        return CompletableFuture.completedFuture(new Caller.Known(new Principal(id, kind, "grace", grants)));
    }
}
