package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.graphql.GraphQlServer.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that clients name, over HTTP. */
final class PersistedDocumentsTest {
    private static final String ECHO = "query Echo($text: String!) { sampleEcho(text: $text) }";
    private static final String COUNT = "mutation { sampleCount }";

    @Test
    void aDocumentIsKnownByItsHashOnceItWasSentWithIt() {
        try (var server = SampleServer.start()) {
            var first = server.post(json(null, ECHO));
            assertThat(first.code()).isEqualTo("PERSISTED_QUERY_NOT_FOUND");
            assertThat(first.error().path("message").asText()).isEqualTo("PersistedQueryNotFound");
            assertThat(first.status()).isEqualTo(400);

            assertThat(echo(server.post(json(ECHO, ECHO)))).isEqualTo("hi");

            assertThat(echo(server.post(json(null, ECHO)))).isEqualTo("hi");
            assertThat(echo(get(server, "variables", "{\"text\":\"hi\"}", "extensions", extensions(ECHO))))
                    .isEqualTo("hi");
            assertThat(echo(get(server, "variables", "{\"text\":\"hi\"}", "documentId", "sha256:" + hash(ECHO))))
                    .isEqualTo("hi");
        }
    }

    @Test
    void theHashIsThatOfTheDocument() {
        try (var server = SampleServer.start()) {
            assertThat(server.post(json(ECHO, COUNT)).code()).isEqualTo("PERSISTED_QUERY_ID_INVALID");
            assertThat(server.post(json(null, COUNT)).code()).isEqualTo("PERSISTED_QUERY_NOT_FOUND");
        }
    }

    /** A lone surrogate has no UTF-8: written as a question mark it would be another document. */
    @Test
    void aDocumentThatHasNoHashIsRefused() {
        try (var server = SampleServer.start()) {
            var asked = "{ sampleEcho(text: \"?\") }";
            var halved = asked.replace("?", "HALF");

            var refused = server.post(json(halved, asked).replace("HALF", "\\ud800"));
            assertThat(refused.code()).isEqualTo("BAD_REQUEST");
            assertThat(refused.error().path("message").asText()).startsWith("query: must be Unicode text");
            assertThat(refused.status()).isEqualTo(400);

            assertThat(server.post(json(null, asked)).code()).isEqualTo("PERSISTED_QUERY_NOT_FOUND");
        }
    }

    @Test
    void onlyValidDocumentsAreRemembered() {
        try (var server = SampleServer.start()) {
            assertThat(server.post(json("{ nothing }", "{ nothing }")).code()).isEqualTo("GRAPHQL_VALIDATION_FAILED");
            assertThat(server.post(json(null, "{ nothing }")).code()).isEqualTo("PERSISTED_QUERY_NOT_FOUND");
        }
    }

    @Test
    void noMoreIsRememberedThanThereIsRoomFor() {
        try (var server = SampleServer.start(Map.of("menuboard.graphql.documents.remembered-bytes", "2KB"))) {
            for (var i = 0; i < 20; i++) {
                var document = ECHO + " # " + i;
                assertThat(echo(server.post(json(document, document)))).isEqualTo("hi");
            }

            var known = 0;
            for (var i = 0; i < 20; i++) {
                known += server.post(json(null, ECHO + " # " + i)).body().has("data") ? 1 : 0;
            }
            assertThat(known).isBetween(1, 4);
        }
    }

    @Test
    void aMutationIsNotExecutedByGetHoweverItIsNamed() {
        try (var server = SampleServer.start()) {
            server.post(json(COUNT, COUNT));

            assertThat(get(server, "extensions", extensions(COUNT)).code()).isEqualTo("METHOD_NOT_ALLOWED");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"extensions\":{\"persistedQuery\":1}}",
                "{\"extensions\":{\"persistedQuery\":{\"version\":2,\"sha256Hash\":\"HASH\"}}}",
                "{\"extensions\":{\"persistedQuery\":{\"sha256Hash\":\"HASH\"}}}",
                "{\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"12\"}}}",
                "{\"extensions\":{\"persistedQuery\":{\"version\":1}}}",
                "{\"documentId\":1}",
                "{\"documentId\":\"echo\",\"query\":\"{__typename}\"}",
                "{\"documentId\":\"e\",\"extensions\":{\"persistedQuery\":{\"version\":1,\"sha256Hash\":\"HASH\"}}}"
            })
    void whatIsNoNameIsRefused(String body) {
        try (var server = SampleServer.start()) {
            var refused = server.post(body.replace("HASH", hash(ECHO)));

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code()).isEqualTo("BAD_REQUEST");
            assertThat(refused.error().path("message").asText()).containsAnyOf("persistedQuery", "documentId");
        }
    }

    @Test
    void registeredDocumentsHaveTheNamesOfTheirFilesAndTheirHashes(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("echo.v1.graphql"), ECHO);
        Files.writeString(folder.resolve("notes.txt"), "none");

        try (var server = SampleServer.start(Map.of("menuboard.graphql.documents.path", folder.toString()))) {
            for (var id : new String[] {"echo.v1", "sha256:" + hash(ECHO)}) {
                assertThat(echo(server.post(named(id)))).as(id).isEqualTo("hi");
            }
            assertThat(echo(server.post(json(null, ECHO)))).isEqualTo("hi");
            assertThat(server.post(named("notes")).code()).isEqualTo("PERSISTED_DOCUMENT_NOT_FOUND");
            assertThat(server.execute("{ __typename }").status()).isEqualTo(200);
        }
    }

    @Test
    void whereOnlyRegisteredDocumentsAreServedOthersAreRefused(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("documents.json"), GraphQlServer.json(Map.of("7f", ECHO)));

        try (var server = SampleServer.start(Map.of(
                "menuboard.graphql.documents.path",
                file.toString(),
                "menuboard.graphql.documents.registered-only",
                true))) {
            assertThat(echo(server.post(named("7f")))).isEqualTo("hi");
            assertThat(echo(server.execute(ECHO, Map.of("text", "hi")))).isEqualTo("hi");
            assertThat(echo(server.post(json(null, ECHO)))).isEqualTo("hi");

            assertThat(server.execute("{ __typename }").code()).isEqualTo("DOCUMENT_NOT_REGISTERED");
            assertThat(server.get("{ __typename }").code()).isEqualTo("DOCUMENT_NOT_REGISTERED");
            assertThat(server.post(json(COUNT, COUNT)).code()).isEqualTo("DOCUMENT_NOT_REGISTERED");
            assertThat(server.post(json(null, COUNT)).code()).isEqualTo("PERSISTED_QUERY_NOT_FOUND");
        }
    }

    @Test
    void aRegisteredDocumentThatIsNotValidStopsTheStart(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("wrong.graphql"), "{ nothing }");

        assertThatThrownBy(() -> SampleServer.start(Map.of("menuboard.graphql.documents.path", folder.toString())))
                .rootCause()
                .hasMessageContaining("the document wrong is not valid")
                .hasMessageContaining("nothing");
    }

    @Test
    void aListThatIsAloneServedMustBeNamed() {
        assertThatThrownBy(() -> SampleServer.start(Map.of("menuboard.graphql.documents.registered-only", true)))
                .rootCause()
                .hasMessageContaining("needs menuboard.graphql.documents.path");
    }

    private static String echo(Answer answer) {
        return answer.data().path("sampleEcho").asText();
    }

    private static String named(String id) {
        return GraphQlServer.json(Map.of("documentId", id, "variables", Map.of("text", "hi")));
    }

    /** With the hash of the second. */
    private static String json(@Nullable String sent, String hashed) {
        var query = sent == null ? "" : "\"query\":" + GraphQlServer.json(sent) + ",";
        return "{" + query + "\"variables\":{\"text\":\"hi\"},\"extensions\":" + extensions(hashed) + "}";
    }

    private static String extensions(String document) {
        return GraphQlServer.json(Map.of("persistedQuery", Map.of("version", 1, "sha256Hash", hash(document))));
    }

    private static String hash(String document) {
        return PersistedDocuments.sha256(document);
    }

    private static Answer get(SampleServer server, String... parameters) {
        var query = new StringBuilder("?");
        for (var i = 0; i < parameters.length; i += 2) {
            query.append(parameters[i])
                    .append('=')
                    .append(URLEncoder.encode(parameters[i + 1], UTF_8))
                    .append('&');
        }
        return server.send(HttpRequest.newBuilder(URI.create(server.graphQl() + query.toString()))
                .header("Accept", "application/graphql-response+json"));
    }
}
