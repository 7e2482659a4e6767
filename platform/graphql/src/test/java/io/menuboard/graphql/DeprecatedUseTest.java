package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeprecatedUseTest {
    private static final String FIELD = "Query.sampleOld";
    private static final String ARGUMENT = "Query.sampleOld(text:)";
    private static final String INPUT_FIELD = "SampleOldInput.text";
    private static final String VALUE = "SampleOldKind.OLD";

    private final SampleServer server = SampleServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void isKnownToBeNoneFromTheStart() {
        assertThat(counted()).isEqualTo(Map.of(FIELD, 0, ARGUMENT, 0, INPUT_FIELD, 0, VALUE, 0));

        server.execute("{ __typename sampleEcho(text: \"OLD\") }");

        assertThat(counted().values()).containsOnly(0);
    }

    @Test
    void isCountedForEachExecution() {
        server.execute("{ sampleOld }");
        server.execute("{ sampleOld }");
        server.execute("{ a: sampleOld b: sampleOld(text: null) }");

        assertThat(counted()).isEqualTo(Map.of(FIELD, 3, ARGUMENT, 1, INPUT_FIELD, 0, VALUE, 0));
    }

    @Test
    void isSeenInFragmentsAndInValuesThatAreWrittenOut() {
        server.execute("""
                { ...f } fragment f on Query { ... on Query { ... { sampleOld(inputs: {parts: [{text: "x"}, {kind: OLD}]}) } } }
                """);
        server.execute("query($k: SampleOldKind = OLD) { sampleOld(inputs: [{kind: NEW}, {kind: $k}]) }");

        assertThat(counted()).isEqualTo(Map.of(FIELD, 2, ARGUMENT, 0, INPUT_FIELD, 1, VALUE, 2));
    }

    @Test
    void isSeenInVariables() {
        var document =
                "query($i: [SampleOldInput!], $k: SampleOldKind) { a: sampleOld(inputs: $i) b: sampleOld(inputs: {kind: $k}) }";
        server.execute(document, Map.of("i", List.of(Map.of("parts", List.of(Map.of("text", "x"))))));
        server.execute(document, Map.of("i", Map.of("kind", "NEW"), "k", "OLD"));
        server.execute(document);

        assertThat(counted()).isEqualTo(Map.of(FIELD, 3, ARGUMENT, 0, INPUT_FIELD, 1, VALUE, 1));
    }

    @Test
    void isNotCountedWhereNothingWasExecuted() {
        server.execute("{ sampleOld unknown }");
        server.execute("query A { sampleOld } query B { sampleOld }");

        assertThat(counted().values()).containsOnly(0);
    }

    private Map<String, Integer> counted() {
        var counted = new TreeMap<String, Integer>();
        server.bean(MeterRegistry.class)
                .find("menuboard.graphql.deprecated")
                .counters()
                .forEach(counter -> counted.put(element(counter), (int) counter.count()));
        return counted;
    }

    private static String element(Counter counter) {
        return String.valueOf(counter.getId().getTag("element"));
    }
}
