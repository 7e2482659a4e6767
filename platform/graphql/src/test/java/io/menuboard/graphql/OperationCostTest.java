package io.menuboard.graphql;

import static io.menuboard.graphql.OperationCost.READ;
import static org.assertj.core.api.Assertions.assertThat;

import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.parser.Parser;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationCostTest {
    private static final OperationCost.Limits LIMITS = new OperationCost.Limits(6, 100_000, 64, 2_048);

    private static final GraphQLSchema SCHEMA = new SchemaGenerator()
            .makeExecutableSchema(
                    new SchemaParser().parse("""
                    directive @cost(weight: Int!) on FIELD_DEFINITION
                    directive @changes on INPUT_FIELD_DEFINITION
                    directive @length(max: Int!, cost: Int! = 0) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
                    directive @bounded(by: String!, most: Int! = 10) on FIELD_DEFINITION
                    type Query { byId(ids: [ID!]! @length(max: 9)): [Store], menu: [Tag!]! @bounded(by: "a store", most: 500), few: [Tag!]! @bounded(by: "its enum"), sums: Int @cost(weight: 500), store: Store, stores(first: Int, last: Int): StoreConnection!, any: Any, found(ids: [ID!] @length(max: 9, cost: 50), names: [ID!] @length(max: 9)): Int }
                    type StoreConnection { edges: [StoreEdge!]!, nodes: [Store!]!, info: Info! }
                    type StoreEdge { cursor: String!, node: Store! }
                    type Info { more: Boolean!, less: Boolean! }
                    type Store { id: ID!, name: String, file: String @cost(weight: 300), tags: [Tag!]!, next: Store, near(first: Int): StoreConnection! }
                    type Tag { key: String, value: String }
                    union Any = Store | Tag
                    type Mutation {
                      close(id: ID): Saved
                      put(input: PutInput!): Saved
                      fetch(input: FetchInput!): Saved
                      look(input: LookInput!): Saved
                    }
                    input PutInput { tags: [TagInput!]! @changes, names: [String!] @length(max: 9) }
                    input LookInput { ids: [ID!]! @length(max: 9, cost: 50) }
                    input FetchInput { max: Int = 1 @changes }
                    input TagInput { key: String }
                    type Saved { stores: [Store!]!, done: Boolean }
                    """),
                    RuntimeWiring.newRuntimeWiring()
                            .wiringFactory(new graphql.schema.idl.MockedWiringFactory())
                            .build());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ store { id } }                                                      | 1001",
                "{ sums }                                                              | 500",
                "{ found(ids: [1, 2, 3], names: [4, 5]) }                              | 1150",
                "query($i: [ID!] = [1, 2]) { found(ids: $i) }                          | 1100",
                "{ byId(ids: [1, 2, 3]) { id near(first: 5) { nodes { id } } } }       | 4021",
                "query($i: [ID!]! = [1, 2]) { byId(ids: $i) { id } }                   | 1002",
                "{ menu { key value } few { key } }                                    | 3010",
                "{ store { file } }                                                    | 1300",
                "{ stores(first: 10) { nodes { id file } } }                           | 4011",
                "{ store { id name next { id } } }                                     | 1004",
                "{ a: store { id } b: store { id } }                                   | 2002",
                "{ store { tags { key value } } }                                      | 1021",
                "{ stores { nodes { id } } }                                           | 1065",
                "{ stores(first: 10) { nodes { id } info { more less } } }             | 1014",
                "{ stores(last: 10) { edges { cursor node { id name } } } }            | 1041",
                "{ stores(first: null, last: 3) { nodes { id } } }                     | 1004",
                "{ stores(first: 2, last: 3) { nodes { id } } }                        | 1004",
                "{ stores(first: 9999999999) { nodes { id } } }                        | 3049",
                "{ stores(first: -1) { nodes { id } } }                                | 1065",
                "{ stores(first: 3) { nodes { near(first: 5) { nodes { id } } } } }    | 4019",
                "{ stores(first: 2) { nodes { tags { key } } } }                       | 1023",
                "{ any { ... on Store { id } ... on Tag { key value } __typename } }   | 1004",
                "mutation { close(id: 1) { done stores { id } } }                      | 1012",
                "mutation { put(input: {tags: [{}, {}], names: [1]}) { done } }        | 1201",
                "mutation { look(input: {ids: [1, 2, 3]}) { done } }                   | 1151",
                "mutation($t: [TagInput!]! = [{}]) { put(input: {tags: $t}) { done } } | 1101",
                "mutation($p: PutInput! = {tags: [{}]}) { put(input: $p) { done } }    | 1101",
                "mutation { fetch(input: {max: 5}) { stores { id } } }                 | 1506",
                "mutation { fetch(input: {}) { done } }                                | 1101",
                "mutation { fetch(input: {max: null}) { done } }                       | 1101",
                "mutation { put(input: {tags: []}) { stores { id } } }                 | 1001",
                "mutation { put(input: {tags: {}}) { stores { id } } }                 | 1102",
                "mutation { look(input: {ids: \"a\"}) { done } }                        | 1051",
                "{ __schema { types { name } } __type(name: \"Store\") { name } }      | 2",
                "{ unknown { more } store { unknown { more } } }                       | 2001"
            })
    void countsFieldsOncePerItemAndReadsAThousandTimes(String document, long cost) {
        assertThat(cost(document).cost(Map.of())).isEqualTo(cost);
    }

    @Test
    void takesPageSizesFromVariables() {
        var cost = cost(
                "query($n: Int, $m: Int = 5) { stores(first: $n) { nodes { near(first: $m) { nodes { id } } } } }");

        assertThat(cost.cost(Map.of("n", 3))).isEqualTo(READ + 1 + 3 * (READ + 1 + 5));
        assertThat(cost.cost(Map.of("n", 3, "m", 2))).isEqualTo(READ + 1 + 3 * (READ + 1 + 2));
        assertThat(cost.cost(Map.of("n", "3"))).isEqualTo(READ + 1 + 64 * (READ + 1 + 5));
        var nulls = new HashMap<String, Object>();
        nulls.put("n", 1);
        nulls.put("m", null);
        assertThat(cost.cost(nulls)).isEqualTo(READ + 1 + READ + 1 + 64);
    }

    @Test
    void countsAsManyItemsAsIdsAreGiven() {
        var cost = cost("query($ids: [ID!]!) { byId(ids: $ids) { id near(first: 100) { nodes { id name } } } }");

        assertThat(cost.cost(Map.of("ids", List.of(1, 1, 1, 1)))).isEqualTo(READ + 4 * (1 + READ + 1 + 100 * 2));
        assertThat(cost.refusal(Map.of("ids", List.of(1, 2, 3)))).isEmpty();
        assertThat(cost.refusal(Map.of("ids", Collections.nCopies(250, 1)))).isPresent();
    }

    @Test
    void takesTheNumberOfChangesFromVariables() {
        var put = cost("mutation($p: PutInput!) { put(input: $p) { done } }");
        assertThat(put.cost(Map.of("p", Map.of("tags", List.of(7, 8))))).isEqualTo(READ + 2 * OperationCost.CHANGE + 1);
        assertThat(put.cost(Map.of("p", Map.of("tags", List.of())))).isEqualTo(READ + 1);

        var fetch = cost("mutation($n: Int) { fetch(input: {max: $n}) { done } }");
        assertThat(fetch.cost(Map.of("n", 9))).isEqualTo(READ + 9 * OperationCost.CHANGE + 1);
        assertThat(fetch.cost(Map.of())).isEqualTo(READ + OperationCost.CHANGE + 1);

        assertThat(put.cost(Map.of("p", Map.of("tags", Map.of())))).isEqualTo(READ + OperationCost.CHANGE + 1);
        var look = cost("mutation($ids: [ID!]!) { look(input: {ids: $ids}) { done } }");
        assertThat(look.cost(Map.of("ids", "a"))).isEqualTo(READ + 50 + 1);

        var whole = cost("mutation($f: FetchInput!) { fetch(input: $f) { done } }");
        assertThat(whole.cost(Map.of("f", Map.of()))).isEqualTo(READ + OperationCost.CHANGE + 1);
    }

    @Test
    void doesNotRefuseForAnyVariablesWhatSmallPagesWouldAllow() {
        var cost = cost(
                "query($n: Int) { stores(first: $n) { nodes { near { nodes { near(first: 1) { nodes { id } } } } } } }",
                new OperationCost.Limits(10, 100_000, 64, 2_048));

        assertThat(cost.refusal()).isEmpty();
        assertThat(cost.refusal(Map.of())).isPresent();
        assertThat(cost.refusal(Map.of("n", 1))).isEmpty();
    }

    @Test
    void allowsTheGreatestCostAndNoMore() {
        var exact = new OperationCost.Limits(6, 1_014, 64, 2_048);
        var document = "{ stores(first: 10) { nodes { id } info { more less } } }";

        assertThat(cost(document, exact).refusal(Map.of())).isEmpty();
        assertThat(cost(document.replace("10", "11"), exact).refusal(Map.of()))
                .hasValueSatisfying(error -> assertThat(error.extensions())
                        .isEqualTo(Map.of("code", "QUERY_TOO_COSTLY", "cost", 1_015L, "limit", 1_014)));
    }

    @Test
    void allowsTheGreatestDepthAndNoMore() {
        assertThat(cost("{ store { next { next { next { next { id } } } } } }").depth())
                .isEqualTo(6);
        assertThat(cost("{ store { next { next { next { next { id } } } } } }").refusal())
                .isEmpty();

        var deeper = cost("{ store { next { ...F } } } fragment F on Store { next { next { next { id } } } }"
                .replace("{ id }", "{ next { id } }"));

        assertThat(deeper.refusal())
                .hasValueSatisfying(error -> assertThat(error.extensions()).containsEntry("code", "QUERY_TOO_DEEP"));
    }

    @Test
    void doesNotOverflow() {
        var nested =
                "{ stores(first: 2048) { nodes { near(first: 2048) { nodes { near(first: 2048) { info { more } } } } } } }";

        assertThat(cost(nested).cost(Map.of())).isGreaterThan(LIMITS.maxCost());
    }

    private static OperationCost cost(String document) {
        return cost(document, LIMITS);
    }

    private static OperationCost cost(String document, OperationCost.Limits limits) {
        var parsed = new Parser().parseDocument(document);
        var fragments = parsed.getDefinitionsOfType(FragmentDefinition.class).stream()
                .collect(Collectors.toMap(FragmentDefinition::getName, fragment -> fragment));
        return OperationCost.of(
                parsed.getFirstDefinitionOfType(OperationDefinition.class).orElseThrow(), fragments, SCHEMA, limits);
    }
}
