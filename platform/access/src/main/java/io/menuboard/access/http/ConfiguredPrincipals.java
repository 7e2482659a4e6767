package io.menuboard.access.http;

import io.menuboard.access.Principal;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Who sends requests where nobody signs in ({@code menuboard.sign-in=false}): one name for pages, and one for GraphQL, with
 * every role for everything. Has no identity, as everybody is the same. Only for an instance that nobody but this machine
 * reaches: with another {@code micronaut.server.host} it does not start.
 */
@Context // so that settings that are wrong stop the start
@Requires(property = ConfiguredPrincipals.SIGN_IN, value = "false")
final class ConfiguredPrincipals implements Principals {
    static final String SIGN_IN = "menuboard.sign-in";
    private static final String GRAPHQL_PATH = "/graphql";
    private static final String GRAPHQL_ACTOR = "menuboard.graphql.actor";
    private static final String ADMIN_ACTOR = "menuboard.admin.actor";

    private final CompletableFuture<Caller> graphQl;
    private final CompletableFuture<Caller> pages;

    ConfiguredPrincipals(
            @Property(name = GRAPHQL_ACTOR, defaultValue = "graphql") String graphQl,
            @Property(name = ADMIN_ACTOR, defaultValue = "back-office") String pages,
            @Property(name = "micronaut.server.host", defaultValue = "localhost") String host) {
        requireLoopback(host);
        this.graphQl = named(GRAPHQL_ACTOR, graphQl);
        this.pages = named(ADMIN_ACTOR, pages);
    }

    private static void requireLoopback(String host) {
        if (!Loopback.is(host)) {
            throw new IllegalArgumentException(SIGN_IN
                    + "=false opens everything to everybody: micronaut.server.host must be 127.0.0.1, not " + host);
        }
    }

    private static CompletableFuture<Caller> named(String setting, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(setting + " must not be blank");
        }
        return CompletableFuture.completedFuture(new Caller.Known(Principal.withEveryRole(name)));
    }

    @Override
    public CompletableFuture<Caller> of(HttpRequest<?> request) {
        var path = request.getPath();
        return path.equals(GRAPHQL_PATH) || path.startsWith(GRAPHQL_PATH + "/") ? graphQl : pages;
    }
}
