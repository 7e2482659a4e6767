package io.menuboard.graphql.permissions;

import graphql.schema.GraphQLDirectiveContainer;
import io.menuboard.access.Permission;
import java.util.List;
import java.util.Objects;

/** The permissions that a schema says its fields and types require. */
public final class Rules {
    private static final String DIRECTIVE = "requires";

    private Rules() {}

    /**
     * The rules of a field or type; none where it has no rule of its own.
     *
     * @throws IllegalArgumentException where the schema names a permission that there is not
     */
    public static List<Permission> of(GraphQLDirectiveContainer place) {
        return place.getAppliedDirectives(DIRECTIVE).stream()
                .map(rule -> Permission.valueOf(
                        Objects.requireNonNull(rule.getArgument("permission").<String>getValue())))
                .toList();
    }
}
