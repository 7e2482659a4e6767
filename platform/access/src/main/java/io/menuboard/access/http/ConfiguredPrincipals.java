package io.menuboard.access.http;

import io.menuboard.access.Principal;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;

/**
 * Who sends requests where nobody signs in: one name for pages, and one for GraphQL, with every role for everything. Has no
 * identity, as everybody is the same.
 */
@Context // so that settings that are wrong stop the start
final class ConfiguredPrincipals implements Principals {
    private static final String GRAPHQL_PATH = "/graphql";
    private static final String GRAPHQL_ACTOR = "menuboard.graphql.actor";
    private static final String ADMIN_ACTOR = "menuboard.admin.actor";

    private final Principal graphQl;
    private final Principal pages;

    ConfiguredPrincipals(
            @Property(name = GRAPHQL_ACTOR, defaultValue = "graphql") String graphQl,
            @Property(name = ADMIN_ACTOR, defaultValue = "back-office") String pages) {
        this.graphQl = named(GRAPHQL_ACTOR, graphQl);
        this.pages = named(ADMIN_ACTOR, pages);
    }

    private static Principal named(String setting, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(setting + " must not be blank");
        }
        return Principal.withEveryRole(name);
    }

    @Override
    public Principal of(HttpRequest<?> request) {
        return request.getPath().equals(GRAPHQL_PATH) ? graphQl : pages;
    }
}
