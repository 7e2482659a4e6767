package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer.Answer;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each limit is refused by its own code, which proves that validation was not asked: it knows none of them. */
class DocumentShapeTest {
    private static final String END = " fragment end on Query { __typename }";

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
    void mayHaveTheGreatestNumberOfFragmentsAndNoMore() {
        assertThat(server.execute(fragmentsSideBySide(100)).status()).isEqualTo(200);
        refused(fragmentsSideBySide(101), "TOO_MANY_FRAGMENTS", "at most 100 fragments");
    }

    @Test
    void mayHaveTheLongestChainOfFragmentsAndNoMore() {
        assertThat(server.execute("{ ...f0 }" + chain(19) + END).status()).isEqualTo(200);
        refused("{ ...f0 }" + chain(20) + END, "FRAGMENTS_TOO_DEEP", "at most 20 fragments");
        refused("{ __typename }" + chain(20) + END, "FRAGMENTS_TOO_DEEP", "at most 20 fragments");
    }

    @Test
    void mayNotSpreadAFragmentWithinItself() {
        refused("{ ...f } fragment f on Query { ...f }", "FRAGMENT_CYCLE", "the fragment f spreads itself");
        refused("{ ...f0 }" + chain(2) + " fragment end on Query { ...f0 }", "FRAGMENT_CYCLE", "spreads itself");
        refused("{ __typename }" + chain(2) + " fragment end on Query { ...f0 }", "FRAGMENT_CYCLE", "spreads itself");
    }

    @Test
    void countsAFragmentEachTimeThatItIsSpread() {
        // 2 * (2 + 123 + 123 * 100) = 24,850, and with one spread more 25,052.
        assertThat(server.post(request(spreadTwice(123), "a")).status()).isEqualTo(200);
        refused(spreadTwice(124), "TOO_MANY_SELECTIONS", "at most 25000 fields");
    }

    private static String spreadTwice(int times) {
        var fields = "{ sampleNumbers(first: 1) { nodes {" + repeat(times, _ -> "...f") + "} } }";
        return "query a " + fields + " query b " + fields + " fragment f on SampleNumber {" + repeat(100, _ -> "id")
                + "}";
    }

    @Test
    void copesWithFragmentsThatMultiplyEachOther() {
        refused(
                "{ ...f0 }"
                        + repeat(19, i -> "fragment f%d on Query { ...f%d ...f%d }".formatted(i, i + 1, i + 1))
                        + "fragment f19 on Query { __typename }",
                "TOO_MANY_SELECTIONS",
                "at most 25000 fields");
    }

    @Test
    void mayHaveTheGreatestNumberOfOperationsAndNoMore() {
        assertThat(server.post(request(repeat(100, i -> "query q" + i + " { __typename }"), "q7"))
                        .status())
                .isEqualTo(200);
        refused(repeat(101, i -> "query q" + i + " { __typename }"), "TOO_MANY_OPERATIONS", "at most 100 operations");
    }

    @Test
    void leavesTwoFragmentsOfOneNameToValidation() {
        var answer = server.execute(
                "{ ...f } fragment f on Query { __typename } fragment f on Query { ...g } fragment g on Query { __typename }");

        assertThat(answer.code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
        refused(
                "{ ...f } fragment f on Query { ...f } fragment f on Query { __typename }",
                "FRAGMENT_CYCLE",
                "spreads itself");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e2000000", "-1e-2000000", "1e499", "9.9e600"})
    void refusesNumbersWithLargeExponents(String number) {
        var expected = number.equals("1e499") ? "GRAPHQL_VALIDATION_FAILED" : Numbers.CODE;

        assertThat(server.execute("{ sampleNumbers(first: " + number + ") { nodes { id } } }")
                        .code())
                .isEqualTo(expected);
    }

    @Test
    void refusesNumbersOfManyDigits() {
        refused("{ sampleScalars(count: " + "9".repeat(501) + ") { count } }", Numbers.CODE, "at most 500 digits");
        refused("{ sampleScalars(amount: 0." + "9".repeat(501) + ") { count } }", Numbers.CODE, "at most 500 digits");
    }

    private static void refused(String document, String code, String rule) {
        Answer answer = server.execute(document);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.error().path("message").asText()).contains(rule);
    }

    private static String request(String document, String operation) {
        return GraphQlServer.json(Map.of("query", document, "operationName", operation));
    }

    private static String fragmentsSideBySide(int count) {
        return "{" + repeat(count, i -> "...f" + i) + "}"
                + repeat(count, i -> "fragment f" + i + " on Query { __typename }");
    }

    /** Fragments that each spread the next one, and the last one the fragment called end. */
    private static String chain(int length) {
        return repeat(
                length, i -> "fragment f%d on Query { ...%s }".formatted(i, i == length - 1 ? "end" : "f" + (i + 1)));
    }

    private static String repeat(int times, IntFunction<String> part) {
        return IntStream.range(0, times).mapToObj(part).collect(Collectors.joining(" ", " ", " "));
    }
}
