package io.menuboard.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer;
import io.micronaut.web.router.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tells browsers to be careful is on every answer, whatever made it. */
@Timeout(300)
final class HeadersTest {
    private static final String HOST = "Host: localhost\r\n";
    private static final String GRANTS = Arrays.stream(Role.values())
            .map(role -> HeaderPrincipals.GRANT + ": " + Grant.of(role).text() + "\r\n")
            .collect(Collectors.joining());

    private static final GraphQlServer server = ApplicationServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Every route, with whatever it answers to a request that has nothing but its headers. */
    private static Stream<String> routes() {
        return server.bean(Router.class)
                .uriRoutes()
                .map(route -> route.getHttpMethodName() + " "
                        + route.getUriMatchTemplate()
                                .toString()
                                .replaceAll("\\{\\w+:([a-z.\\\\]+)\\|.*}", "$1")
                                .replace("\\", "")
                                .replace("{month}", "2026-03")
                                .replaceAll("\\{[^}]+}", "X-1"))
                .distinct();
    }

    private static final List<String> ERRORS = List.of(
            "GET /nothing/here HTTP/1.1\r\n" + HOST,
            "GET /stores/nowhere HTTP/1.1\r\n" + HOST + "Accept: application/json\r\n",
            "GET /assets/0/nothing.css HTTP/1.1\r\n" + HOST,
            "GET /stores HTTP/1.1\r\nHost: evil.example\r\n",
            "GET /stores HTTP/1.1\r\n",
            "PATCH /stores HTTP/1.1\r\n" + HOST,
            "POST /imports HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n" + HOST,
            "POST /tasks/bulk HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n" + HOST,
            "POST /graphql HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n" + HOST,
            "POST /graphql HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n" + HOST,
            "GET /graphql?query=%7Bnothing%7D HTTP/1.1\r\n" + HOST,
            "GET /graphql HTTP/1.1\r\nAccept: text/csv\r\n" + HOST,
            "OPTIONS /graphql HTTP/1.1\r\nOrigin: https://evil.example\r\n" + HOST,
            "GET /%zz HTTP/1.1\r\n" + HOST,
            "GET /graphql?query=" + "a".repeat(20_000) + " HTTP/1.1\r\n" + HOST,
            "GET /stores HTTP/1.1\r\nX-A: " + "a".repeat(20_000) + "\r\n" + HOST);

    @Test
    void areOnWhatEveryRouteAnswers() throws IOException {
        var routes = routes().toList();
        assertThat(routes).hasSizeGreaterThan(150);
        assertThat(routes.stream().map(route -> route.replaceFirst("^.* ", "")))
                .contains("/stores.csv", "/graphql", "/sign-in", "/health/X-1", "/prometheus");
        for (var route : routes) {
            var length = route.startsWith("GET") || route.startsWith("HEAD") ? "" : "Content-Length: 0\r\n";
            var answer = send(route + " HTTP/1.1\r\n" + HOST + GRANTS + length);

            assertProtected(route, answer);
            if (!route.matches("\\w+ /(assets|sign-in|health|prometheus|uploads|price-packs/keys)\\b.*")) {
                assertThat(answer).as(route).contains("\r\ncache-control: no-store\r\n");
            }
        }
    }

    @Test
    void areOnErrors() throws IOException {
        for (var request : ERRORS) {
            var answer = send(request);

            assertThat(answer).as(request).matches("(?s)http/1.[01] (4|200).*");
            assertProtected(request, answer);
            assertThat(answer).as(request).contains("\r\ncache-control: no-store\r\n");
        }
    }

    @Test
    void staysWithTlsForWhoCameByIt() throws IOException {
        var request = "GET /sign-in HTTP/1.1\r\n" + HOST;

        assertThat(send(request + "X-Forwarded-Proto: https\r\n"))
                .contains("\r\nstrict-transport-security: max-age=31536000\r\n");
        assertThat(send(request + "X-Forwarded-Proto: http\r\n")).doesNotContain("strict-transport-security");
        assertThat(send(request)).doesNotContain("strict-transport-security");
    }

    private static void assertProtected(String request, String answer) {
        assertThat(answer)
                .as(request)
                .contains("\r\nx-content-type-options: nosniff\r\n")
                .contains("\r\nreferrer-policy: same-origin\r\n")
                .contains("\r\nx-frame-options: deny\r\n")
                .contains("\r\ncross-origin-opener-policy: same-origin\r\n")
                .contains("\r\ncross-origin-resource-policy: same-origin\r\n")
                .containsPattern("\r\ncontent-security-policy: default-src 'self';[^\r]*frame-ancestors 'none'")
                .doesNotContain("unsafe-inline", "unsafe-eval");
    }

    /** Status line and headers, in small letters. */
    private static String send(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.getOutputStream().write((request + "Connection: close\r\n\r\n").getBytes(ISO_8859_1));
            var answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            return answer.substring(0, answer.indexOf("\r\n\r\n") + 2).toLowerCase(Locale.ROOT);
        }
    }
}
