package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.introspection.IntrospectionQuery;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntrospectionSwitchTest {
    private static final SampleServer server = SampleServer.start(Map.of("menuboard.graphql.introspection", false));

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ __schema { types { name } } }",
                "{ a: __type(name: \"Query\") { name } }",
                "{ ... { ... on Query { a: __schema { types { name } } } } }",
                "query A { ...f } fragment f on Query { ...g } fragment g on Query { __schema { types { name } } }",
                "query A { __typename } query B { __schema { types { name } } }"
            })
    void theSchemaIsNotTold(String document) {
        assertRefused(document);
    }

    @Test
    void theQueryOfToolsIsRefused() {
        assertRefused(IntrospectionQuery.INTROSPECTION_QUERY);
    }

    private static void assertRefused(String document) {
        for (var answer : new GraphQlServer.Answer[] {server.execute(document), server.get(document)}) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("INTROSPECTION_DISABLED");
            assertThat(answer.body().has("data")).isFalse();
        }
    }

    @Test
    void namesOfTypesAreTold() {
        assertThat(server.execute("{ __typename a: __typename }").status()).isEqualTo(200);
    }
}
