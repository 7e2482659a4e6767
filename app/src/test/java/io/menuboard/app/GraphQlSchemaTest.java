package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.introspection.Introspection;
import graphql.language.ObjectValue;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLNamedSchemaElement;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import graphql.schema.InputValueWithState;
import graphql.schema.idl.ScalarInfo;
import io.menuboard.graphql.GraphQlServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GraphQlSchemaTest {
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        server = ApplicationServer.start(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void describesEverything() {
        var undescribed = new ArrayList<String>();
        for (var type : server.bean(GraphQLSchema.class).getAllTypesAsList()) {
            if (Introspection.isIntrospectionTypes(type) || ScalarInfo.isGraphqlSpecifiedScalar(type.getName())) {
                continue;
            }
            require(type, type.getName(), undescribed);
            switch (type) {
                case GraphQLFieldsContainer fields -> {
                    for (var field : fields.getFieldDefinitions()) {
                        var name = type.getName() + "." + field.getName();
                        require(field, name, undescribed);
                        for (var argument : field.getArguments()) {
                            require(argument, name + "(" + argument.getName() + ")", undescribed);
                        }
                    }
                }
                case GraphQLInputObjectType input -> {
                    for (var field : input.getFields()) {
                        require(field, type.getName() + "." + field.getName(), undescribed);
                    }
                }
                case GraphQLEnumType values -> {
                    for (var value : values.getValues()) {
                        require(value, type.getName() + "." + value.getName(), undescribed);
                    }
                }
                default -> {}
            }
        }

        assertThat(undescribed).isEmpty();
    }

    @Test
    void takesNullWhereThereIsADefaultAndHasDefaultsThatClientsCanPrint() {
        var wrong = new ArrayList<String>();
        for (var type : server.bean(GraphQLSchema.class).getAllTypesAsList()) {
            if (type instanceof GraphQLInputObjectType input) {
                input.getFields().stream()
                        .filter(field -> field.hasSetDefaultValue()
                                && !isUsable(field.getType(), field.getInputFieldDefaultValue()))
                        .forEach(field -> wrong.add(type.getName() + "." + field.getName()));
            } else if (type instanceof GraphQLFieldsContainer fields) {
                fields.getFieldDefinitions().stream()
                        .flatMap(field -> field.getArguments().stream())
                        .filter(argument -> argument.hasSetDefaultValue()
                                && !isUsable(argument.getType(), argument.getArgumentDefaultValue()))
                        .forEach(argument -> wrong.add(type.getName() + ": " + argument.getName()));
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** JavaScript's graphql cannot print objects that are defaults of scalars of ours. */
    private static boolean isUsable(GraphQLType type, InputValueWithState value) {
        return !GraphQLTypeUtil.isNonNull(type) && !(value.getValue() instanceof ObjectValue);
    }

    private static void require(GraphQLNamedSchemaElement element, String name, List<String> undescribed) {
        var description = element.getDescription();
        if (description == null || description.isBlank()) {
            undescribed.add(name);
        }
    }
}
