package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import graphql.execution.ResultPath;
import graphql.language.SourceLocation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GraphQlJsonTest {
    @Test
    void writesWhatGraphQlScalarsAreMadeOf() {
        var data = new ResponseObject(
                ResponseObject.encoded(List.of("s", "i", "d", "b", "n", "l", "m", "e", "f", "g")),
                new @Nullable Object[] {
                    "ü\"\n🏃",
                    1,
                    0.5,
                    true,
                    null,
                    List.of(1, "x"),
                    Map.of("k", "v"),
                    Long.MAX_VALUE,
                    new BigDecimal("0.10"),
                    BigInteger.TWO.pow(64)
                });

        assertThat(text(GraphQlJson.response(data, List.of(), Map.of())))
                .isEqualTo(
                        "{\"data\":{\"s\":\"ü\\\"\\n🏃\",\"i\":1,\"d\":0.5,\"b\":true,\"n\":null,\"l\":[1,\"x\"],\"m\":{\"k\":\"v\"},"
                                + "\"e\":9223372036854775807,\"f\":0.10,\"g\":18446744073709551616}}");
        assertThat(data).containsEntry("i", 1).hasSize(10);
    }

    @Test
    void writesErrorsFirst() {
        var error = GraphQlError.at(
                ResultPath.parse("/a[1]/b"),
                new SourceLocation(2, 3),
                "no",
                GraphQlError.extensions("X", "field", "f"));

        assertThat(text(GraphQlJson.response(null, List.of(error), Map.of())))
                .isEqualTo(
                        "{\"errors\":[{\"message\":\"no\",\"locations\":[{\"line\":2,\"column\":3}],\"path\":[\"a\",1,\"b\"],"
                                + "\"extensions\":{\"code\":\"X\",\"field\":\"f\"}}],\"data\":null}");
        assertThat(text(GraphQlJson.response(List.of(GraphQlError.of("Y", "bad")))))
                .isEqualTo("{\"errors\":[{\"message\":\"bad\",\"extensions\":{\"code\":\"Y\"}}]}");
    }

    @Test
    void refusesToGuessHowAnythingElseIsWritten() {
        assertThatIllegalArgumentException().isThrownBy(() -> GraphQlJson.response(Instant.EPOCH, List.of(), Map.of()));
    }

    private static String text(byte[] json) {
        return new String(json, UTF_8);
    }
}
