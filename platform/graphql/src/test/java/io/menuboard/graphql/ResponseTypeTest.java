package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json                                                   | JSON",
                "application/graphql-response+json                                  | GRAPHQL_RESPONSE",
                "*/*                                                                | JSON",
                "application/*                                                      | JSON",
                "''                                                                 | JSON",
                "text/html, application/xhtml+xml, */*;q=0.8                        | JSON",
                "application/graphql-response+json, application/json                | GRAPHQL_RESPONSE",
                "application/json, application/graphql-response+json                | JSON",
                "application/json;q=0.5, application/graphql-response+json          | GRAPHQL_RESPONSE",
                "application/graphql-response+json;q=0.5, application/json;q=0.6    | JSON",
                "application/graphql-response+json, */*                             | GRAPHQL_RESPONSE",
                "*/*, application/graphql-response+json                             | GRAPHQL_RESPONSE",
                "*/*;q=0.9, application/json;q=0.1                                  | GRAPHQL_RESPONSE",
                "*/*, application/json;q=0                                          | GRAPHQL_RESPONSE",
                "Application/GraphQL-Response+JSON; Charset=UTF-8                   | GRAPHQL_RESPONSE",
                "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8 | GRAPHQL_RESPONSE",
                "application/json; charset=\"utf-8\"                                | JSON",
                "application/graphql-response+json;q=NaN, application/json;q=0.1    | JSON",
                "application/graphql-response+json;q=2, application/json;q=0.1      | JSON",
                "application/graphql-response+json; charset=utf-16, application/json | JSON"
            })
    void isTheOneThatTheClientLikesBest(String accept, ResponseType type) {
        assertThat(ResponseType.negotiate(accept)).contains(type);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html",
                "application/json;q=0",
                "*/*;q=0",
                "application/json; charset=iso-8859-1",
                "application/json;q=high",
                "application/json;q=NaN",
                "application/json;q=Infinity",
                "application/jsonx, application",
                ";;,,=,q=1"
            })
    void isNoneIfTheClientTakesNeither(String accept) {
        assertThat(ResponseType.negotiate(accept)).isEmpty();
    }

    @Test
    void isJsonIfTheClientSaysNothing() {
        assertThat(ResponseType.negotiate(null)).contains(ResponseType.JSON);
    }
}
