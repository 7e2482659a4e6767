package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputRulesTest {
    private final SampleServer server = SampleServer.shared();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "texts: [\"1\", \"2\", \"3\", \"4\"]     | TOO_MANY_TEXTS | texts          | texts must have at most 3 elements, not 4",
                "ids: [1, 2, 3, 4]                     | LIST_TOO_LONG  | ids            | ids must have at most 3 elements, not 4",
                "input: {parts: [{}, {}, {}]}          | LIST_TOO_LONG  | input.parts    | input.parts must have at most 2 elements, not 3",
                "inputs: [{}, {}, {}]                  | LIST_TOO_LONG  | inputs         | inputs must have at most 2 elements, not 3",
                "inputs: [{}, {parts: [{}, {}, {}]}]   | LIST_TOO_LONG  | inputs.1.parts | inputs.1.parts must have at most 2 elements, not 3",
                "id: \" a\"                            | INVALID_ID     | id             | id must not begin or end with white space",
                "id: \"\"                              | INVALID_ID     | id             | id must not be blank",
                "ids: [\"a\", \"b\\u0000\"]            | INVALID_ID     | ids.1          | ids.1 must not contain control or invisible characters"
            })
    void refusesWhatBreaksARuleNamingFieldAndRule(String arguments, String code, String field, String message) {
        var error = server.execute("{ sampleInput(" + arguments + ") }");

        assertThat(error.code()).isEqualTo(code);
        assertThat(error.error().at("/extensions/path").toString()).isEqualTo(path(field));
        assertThat(error.error().path("message").asText()).isEqualTo(message);
    }

    @Test
    void takesListsOfTheGreatestLengthAlsoFromVariables() {
        var document = "query($texts: [String!]) { sampleInput(texts: $texts) }";

        assertThat(server.execute(document, Map.of("texts", List.of("1", "2", "3")))
                        .data()
                        .toString())
                .contains("texts=[1, 2, 3]");
        assertThat(server.execute(document, Map.of("texts", List.of("1", "2", "3", "4")))
                        .code())
                .isEqualTo("TOO_MANY_TEXTS");
    }

    @Test
    void refusesTheInputOfAMutationBeforeAnythingIsDone() {
        var before = server.execute("mutation { sampleCount }")
                .data()
                .path("sampleCount")
                .asInt();

        assertThat(server.execute("mutation { sampleCount(ids: [1, 2, 3, 4]) }").code())
                .isEqualTo("LIST_TOO_LONG");
        assertThat(server.execute("mutation { sampleCount }")
                        .data()
                        .path("sampleCount")
                        .asInt())
                .isEqualTo(before + 1);
    }

    @Test
    void takesNullForTheDefaultInLiterals() {
        assertThat(input("{ sampleInput }"))
                .isEqualTo("text=none texts=[a, b] id=null ids=null input=null inputs=null");
        assertThat(input("{ sampleInput(text: null, texts: null, id: null, ids: null, input: null, inputs: null) }"))
                .isEqualTo("text=none texts=[a, b] id=null ids=null input=null inputs=null");
        assertThat(input("{ sampleInput(input: {text: null}, inputs: [{parts: [{text: null}]}]) }"))
                .endsWith("input={text=nothing} inputs=[{text=nothing, parts=[{text=nothing}]}]");
    }

    @Test
    void takesNullForTheDefaultInVariables() {
        var document = "query($text: String, $input: SampleInput, $inner: String) {"
                + " sampleInput(text: $text, input: $input, inputs: [{text: $inner}]) }";

        assertThat(input(document, "{\"text\": null, \"inner\": null, \"input\": {\"text\": null}}"))
                .isEqualTo("text=none texts=[a, b] id=null ids=null input={text=nothing} inputs=[{text=nothing}]");
        assertThat(input(document, "{}"))
                .isEqualTo("text=none texts=[a, b] id=null ids=null input=null inputs=[{text=nothing}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "type Query { a(list: [Int!]! = [1]): Int }",
                "type Query { a(in: In): Int } input In { a: [Int] }"
            })
    void startsWithNoSchemaThatHasAListWithoutBound(String schema) {
        var built = new SchemaGenerator()
                .makeExecutableSchema(new SchemaParser().parse(schema), RuntimeWiring.MOCKED_WIRING);

        assertThatThrownBy(() -> InputRules.requireBounds(built)).hasMessageContaining("without @length");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shop: \"\"                               | [\"input\",\"shop\"]",
                "shop: \"a\", closing: [\"b\", \" \"]     | [\"input\",\"closing\",\"1\"]",
                "shop: \"a\", closing: [1, 2, 3, 4]     | [\"input\",\"closing\"]"
            })
    void namesTheFieldOfAMutationsInput(String input, String path) {
        var answer = server.execute("mutation { sampleOpen(input: {" + input + "}) { shop { key } errors { path } } }");

        assertThat(answer.data().at("/sampleOpen/errors/0/path")).hasToString(path);
    }

    private static String path(String field) {
        return "[\"" + field.replace(".", "\",\"") + "\"]";
    }

    private String input(String document) {
        return input(document, "{}");
    }

    private String input(String document, String variables) {
        return server.post("{\"query\": " + GraphQlServer.json(document) + ", \"variables\": " + variables + "}")
                .data()
                .path("sampleInput")
                .asText();
    }
}
