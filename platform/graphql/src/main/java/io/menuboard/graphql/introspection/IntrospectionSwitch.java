package io.menuboard.graphql.introspection;

import graphql.introspection.Introspection;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.Node;
import graphql.language.SelectionSet;
import graphql.language.SelectionSetContainer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds documents that ask for the schema, whatever alias or fragment they hide that in. {@code __typename} is no such
 * question.
 */
public final class IntrospectionSwitch {
    private static final Set<String> FIELDS =
            Set.of(Introspection.SchemaMetaFieldDef.getName(), Introspection.TypeMetaFieldDef.getName());

    private IntrospectionSwitch() {}

    /** True if any definition of the document asks. */
    public static boolean isAskedBy(Document document) {
        return document.getDefinitions().stream().anyMatch(IntrospectionSwitch::asks);
    }

    private static boolean asks(Node<?> node) {
        return (node instanceof Field field && FIELDS.contains(field.getName()))
                || (node instanceof SelectionSetContainer<?> container && asks(container.getSelectionSet()));
    }

    private static boolean asks(@Nullable SelectionSet selections) {
        return selections != null && selections.getSelections().stream().anyMatch(IntrospectionSwitch::asks);
    }
}
