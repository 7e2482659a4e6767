package io.menuboard.app;

import graphql.Directives;
import graphql.language.Document;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.SchemaPrinter;
import java.util.Set;

/** A schema as client developers have it: one file in the schema definition language, everything in the order of its name. */
final class SchemaText {
    /** Directives that every GraphQL tool knows by itself, and those that are not served. */
    private static final Set<String> NOT_OURS = Set.of(
            "include",
            "skip",
            "deprecated",
            "specifiedBy",
            "oneOf",
            Directives.DeferDirective.getName(),
            Directives.ExperimentalDisableErrorPropagationDirective.getName());

    private SchemaText() {}

    static String print(GraphQLSchema schema) {
        var options =
                SchemaPrinter.Options.defaultOptions().includeDirectiveDefinition(name -> !NOT_OURS.contains(name));
        return new SchemaPrinter(options).print(schema);
    }

    static Document parse(String text) {
        return Parser.parse(ParserEnvironment.newParserEnvironment()
                .document(text)
                .parserOptions(ParserOptions.getDefaultSdlParserOptions())
                .build());
    }
}
