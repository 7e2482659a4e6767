package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.graphql.GraphQlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts of other sites, as browsers send for them: with the settings of the operations guide, and without any. */
@Timeout(120)
final class CorsTest {
    private static final String KIOSK = "https://kiosk.example.com";
    private static final String PREFLIGHT =
            "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,content-type\r\n";
    private static final String QUERY = "{\"query\":\"{ __typename }\"}";

    private static GraphQlServer open;
    private static GraphQlServer closed;
    private static GraphQlServer off;

    @BeforeAll
    static void start() throws IOException {
        closed = ApplicationServer.start(Map.of());
        open = ApplicationServer.startWith(ofTheGuide(1));
        off = ApplicationServer.start(Map.of("micronaut.server.cors.configurations.kiosk.allowed-origins", KIOSK));
    }

    /** Variables of the operations guide, in its first or second example. */
    private static Map<String, Object> ofTheGuide(int example) throws IOException {
        var guide = Files.readString(ProjectFiles.OPERATIONS_GUIDE);
        var blocks =
                guide.substring(guide.indexOf("## Browsers of other sites")).split("```\n", -1);
        return blocks[2 * example - 1]
                .lines()
                .map(line -> line.split("=", 2))
                .collect(toMap(variable -> variable[0], variable -> variable[1]));
    }

    @AfterAll
    static void stop() {
        open.close();
        closed.close();
        off.close();
    }

    @Test
    void anAllowedOriginMayAskFirst() throws IOException {
        var answer = send(open, "OPTIONS /graphql", KIOSK, PREFLIGHT);

        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Origin: " + KIOSK + "\r\n")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Methods: POST\r\n")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Headers: authorization\r\n")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Headers: content-type\r\n")
                .containsIgnoringCase("\r\nVary: Origin\r\n")
                .doesNotContainIgnoringCase("Access-Control-Allow-Credentials");
    }

    /** What it may read as ETag. */
    @Test
    void anAllowedOriginMayNameTheAnswerThatItHas() throws IOException {
        var asked = "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: if-none-match\r\n";

        assertThat(send(open, "OPTIONS /graphql", KIOSK, asked))
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Headers: if-none-match\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /graphql?query=%7B__typename%7D", "POST /graphql"})
    void anAllowedOriginReadsAnswers(String line) throws IOException {
        var answer = send(open, line, KIOSK, "Sec-Fetch-Site: cross-site\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Origin: " + KIOSK + "\r\n")
                .containsIgnoringCase("\r\nAccess-Control-Expose-Headers: Retry-After\r\n")
                .containsIgnoringCase("\r\nAccess-Control-Expose-Headers: ETag\r\n")
                .containsIgnoringCase("\r\nVary: Origin\r\n")
                .doesNotContainIgnoringCase("Access-Control-Allow-Credentials")
                .contains("\"__typename\":\"Query\"");
    }

    @Test
    void anAllowedOriginReadsErrorsToo() throws IOException {
        assertThat(send(open, "GET /graphql?query=%7Bnothing%7D", KIOSK, "Accept: text/csv\r\n"))
                .startsWith("HTTP/1.1 406")
                .containsIgnoringCase("\r\nAccess-Control-Allow-Origin: " + KIOSK + "\r\n");
    }

    @Test
    void whatIsNotAllowedIsNotPromised() throws IOException {
        for (var asked :
                new String[] {PREFLIGHT.replace("POST", "DELETE"), PREFLIGHT.replace("content-type", "x-secret")}) {
            assertThat(send(open, "OPTIONS /graphql", KIOSK, asked)).startsWith("HTTP/1.1 403");
        }
    }

    /** Also by those that the setting does not name, and not even asked first where somebody else may. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "http://kiosk.example.com",
                "https://kiosk.example.com.evil.example",
                "null",
                "*"
            })
    void otherOriginsAreRefusedWhateverTheyAsk(String origin) throws IOException {
        for (var server : new GraphQlServer[] {open, closed}) {
            for (var line : new String[] {"GET /graphql?query=%7B__typename%7D", "POST /graphql", "OPTIONS /graphql"}) {
                assertThat(send(server, line, origin, PREFLIGHT))
                        .as(line)
                        .startsWith("HTTP/1.1 403")
                        .contains("\"code\":\"CROSS_SITE_REQUEST\"")
                        .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /stores", "POST /changes/new", "GET /prometheus"})
    void pagesAreClosedToEveryOtherOrigin(String line) throws IOException {
        for (var server : new GraphQlServer[] {open, closed}) {
            assertThat(send(server, line, KIOSK, "Accept: text/html\r\n")).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void originsMayBeNamedByAPattern() throws IOException {
        var variables = ofTheGuide(2);
        assertThat(variables.toString())
                .as("as it is in the file of systemd, so it is here")
                .contains("MENUBOARD_CORS_PATTERN")
                .doesNotContain("\\", "'", "\"");
        try (var patterns = ApplicationServer.startWith(variables)) {
            assertThat(send(patterns, "POST /graphql", "https://hall.screens.example.com", ""))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("\r\nAccess-Control-Allow-Origin: https://hall.screens.example.com\r\n");
            for (var other : new String[] {
                "https://hall.screens.example.com.evil.example", "https://hall-screens.example.com", KIOSK, "*"
            }) {
                assertRefused(send(patterns, "POST /graphql", other, ""));
            }
        }
    }

    @Test
    void settingsThatAreNotEnabledAllowNoOtherOrigin() throws IOException {
        assertRefused(send(off, "POST /graphql", KIOSK, ""));
        assertRefused(send(off, "OPTIONS /graphql", KIOSK, PREFLIGHT));
    }

    @Test
    void withoutSettingsNoOtherOriginIsAllowed() throws IOException {
        assertRefused(send(closed, "POST /graphql", KIOSK, ""));
        assertRefused(send(closed, "OPTIONS /graphql", KIOSK, PREFLIGHT));
        assertThat(send(closed, "POST /graphql", "http://localhost", "")).startsWith("HTTP/1.1 200");
    }

    @Test
    void aConfigurationNamesItsOrigins() {
        for (var origins : new String[] {"max-age", "allowed-origins"}) {
            var settings = Map.<String, Object>of(
                    "micronaut.server.cors.enabled",
                    true,
                    "micronaut.server.cors.configurations.all." + origins,
                    origins.equals("max-age") ? 60 : "*");

            assertThatThrownBy(() -> ApplicationServer.start(settings))
                    .hasRootCauseMessage(
                            "micronaut.server.cors.configurations.all must name origins, with allowed-origins"
                                    + " or allowed-origins-regex");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "kiosk.example.com", "https://kiosk.example.com/", "null"})
    void whatIsNoOriginStopsTheStart(String origin) {
        assertThatThrownBy(() -> ApplicationServer.startWith(Map.of("MENUBOARD_CORS_ORIGINS", KIOSK + "," + origin)))
                .hasRootCauseMessage(
                        "menuboard.cors.origins must be origins such as https://kiosk.example.com: " + origin);
    }

    /** By Menuboard's own rule: Micronaut has one for loopback hosts, which production is not. */
    private static void assertRefused(String answer) {
        assertThat(answer).startsWith("HTTP/1.1 403").contains("\"code\":\"CROSS_SITE_REQUEST\"");
    }

    private static String send(GraphQlServer server, String line, String origin, String headers) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            var body = line.startsWith("POST") ? QUERY : "";
            socket.getOutputStream()
                    .write(
                            "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nOrigin: %s\r\n%sContent-Length: %d\r\n\r\n%s"
                                    .formatted(line, origin, headers, body.length(), body)
                                    .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
