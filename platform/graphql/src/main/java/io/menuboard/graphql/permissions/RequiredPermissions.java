package io.menuboard.graphql.permissions;

import static graphql.schema.GraphQLTypeUtil.unwrapAll;

import graphql.introspection.Introspection;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.TypeName;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permissions that one operation needs: those of every field that it selects, and of every type that it selects fields of.
 * Worked out once from its document, so that a request costs a look at a few grants. Knows an upper bound: {@code @skip} and
 * {@code @include} are not looked at. An object of {@code Node} whose type no fragment names is for {@code Nodes} to hide.
 */
public final class RequiredPermissions {
    private static final Set<String> INTROSPECTION =
            Set.of(Introspection.SchemaMetaFieldDef.getName(), Introspection.TypeMetaFieldDef.getName());

    /** With the place in the schema that asks for it, for people. */
    private final Map<Permission, String> permissions;

    private RequiredPermissions(Map<Permission, String> permissions) {
        this.permissions = permissions;
    }

    /** A permission that is missing, and the field or type that requires it. */
    public record Missing(Permission permission, String place) {}

    /**
     * Takes documents that are not valid too: what the schema does not know needs nothing.
     *
     * @param document the document that has the operation, with its fragments
     */
    public static RequiredPermissions of(OperationDefinition operation, Document document, GraphQLSchema schema) {
        var walk = new Walk(schema);
        document.getDefinitionsOfType(FragmentDefinition.class)
                .forEach(fragment -> walk.fragments.put(fragment.getName(), fragment));
        var root =
                switch (operation.getOperation()) {
                    case QUERY -> schema.getQueryType();
                    case MUTATION -> schema.getMutationType();
                    case SUBSCRIPTION -> schema.getSubscriptionType();
                };
        if (root != null) {
            walk.selections(operation.getSelectionSet(), root);
        }
        return new RequiredPermissions(Map.copyOf(walk.permissions));
    }

    /** One that is missing; empty where the operation may be executed. Without access, any is missing. */
    public Optional<Missing> missing(@Nullable Access access) {
        return permissions.entrySet().stream()
                .filter(required -> access == null || !access.may(required.getKey()))
                .map(required -> new Missing(required.getKey(), required.getValue()))
                .findFirst();
    }

    private static final class Walk {
        private final GraphQLSchema schema;
        private final Map<String, FragmentDefinition> fragments = new HashMap<>();
        private final Set<String> spread = new HashSet<>();
        private final Map<Permission, String> permissions = new EnumMap<>(Permission.class);

        Walk(GraphQLSchema schema) {
            this.schema = schema;
        }

        void selections(SelectionSet selections, @Nullable GraphQLType type) {
            for (Selection<?> selection : selections.getSelections()) {
                switch (selection) {
                    case Field field -> field(field, type);
                    case InlineFragment inline -> fragment(inline.getTypeCondition(), inline.getSelectionSet(), type);
                    case FragmentSpread of -> spread(of.getName());
                    default -> throw new IllegalStateException("not a selection: " + selection);
                }
            }
        }

        private void spread(String name) {
            var fragment = fragments.get(name);
            if (fragment != null && spread.add(name)) {
                fragment(fragment.getTypeCondition(), fragment.getSelectionSet(), null);
            }
        }

        private void fragment(@Nullable TypeName condition, SelectionSet selections, @Nullable GraphQLType otherwise) {
            var type = condition == null ? otherwise : schema.getType(condition.getName());
            require(type);
            selections(selections, type);
        }

        private void field(Field field, @Nullable GraphQLType parent) {
            if (!(parent instanceof GraphQLFieldsContainer container) || INTROSPECTION.contains(field.getName())) {
                return;
            }
            var definition = container.getFieldDefinition(field.getName());
            if (definition == null) {
                return;
            }
            var place = container.getName() + "." + field.getName();
            Rules.of(definition).forEach(permission -> permissions.putIfAbsent(permission, place));
            if (field.getSelectionSet() != null) {
                var type = unwrapAll(definition.getType());
                require(type);
                selections(field.getSelectionSet(), type);
            }
        }

        private void require(@Nullable GraphQLType type) {
            if (type instanceof GraphQLObjectType object) {
                Rules.of(object).forEach(permission -> permissions.putIfAbsent(permission, object.getName()));
            }
        }
    }
}
