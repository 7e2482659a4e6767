package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphQlConfigTest {
    @Test
    void hasTheDefaultsThatItDocuments() {
        try (var server = SampleServer.start()) {
            assertThat(server.bean(GraphQlConfig.class))
                    .isEqualTo(new GraphQlConfig(
                            1 << 20,
                            65_536,
                            10_000,
                            100,
                            100,
                            20,
                            25_000,
                            15,
                            250_000,
                            16 << 20,
                            64,
                            256,
                            Duration.ofMillis(500),
                            50,
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(2),
                            false,
                            true));
        }
    }

    @Test
    void refusesLimitsThatAllowNothing() {
        assertThatThrownBy(() -> SampleServer.start(Map.of("menuboard.graphql.max-depth", 0)))
                .hasStackTraceContaining("menuboard.graphql.max-depth must be at least 1, not 0");
        assertThatThrownBy(() -> SampleServer.start(Map.of("menuboard.graphql.actor", " ")))
                .hasStackTraceContaining("menuboard.graphql.actor must not be blank");
    }

    @Test
    void limitsWhatAClientMayAskFor() {
        try (var server = SampleServer.start(Map.of(
                "menuboard.graphql.max-depth",
                4,
                "menuboard.graphql.max-cost",
                1_020,
                "menuboard.max-page-size",
                100))) {
            assertThat(server.execute("{ sampleNumbers(first: 9) { edges { node { id } } } }")
                            .status())
                    .isEqualTo(200);
            assertThat(server.execute("{ sampleNumbers(first: 10) { edges { node { id } } } }")
                            .code())
                    .isEqualTo("QUERY_TOO_COSTLY");
            assertThat(server.execute("{ sampleNumbers(first: 1) { edges { node { divisors { id } } } } }")
                            .code())
                    .isEqualTo("QUERY_TOO_DEEP");
            assertThat(server.execute("query($n: Int) { sampleNumbers(first: $n) { nodes { id } } }", Map.of("n", 19))
                            .status())
                    .isEqualTo(200);
            assertThat(server.execute("query($n: Int) { sampleNumbers(first: $n) { nodes { id } } }", Map.of("n", 20))
                            .code())
                    .isEqualTo("QUERY_TOO_COSTLY");
        }
    }
}
