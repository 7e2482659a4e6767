package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.introspection.Introspection;
import graphql.introspection.IntrospectionQuery;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLNamedSchemaElement;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.ScalarInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GraphQlSchemaTest {
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static SampleServer server;

    @BeforeAll
    static void start() {
        server = SampleServer.start();
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
    void showsItselfToClientsThatAsk() {
        var answer = server.execute(IntrospectionQuery.INTROSPECTION_QUERY);

        assertThat(answer.data().path("__schema").path("types")).isNotEmpty();
    }

    @Test
    void refusesIntrospectionThatIsNotMeantToBeRead() {
        var types = "types { fields { type { fields { name } } } }";
        for (var document : List.of(
                "{ __schema { %s } }".formatted(types),
                "{ __schema { a: %s b: %s } a: __schema { %s } }".formatted(types, types, types))) {
            var answer = server.execute(document);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("INTROSPECTION_REFUSED");
        }
    }

    private static void require(GraphQLNamedSchemaElement element, String name, List<String> undescribed) {
        var description = element.getDescription();
        if (description == null || description.isBlank()) {
            undescribed.add(name);
        }
    }
}
