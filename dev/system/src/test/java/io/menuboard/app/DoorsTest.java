package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers are made to send by pages of others, as they send it. */
@Timeout(60)
final class DoorsTest {
    private static final String QUERY = "{\"query\":\"{ __typename }\"}";

    private final GraphQlServer server = ApplicationServer.shared();

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example:8080", "localhost.", "", "prices.example.com.evil"})
    void aForeignHostIsRefusedEverywhere(String host) throws IOException {
        assertThat(status(get("/stores", "Host: " + host))).isEqualTo(421);
        assertThat(status(get("/graphql?query=%7B__typename%7D", "Host: " + host)))
                .isEqualTo(421);
        assertThat(send(graphQl("Host: " + host))).startsWith("HTTP/1.1 421").contains("MISDIRECTED_REQUEST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:9999", "prices.example.com", "PRICES.example.COM:443"})
    void theNamesOfTheSettingAreServedWhateverThePort(String host) throws IOException {
        assertThat(status(graphQl("Host: " + host))).isEqualTo(200);
    }

    @Test
    void loadBalancersAskForHealthUnderAnyName() throws IOException {
        assertThat(status(get("/health", "Host: 10.0.3.7:8080"))).isEqualTo(200);
        assertThat(status(get("/healthy", "Host: 10.0.3.7:8080"))).isEqualTo(421);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Sec-Fetch-Site: cross-site\r\nOrigin: http://localhost",
                "Origin: https://evil.example",
                "Origin: http://localhost:1",
                "Origin: null"
            })
    void whatAnotherSiteWouldChangeIsRefused(String headers) throws IOException {
        assertThat(status(graphQl("Host: localhost\r\n" + headers))).isEqualTo(403);
        assertThat(status(
                        post("/imports", "Host: localhost\r\n" + headers, "multipart/form-data; boundary=x", "--x--")))
                .isEqualTo(403);
        assertThat(status(post("/tasks/bulk", "Host: localhost\r\n" + headers, "text/plain", "")))
                .isEqualTo(403);
        assertThat(send(post("/changes", "Host: localhost\r\n" + headers, "text/plain", "")))
                .as("an answer that people can read")
                .contains("text/html")
                .contains("403");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: none",
                "Origin: http://localhost",
                "X-Client: curl"
            })
    void whatOwnPagesAndProgramsSendPasses(String headers) throws IOException {
        assertThat(status(graphQl("Host: localhost\r\n" + headers))).isEqualTo(200);
    }

    @Test
    void aProxyMayEndTls() throws IOException {
        assertThat(status(graphQl("Host: prices.example.com\r\nOrigin: https://prices.example.com")))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {";;", ",", "de,;", ";,de"})
    void languagesThatNameNoneAreIgnored(String languages) throws IOException {
        assertThat(status(graphQl("Host: localhost\r\nAccept-Language: " + languages)))
                .isEqualTo(200);
    }

    @Test
    void linksOfOtherSitesLeadHere() throws IOException {
        assertThat(status(get("/graphql?query=%7B__typename%7D", "Host: localhost\r\nSec-Fetch-Site: cross-site")))
                .isEqualTo(200);
    }

    private static String graphQl(String headers) {
        return post("/graphql", headers, "application/json", QUERY);
    }

    private static String post(String path, String headers, String type, String body) {
        return "POST %s HTTP/1.1\r\n%s\r\nAccept: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                .formatted(
                        path,
                        headers,
                        path.equals("/graphql") ? "application/json" : "text/html",
                        type,
                        body.length(),
                        body);
    }

    private static String get(String path, String headers) {
        return "GET %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(path, headers);
    }

    private int status(String request) throws IOException {
        return Integer.parseInt(send(request).split(" ", 3)[1]);
    }

    /** As it is: Java's clients do not let Host and Origin be set. */
    private String send(String request) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
