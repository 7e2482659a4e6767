package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.introspection.Introspection;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLNamedSchemaElement;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.ScalarInfo;
import io.menuboard.graphql.GraphQlServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphQlSchemaTest {
    private final GraphQlServer server = ApplicationServer.shared();

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

    private static void require(GraphQLNamedSchemaElement element, String name, List<String> undescribed) {
        var description = element.getDescription();
        if (description == null || description.isBlank()) {
            undescribed.add(name);
        }
    }
}
