package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    private static final int LONGEST_ANSWER = 1_000;

    private final SampleServer server = SampleServer.shared();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"variables\": {\"n\": 1e2000000}                    | variables.n may take",
                "{\"variables\": {\"n\": -1e-2000000}                  | variables.n may take",
                "{\"variables\": {\"n\": 1E501}                        | variables.n may take",
                "{\"variables\": {\"unused\": [0, {\"a\": [1e99999]}]} | variables.unused.1.a.0 may take",
                "{\"extensions\": {\"a\": 1e99999}                     | extensions.a may take"
            })
    void withLargeExponentsAreRefusedWhereverTheyAre(String request, String message) {
        var answer =
                server.post(request + ", \"query\": \"query($n: Int) { sampleNumbers(first: $n) { nodes { id } } }\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(Numbers.CODE);
        assertThat(answer.error().path("message").asText()).startsWith(message).contains("at most 500 digits");
        assertThat(answer.text()).hasSizeLessThan(LONGEST_ANSWER);
    }

    @Test
    void ofManyDigitsAreRefused() {
        assertThat(server.post("{\"query\": \"{ __typename }\", \"variables\": {\"n\": " + "9".repeat(501) + "}}")
                        .code())
                .isEqualTo(Numbers.CODE);
        assertThat(server.post("{\"query\": \"{ __typename }\", \"variables\": {\"n\": " + "9".repeat(500_000) + "}}")
                        .code())
                .isEqualTo(Numbers.CODE);
        assertThat(server.post("{\"query\": \"{ __typename }\", \"variables\": {\"n\": " + "9".repeat(500) + "}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void andOtherValuesAreNotRepeatedInFull() {
        var document = "query($n: Int) { sampleNumbers(first: $n) { nodes { id } } }";

        assertThat(server.execute(document, Map.of("n", "x".repeat(100_000))).text())
                .hasSizeLessThan(LONGEST_ANSWER);
        assertThat(server.execute("{ sampleNumbers(first: \"" + "x".repeat(60_000) + "\") { nodes { id } } }")
                        .text())
                .hasSizeLessThan(LONGEST_ANSWER);
        assertThat(server.execute("{ " + "x".repeat(60_000) + " }").text()).hasSizeLessThan(LONGEST_ANSWER);
        assertThat(server.execute("query($" + "x".repeat(60_000) + ": Nope) { __typename }")
                        .text())
                .hasSizeLessThan(3 * LONGEST_ANSWER);
    }
}
