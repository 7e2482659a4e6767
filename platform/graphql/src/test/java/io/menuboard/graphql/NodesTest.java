package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodesTest {
    private final SampleServer server = SampleServer.shared();

    @BeforeEach
    void forgetReads() {
        SampleShops.READS.clear();
    }

    @Test
    void findsANodeByItsId() {
        assertThat(data("{ node(id: \"SampleShop#a\") { __typename id ... on SampleShop { key } } }"))
                .hasToString("{\"node\":{\"__typename\":\"SampleShop\",\"id\":\"SampleShop#a\",\"key\":\"a\"}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SampleShop#x", "Other#a", "a", "#", "#a", "SampleShop#", "SampleShop#a#b"})
    void answersNullForWhatIsNotThere(String id) {
        assertThat(data("query($id: ID!) { node(id: $id) { id } }", Map.of("id", id))
                        .path("node")
                        .isNull())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000#a"})
    void refusesWhatNoIdCanBe(String id) {
        assertThat(server.execute("query($id: ID!) { node(id: $id) { id } }", Map.of("id", id))
                        .code())
                .isEqualTo("INVALID_ID");
    }

    @Test
    void readsNodesTogether() {
        var data = data("{ nodes(ids: [\"SampleShop#b\", \"SampleShop#x\", \"SampleShop#a\"]) { id } }");

        assertThat(data.path("nodes")).hasToString("[{\"id\":\"SampleShop#b\"},null,{\"id\":\"SampleShop#a\"}]");
        assertThat(SampleShops.READS).containsExactly(List.of("b", "x", "a"));
    }

    @Test
    void readsEachLevelOnceAndNothingTwice() {
        var data = data("""
                { sampleShops(names: ["a", "b", "a"]) { next { key next { key next { key } } } } }""");

        assertThat(data.at("/sampleShops/2/next/next/next/key").asText()).isEqualTo("d");
        assertThat(SampleShops.READS).containsExactly(List.of("b", "c"), List.of("d"), List.of("e"));
    }

    @Test
    void aNodeThatCannotBeReadFailsAlone() {
        var answer = server.execute(
                "{ nodes(ids: [\"SampleShop#a\", \"SampleShop#u\", \"SampleShop#b\", \"SampleShop#x\"]) { id } }");

        assertThat(answer.body().at("/data/nodes"))
                .hasToString("[{\"id\":\"SampleShop#a\"},null,{\"id\":\"SampleShop#b\"},null]");
        assertThat(answer.code()).isEqualTo("OTHER_VERSION");
        assertThat(answer.error().path("path")).hasToString("[\"nodes\",1]");
        assertThat(SampleShops.READS)
                .containsExactly(
                        List.of("a", "u", "b", "x"), List.of("a", "u"), List.of("a"), List.of("u"), List.of("b", "x"));
    }

    @Test
    void aReferenceThatCannotBeReadFailsAlone() {
        var answer = server.execute("{ sampleShops(names: [\"a\", \"t\", \"b\"]) { next { key } } }");

        assertThat(answer.body().at("/data/sampleShops"))
                .hasToString("[{\"next\":{\"key\":\"b\"}},{\"next\":null},{\"next\":{\"key\":\"c\"}}]");
        assertThat(answer.code()).isEqualTo("OTHER_VERSION");
        assertThat(answer.error().path("path")).hasToString("[\"sampleShops\",1,\"next\"]");
    }

    @Test
    void whatFailsAsAWholeIsNotReadAgain() {
        var answer = server.execute("{ nodes(ids: [\"SampleShop#v\", \"SampleShop#a\"]) { id } }");

        assertThat(answer.body().at("/data/nodes")).hasToString("[null,null]");
        assertThat(answer.body().path("errors"))
                .extracting(error -> error.at("/extensions/code").asText())
                .containsExactly("UNAVAILABLE", "UNAVAILABLE");
        assertThat(SampleShops.READS).containsExactly(List.of("v", "a"));
    }

    @Test
    void readsFieldsWithTheSameArgumentsTogether() {
        var data = data("""
                { sampleShops(names: ["a", "b"]) { letters more: letters(more: 2) } }""");

        assertThat(data.at("/sampleShops/1")).hasToString("{\"letters\":1,\"more\":3}");
        assertThat(SampleShops.READS).containsExactly(List.of("a", "b"), List.of("a", "b"));
    }

    @Test
    void readsFieldsWhoseArgumentsOnlyLookTheSameApart() {
        var data = data("""
                { sampleShops(names: ["a"]) { one: letters(words: ["a, b"]) two: letters(words: ["a", "b"])
                    some: letters(words: ["null"]) none: letters(words: null) } }""");

        assertThat(data.at("/sampleShops/0")).hasToString("{\"one\":2,\"two\":3,\"some\":2,\"none\":1}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "SampleShop#a"})
    void takesTheKeyOrTheIdOfANode(String shop) {
        assertThat(open(shop)).isEqualTo("{\"shop\":{\"key\":\"a\"},\"closing\":[\"b\",\"c\"],\"errors\":[]}");
    }

    @Test
    void refusesTheIdOfAnotherType() {
        assertThat(open("Other#a"))
                .isEqualTo("{\"shop\":null,\"closing\":null,\"errors\":[{\"code\":\"INVALID_ID\","
                        + "\"message\":\"shop must be the id of a SampleShop\",\"path\":[\"input\",\"shop\"]}]}");
    }

    @Test
    void hasAFallbackValueForAnUnknownCode() {
        assertThat(open("y")).contains("\"code\":\"INVALID\"", "\"message\":\"shop must not be y\"");
    }

    @Test
    void aReferenceHasAPrice() {
        var parts = sampleParts();
        parts.object("SampleOpenPayload", SampleShops.Opened.class).reference("shop", "SampleShop", _ -> "a");

        assertThatThrownBy(parts::schema)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SampleOpenPayload.shop");
    }

    @Test
    void aFieldThatIsReadOfManyObjectsTogetherHasAPrice() {
        var parts = sampleParts();
        parts.object("SampleOpenPayload", SampleShops.Opened.class).batch("closing", (all, _) -> all);

        assertThatThrownBy(parts::schema)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SampleOpenPayload.closing");
    }

    private static SchemaParts sampleParts() {
        var parts = new SchemaParts();
        parts.definitions("menuboard");
        parts.definitions("sample");
        ScalarTypes.ALL.forEach(parts::scalar);
        SampleShops.contribute(parts);
        return parts;
    }

    private JsonNode data(String document) {
        return data(document, Map.of());
    }

    private JsonNode data(String document, Map<String, Object> variables) {
        return server.execute(document, variables).data();
    }

    private String open(String shop) {
        return data("""
                        mutation($shop: ID!) { sampleOpen(input: {shop: $shop, closing: ["b", "SampleShop#c"]}) {
                            shop { key } closing errors { code message path } } }""", Map.of("shop", shop)).path("sampleOpen").toString();
    }
}
