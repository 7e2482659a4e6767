package io.menuboard.graphql.introspection;

import graphql.Directives;
import graphql.language.Directive;
import graphql.schema.DataFetcher;
import graphql.schema.FieldCoordinates;
import graphql.schema.GraphQLCodeRegistry;
import java.util.Set;

/**
 * Directives that graphql-java adds to every schema though they are not served: {@code @defer} would be ignored, and
 * {@code @experimental_disableErrorPropagation} makes answers that the schema does not allow. Neither introspection nor
 * documents know them.
 */
public final class HiddenDirectives {
    private static final Set<String> NAMES = Set.of(
            Directives.DeferDirective.getName(), Directives.ExperimentalDisableErrorPropagationDirective.getName());

    private HiddenDirectives() {}

    public static boolean has(Directive directive) {
        return NAMES.contains(directive.getName());
    }

    /** Code of a schema whose introspection does not list them. */
    public static GraphQLCodeRegistry.Builder introspection() {
        return GraphQLCodeRegistry.newCodeRegistry()
                .dataFetcher(FieldCoordinates.coordinates("__Schema", "directives"), (DataFetcher<Object>)
                        schema -> schema.getGraphQLSchema().getDirectives().stream()
                                .filter(directive -> !NAMES.contains(directive.getName()))
                                .toList());
    }
}
