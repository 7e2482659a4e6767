package io.menuboard.graphql;

import graphql.introspection.Introspection;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.Node;
import graphql.language.SelectionSet;
import graphql.language.SelectionSetContainer;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses documents that ask for the schema, whatever alias or fragment they hide that in, where it is not meant to be shown.
 * {@code __typename} is no such question.
 */
final class IntrospectionSwitch {
    private static final Set<String> FIELDS =
            Set.of(Introspection.SchemaMetaFieldDef.getName(), Introspection.TypeMetaFieldDef.getName());

    private IntrospectionSwitch() {}

    /** Empty where the document may be executed. */
    static Optional<GraphQlError> refusal(Document document, GraphQlConfig config) {
        return config.introspection() || document.getDefinitions().stream().noneMatch(IntrospectionSwitch::asks)
                ? Optional.empty()
                : Optional.of(
                        GraphQlError.of(
                                "INTROSPECTION_DISABLED",
                                "the schema cannot be asked for here (menuboard.graphql.introspection): it is docs/schema.graphql"));
    }

    private static boolean asks(Node<?> node) {
        return (node instanceof Field field && FIELDS.contains(field.getName()))
                || (node instanceof SelectionSetContainer<?> container && asks(container.getSelectionSet()));
    }

    private static boolean asks(@Nullable SelectionSet selections) {
        return selections != null && selections.getSelections().stream().anyMatch(IntrospectionSwitch::asks);
    }
}
