package io.menuboard.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.language.FieldDefinition;
import graphql.language.ObjectTypeDefinition;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import graphql.schema.idl.SchemaParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks for everything that a field has, and remembers which fields of the schema had something to say. */
public final class AskedFields {
    private final GraphQlServer server;
    private final GraphQLSchema schema;
    private final Set<String> answered = new TreeSet<>();

    public AskedFields(GraphQlServer server) {
        this.server = server;
        this.schema = server.bean(GraphQLSchema.class);
    }

    /** What a mutation answers; it must not fail. */
    public JsonNode mutate(String field, String arguments) {
        return ask(schema.getMutationType(), "mutation", field + "(" + arguments + ")");
    }

    /**
     * What a query answers; it must not fail.
     *
     * @param field with its arguments
     */
    public JsonNode query(String field) {
        return ask(schema.getQueryType(), "query", field);
    }

    /** The fields of one fragment of the schema, as {@code Type.field}, that have not been answered. */
    public Set<String> unanswered(String fragment) {
        var fields = fieldsOf(fragment);
        fields.removeAll(answered);
        return fields;
    }

    private JsonNode ask(GraphQLFieldsContainer root, String kind, String call) {
        var name = call.split("\\(", 2)[0];
        var type = root.getFieldDefinition(name).getType();
        var answer = server.data(kind + " { " + call + everythingOf(type) + " }");
        note(root, answer);
        return answer.path(name);
    }

    private String everythingOf(GraphQLType type) {
        return everythingOf(type, Set.of());
    }

    /**
     * But for fields that need arguments, for those that lead back to a type on the way, and for the length of lists in lists,
     * which costs too much. Of nodes of nodes only what leads nowhere, as everything leads to everything.
     */
    private String everythingOf(GraphQLType type, Set<String> way) {
        if (!(GraphQLTypeUtil.unwrapAll(type) instanceof GraphQLFieldsContainer object)) {
            return "";
        }
        var isPlain = isNode(object) && way.stream().anyMatch(name -> isNode(schema.getType(name)));
        var on = Stream.concat(way.stream(), Stream.of(object.getName())).collect(Collectors.toUnmodifiableSet());
        return object.getFieldDefinitions().stream()
                .filter(field -> field.getArguments().stream()
                        .noneMatch(argument ->
                                GraphQLTypeUtil.isNonNull(argument.getType()) && !argument.hasSetDefaultValue()))
                .filter(field -> {
                    var of = GraphQLTypeUtil.unwrapAll(field.getType());
                    return isPlain ? !(of instanceof GraphQLFieldsContainer) : isNode(of) || !on.contains(of.getName());
                })
                .filter(field -> way.size() <= 1 || !field.getName().equals("totalCount"))
                .map(field -> field.getName() + page(field) + everythingOf(field.getType(), on))
                .collect(Collectors.joining(" ", " { ", " }"));
    }

    private static boolean isNode(@Nullable GraphQLType type) {
        return type instanceof GraphQLObjectType object
                && object.getInterfaces().stream()
                        .anyMatch(each -> each.getName().equals("Node"));
    }

    /** Small pages: lists of lists would cost too much. */
    private static String page(GraphQLFieldDefinition field) {
        return field.getArgument("first") == null ? "" : "(first: 2)";
    }

    /** A field is answered by a value, a list by an element. */
    private void note(GraphQLType type, JsonNode value) {
        if (value.isArray()) {
            value.forEach(element -> note(type, element));
        } else if (GraphQLTypeUtil.unwrapAll(type) instanceof GraphQLFieldsContainer object && value.isObject()) {
            for (var field : object.getFieldDefinitions()) {
                var answer = value.path(field.getName());
                var list = GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(field.getType()));
                if (!answer.isMissingNode() && !answer.isNull() && !(list && answer.isEmpty())) {
                    answered.add(object.getName() + "." + field.getName());
                    note(field.getType(), answer);
                }
            }
        }
    }

    private static Set<String> fieldsOf(String fragment) {
        var name = "/graphql/" + fragment;
        try (var resource = Objects.requireNonNull(AskedFields.class.getResourceAsStream(name))) {
            var parsed = new SchemaParser().parse(new InputStreamReader(resource, StandardCharsets.UTF_8));
            var own = parsed.getTypes(ObjectTypeDefinition.class).stream();
            var extensions = parsed.objectTypeExtensions().values().stream().flatMap(List::stream);
            return Stream.concat(own, extensions)
                    .flatMap(type -> type.getFieldDefinitions().stream()
                            .map(FieldDefinition::getName)
                            .map(field -> type.getName() + "." + field))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
