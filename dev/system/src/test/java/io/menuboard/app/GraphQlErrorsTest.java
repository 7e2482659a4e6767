package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.graphql.GraphQlServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What does not get as far as GraphQL, at its endpoint: answered as GraphQL answers. Sent as it is. */
@Timeout(60)
final class GraphQlErrorsTest {
    private static final String GRAPHQL_RESPONSE = "application/graphql-response+json";
    private static final String QUERY = "{\"query\":\"{ __typename }\"}";

    private final GraphQlServer server = ApplicationServer.shared();

    @ParameterizedTest
    @CsvSource({
        "application/json,                  application/json",
        "application/graphql-response+json, application/graphql-response+json",
        "text/html,                         application/json",
    })
    void methodsThatThereAreNotAreErrorsInTheTypeThatTheClientAccepts(String accept, String type) throws IOException {
        for (var method : new String[] {"PUT", "PATCH", "DELETE"}) {
            var answer = send(request(method + " /graphql", "Accept: " + accept, ""));

            assertThat(answer).startsWith("HTTP/1.1 405").containsIgnoringCase("\r\nAllow: ");
            assertThat(answer).containsIgnoringCase("\r\nContent-Type: " + type + ";");
            assertThat(answer).containsIgnoringCase("\r\nCache-Control: no-store");
            assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("METHOD_NOT_ALLOWED");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"?query=%zz", "?query=%7B__typename%7", "?query={__typename}", "?query=%7B__typename%7D&x=|"})
    void aUrlThatIsNotEncodedIsAnError(String query) throws IOException {
        var answer = send(request("GET /graphql" + query, "Accept: " + GRAPHQL_RESPONSE, ""));

        assertThat(answer).startsWith("HTTP/1.1 400").containsIgnoringCase("Content-Type: " + GRAPHQL_RESPONSE);
        assertThat(error(answer).path("message").asText()).contains("percent-encoded");
        assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("BAD_REQUEST");
    }

    @Test
    void reportsThatHaveNowhereToBeAreNotAboutAFieldOfTheInput() {
        var again = "runBillingAgain(input: {id: \"202611220000-202611220100\"}) { errors { code message path } }";

        assertThat(server.data("mutation { runBilling(input: {}) { errors { code message path } } " + again + " }"))
                .hasToString("""
                        {"runBilling":{"errors":[%1$s]},"runBillingAgain":{"errors":[%1$s]}}""".formatted("""
                        {"code":"REPORTS_NOT_CONFIGURED",\
                        "message":"Reports need a bucket, menuboard.files.bucket, which is not configured",\
                        "path":["input"]}"""));
        assertThat(server.execute("{ reportRuns { nodes { key } } }").error().path("extensions"))
                .hasToString("{\"code\":\"REPORTS_NOT_CONFIGURED\",\"path\":[]}");
    }

    @Test
    void aUrlThatIsTooLongIsAnErrorThatSaysHowLongItMayBe() throws IOException {
        var answer = send(request("GET /graphql?query=" + "x".repeat(17_000), "Accept: " + GRAPHQL_RESPONSE, ""));

        // Its version and its Accept are not known any more.
        assertThat(answer).startsWith("HTTP/1.0 414");
        assertThat(error(answer).path("message").asText()).contains("16384");
        assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("REQUEST_URI_TOO_LONG");
    }

    @Test
    void headersThatAreTooLongAreAnErrorThatSaysHowLongTheyMayBe() throws IOException {
        var answer =
                send(request("POST /graphql", "Accept: " + GRAPHQL_RESPONSE + "\r\nX: " + "x".repeat(9_000), QUERY));

        assertThat(answer).startsWith("HTTP/1.1 431");
        assertThat(error(answer).path("message").asText()).contains("8192");
        assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("REQUEST_HEADER_FIELDS_TOO_LARGE");
    }

    @Test
    void thereIsOneHostAndNotMoreThanOneType() throws IOException {
        var type = "Content-Type: application/json\r\n";
        var length = "Connection: close\r\nContent-Length: " + QUERY.length() + "\r\n\r\n" + QUERY;

        for (var headers :
                new String[] {type, "Host: localhost\r\nHost: localhost\r\n" + type, "Host: localhost\r\n" + type + type
                }) {
            var answer = send("POST /graphql HTTP/1.1\r\n" + headers + length);

            assertThat(answer).as(headers).startsWith("HTTP/1.1 400");
            assertThat(error(answer).path("message").asText()).containsAnyOf("one Host", "one Content-Type");
            assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("BAD_REQUEST");
        }
        assertThat(send("GET /stores HTTP/1.1\r\nAccept: text/html\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("text/html");
    }

    /** A proxy that goes by the length would take the chunk's rest for the next client's request. */
    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/imports"})
    void aBodyHasOneKindOfLengthAndTheConnectionEndsOtherwise(String path) throws IOException {
        var chunks = "5\r\nhello\r\n0\r\n\r\n";
        var answer = send("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".formatted(path)
                + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunks
                + "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400");
        assertThat(answer).doesNotContain("HTTP/1.1 200");
    }

    @Test
    void theRuleAboutLengthsIsNamed() throws IOException {
        var answer = send(request("POST /graphql", "Transfer-Encoding: chunked", "0\r\n\r\n"));

        assertThat(error(answer).path("message").asText()).contains("either Transfer-Encoding or Content-Length");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Encoding: gzip",
                "Content-Encoding: identity, X-Gzip",
                "Content-Encoding: identity\r\nContent-Encoding: deflate",
                "Content-Encoding: br",
                "Content-Encoding: nonsense",
            })
    void aBodyInACodingIsRefused(String coding) throws IOException {
        var answer = send(request("POST /graphql", coding, QUERY));

        assertThat(answer).startsWith("HTTP/1.1 415").containsIgnoringCase("\r\nAccept-Encoding: identity\r\n");
        assertThat(error(answer).path("message").asText()).contains("Content-Encoding");
        assertThat(error(answer).at("/extensions/code").asText()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, chunked", "gzip\r\nTransfer-Encoding: chunked"})
    void chunksInACodingAreRefused(String codings) throws IOException {
        var answer = send("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: " + codings + "\r\n\r\n0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 415");
        assertThat(error(answer).path("message").asText()).contains("Transfer-Encoding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "Identity", ""})
    void aBodyMaySayThatItIsInNone(String coding) throws IOException {
        assertThat(send(request("POST /graphql", "Content-Encoding: " + coding, QUERY)))
                .startsWith("HTTP/1.1 200");
    }

    /** Nothing of it is inflated: its first bytes alone would become many megabytes. */
    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/imports", "/graphql?query=%zz", "/nowhere"})
    void aBombIsRefusedAtOnceWithoutItsSenderBeingKnown(String path) throws IOException {
        var bomb = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bomb)) {
            for (var i = 0; i < 60; i++) {
                gzip.write(new byte[1_000_000]);
            }
        }
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.setSoTimeout(20_000);
            var out = socket.getOutputStream();
            out.write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Encoding: gzip\r\nContent-Length: " + (bomb.size() + 1) + "\r\n\r\n")
                    .getBytes(UTF_8));
            bomb.writeTo(out);

            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 415");
        }
    }

    /** What is valid before the broken chunk must not be taken for all of it. */
    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/changes", "/nowhere"})
    void aBodyWithABrokenChunkIsRefusedAndTheConnectionEnds(String path) throws IOException {
        var answer = send("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".formatted(path)
                + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(QUERY.length()) + "\r\n" + QUERY
                + "\r\nzz\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 4").containsIgnoringCase("\r\nConnection: close\r\n");
        assertThat(answer).doesNotContain("HTTP/1.1 200", "__typename");
        if (path.equals("/graphql")) {
            assertThat(error(answer).path("message").asText()).contains("chunks");
        }
    }

    /** The decoder reads nothing after them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /graphql?query=%7[B HTTP/1.1\r\nHost: localhost\r\nX: \u0001\r\n\r\n",
                "GET /stores?x=%7[B HTTP/1.1\r\nHost: localhost\r\nX: \u0001\r\n\r\n",
                "GET /stores?x=%7[B HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nonsense\r\n\r\n",
                "POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
                "POST /stores HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
            })
    void theConnectionEndsAfterARequestThatCannotBeRead(String request) throws IOException {
        var answer = send(request + "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400").containsIgnoringCase("\r\nConnection: close\r\n");
        assertThat(answer).doesNotContain("HTTP/1.1 200", "one Host");
    }

    /** Closed at once, the connection would be reset under a client that is still sending. */
    @Test
    void whoSendsAMuchTooLongUrlHearsOfItAndMaySendItToItsEnd() throws IOException {
        try (var client =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            client.setSoTimeout(20_000);
            var part = "x".repeat(100_000).getBytes(UTF_8);
            client.getOutputStream().write("GET /graphql?query=".getBytes(UTF_8));
            client.getOutputStream().write(part);
            assertThat(new String(client.getInputStream().readNBytes(12), UTF_8))
                    .matches("HTTP/1\\.[01] 414");

            for (var i = 0; i < 100; i++) {
                client.getOutputStream().write(part);
            }
            assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                    .containsIgnoringCase("\r\nConnection: close\r\n")
                    .contains("at most 16384 characters");
        }
    }

    @Test
    void chunksAloneAreAccepted() throws IOException {
        assertThat(send("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + Integer.toHexString(QUERY.length()) + "\r\n" + QUERY + "\r\n0\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void headIsAnsweredAsGetWithoutTheBodyAndTheConnectionStays() throws IOException {
        for (var path : new String[] {"/graphql?query=%7B__typename%7D", "/graphql"}) {
            var get = send(request("GET " + path, "Accept: " + GRAPHQL_RESPONSE, ""));
            var head = send(request("HEAD " + path, "Accept: " + GRAPHQL_RESPONSE, ""));

            assertThat(head).as(path).startsWith(get.split("\r\n", 2)[0]).endsWith("\r\n\r\n");
            assertThat(length(head)).as(path).isEqualTo(length(get)).isPositive();
        }
        var two = "HEAD /graphql HTTP/1.1\r\nHost: localhost\r\n\r\n";

        assertThat(send(two + request("GET /graphql?query=%7B__typename%7D", "X: y", "")))
                .contains("HTTP/1.1 200");
    }

    private static int length(String answer) {
        return Integer.parseInt(answer.replaceAll("(?is).*\r\ncontent-length: ([0-9]+)\r\n.*", "$1"));
    }

    private static JsonNode error(String answer) throws IOException {
        var errors = new ObjectMapper()
                .readTree(answer.substring(answer.indexOf("\r\n\r\n")))
                .path("errors");
        assertThat(errors).hasSize(1);
        return errors.path(0);
    }

    private static String request(String line, String headers, String body) {
        return "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(line, headers, body.length(), body);
    }

    /** Everything that comes back until the connection ends. */
    private String send(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
