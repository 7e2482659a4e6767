package io.menuboard.app;

import static graphql.schema.GraphQLTypeUtil.unwrapAll;

import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import io.menuboard.access.Permission;
import io.menuboard.graphql.permissions.Rules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Permissions that whoever reads an object has for sure, because every way to its type takes them: from a query, a subscription
 * or a node. What mutations alone answer is not among them, and a page or an edge of it is taken for what is on it.
 */
final class KnownPermissions {
    private final Map<String, Set<Permission>> known = new HashMap<>();
    private final Deque<GraphQLObjectType> open = new ArrayDeque<>();

    KnownPermissions(GraphQLSchema schema) {
        Stream.of(schema.getQueryType(), schema.getSubscriptionType())
                .flatMap(Stream::ofNullable)
                .forEach(root -> narrow(root, EnumSet.noneOf(Permission.class)));
        for (var type : schema.getAllTypesAsList()) {
            if (type instanceof GraphQLObjectType object
                    && object.getInterfaces().stream()
                            .anyMatch(one -> one.getName().equals("Node"))) {
                narrow(object, of(object));
            }
        }
        while (!open.isEmpty()) {
            var type = open.pop();
            for (var field : type.getFieldDefinitions()) {
                var target = target(field);
                if (target != null) {
                    var oneWay = of(target);
                    oneWay.addAll(Rules.of(field));
                    oneWay.addAll(known.getOrDefault(type.getName(), Set.of()));
                    narrow(target, oneWay);
                }
            }
        }
    }

    private static EnumSet<Permission> of(GraphQLObjectType type) {
        var rules = EnumSet.noneOf(Permission.class);
        rules.addAll(Rules.of(type));
        return rules;
    }

    /** There is a way to the type that takes no more than these. */
    private void narrow(GraphQLObjectType type, EnumSet<Permission> oneWay) {
        var before = known.get(type.getName());
        if (before != null) {
            oneWay.retainAll(before);
        }
        if (!oneWay.equals(before)) {
            known.put(type.getName(), oneWay);
            open.push(type);
        }
    }

    /** The object type that a field leads to; null for none. */
    private static @Nullable GraphQLObjectType target(GraphQLFieldDefinition field) {
        if (!(unwrapAll(field.getType()) instanceof GraphQLObjectType type)) {
            return null;
        }
        return isPart(type)
                ? Stream.of("nodes", "node")
                        .flatMap(name -> Stream.ofNullable(type.getField(name)))
                        .findFirst()
                        .map(KnownPermissions::target)
                        .orElse(null)
                : type;
    }

    private static boolean isPart(GraphQLObjectType type) {
        return type.getName().endsWith("Connection") || type.getName().endsWith("Edge");
    }

    /** What the fields of the object that a field leads to take, beside what whoever sees the field is known to have. */
    Set<Permission> missing(GraphQLObjectType type, GraphQLFieldDefinition field) {
        var target = target(field);
        var here = known.get(type.getName());
        if (target == null || here == null || isPart(type)) {
            return Set.of();
        }
        var missing = of(target);
        missing.removeAll(Rules.of(field));
        missing.removeAll(here);
        return missing;
    }
}
