package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queueStatistics { type }",
                "taskCounts(from: \"2026-01-01T00:00:00Z\") { nodes { type } }",
                "tasks { nodes { id } }",
                "bulkPreview(action: CANCEL, filter: {}) { sample { id } }",
                "topRestaurants(window: DAY, last: 1) { nodes { rank } }",
                "scheduledBatches(from: \"2026-01-01T00:00:00Z\", to: \"2026-02-01T00:00:00Z\") { nodes { size } }",
                "agencyStatements(agency: \"a\", from: \"2025-01\", to: \"2026-01\") { month }",
                "reconciliation(from: \"2026-01-01T00:00:00Z\", to: \"2026-01-02T00:00:00Z\") { closed }",
                "billableTransactions(agency: \"a\", from: \"2026-01-01T00:00:00Z\", to: \"2026-02-01T00:00:00Z\") { nodes { report { line { late } } } }"
            })
    void refusesMoreThanTwelveFieldsThatReadMuch(String field) {
        var aliases =
                IntStream.range(0, 13).mapToObj(i -> "a" + i + ": " + field).collect(Collectors.joining(" "));

        assertThat(server.execute("{ " + aliases + " }").code()).isEqualTo("QUERY_TOO_COSTLY");
        assertThat(server.execute("{ " + field + " }")
                        .body()
                        .at("/errors/0/extensions/code")
                        .asText())
                .isNotEqualTo("QUERY_TOO_COSTLY");
    }

    @Test
    void saysWhatAnAnswerCost() {
        var cost = server.post("{\"query\": \"{ worker(id: \\\"ada\\\") { id } }\", \"extensions\": {\"cost\": true}}")
                .join()
                .body()
                .at("/extensions/cost");

        assertThat(cost.path("requested").asInt()).isEqualTo(1_001);
        assertThat(cost.path("limit").asInt()).isEqualTo(250_000);
        assertThat(cost.path("tableRequests").asInt()).isPositive();
        assertThat(cost.path("capacityUnits").asDouble()).isPositive();
    }

    @Test
    void saysWhatAClaimCostThatWaited() {
        var claim =
                "mutation { claimTasks(input: {worker: \"ada\", types: [\"none\"], waitSeconds: 1}) { errors { code } } }";

        var answer = server.post("{\"query\": " + GraphQlServer.json(claim) + ", \"extensions\": {\"cost\": true}}")
                .join();

        assertThat(answer.body().at("/extensions/cost/tableRequests").asInt()).isPositive();
    }

    @Test
    void chargesAClaimForEachType() {
        var claim =
                "mutation($types: [String!]!) { a: claimTasks(input: {worker: \"w\", types: $types}) { errors { code } }"
                        + " b: claimTasks(input: {worker: \"w\", types: $types}) { errors { code } } }";
        var types = IntStream.range(0, 125).mapToObj(i -> "type" + i).toList();

        assertThat(server.execute(claim, Map.of("types", types)).code()).isEqualTo("QUERY_TOO_COSTLY");
        assertThat(server.data(claim, Map.of("types", types.subList(0, 5))).findValues("errors"))
                .allMatch(JsonNode::isEmpty);
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
