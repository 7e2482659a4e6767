package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.graphql.GraphQlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With the setting of the systemd unit. */
final class ManagementPortTest {
    private static GraphQlServer server;
    private static int port;

    @BeforeAll
    static void start() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = ApplicationServer.start(Map.of(
                "endpoints.all.enabled",
                false,
                "endpoints.prometheus.enabled",
                true,
                "endpoints.prometheus.sensitive",
                false,
                "endpoints.all.port",
                port,
                "endpoints.health.disk-space.threshold",
                Long.MAX_VALUE,
                "menuboard.hosts",
                "127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/prometheus", "/health", "/health/liveness", "/health/readiness"})
    void operationsHaveAPortOfTheirOwnUnderAnyName(String path) {
        assertThat(status("127.0.0.1", port, path)).isEqualTo(200);
        assertThat(status("localhost", port, path)).isEqualTo(200);
    }

    @Test
    void metricsAreNotForEverybody() {
        assertThat(status("127.0.0.1", server.graphQl().getPort(), "/prometheus"))
                .isEqualTo(404);
        assertThat(status("localhost", server.graphQl().getPort(), "/prometheus"))
                .isEqualTo(421);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/health/liveness", "/health/readiness"})
    void loadBalancersAskForHealthWhereTheySendRequests(String path) {
        var answer = server.send(
                HttpRequest.newBuilder(server.graphQl().resolve(path)).header("Accept", "application/json"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).hasToString("{\"status\":\"UP\"}");
    }

    /** No disk here has as much space as the setting asks for. */
    @Test
    void aFullDiskTakesNoInstanceAwayFromTheLoadBalancer() {
        assertThat(status("127.0.0.1", server.graphQl().getPort(), "/health/readiness"))
                .isEqualTo(200);
    }

    @Test
    void anInstanceThatOthersReachDoesNotStartWithoutIt() {
        var open = Map.<String, Object>of("endpoints.prometheus.enabled", true, "micronaut.server.host", "0.0.0.0");

        assertThatThrownBy(() -> ApplicationServer.start(open))
                .hasStackTraceContaining(
                        "would show the metrics to everybody: set endpoints.all.port (ENDPOINTS_ALL_PORT)");
    }

    @Test
    void noInstanceHasOnePortForBoth() {
        assertThatThrownBy(() -> new MetricsPort("127.0.0.1", 8081, 8081))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "endpoints.all.port (ENDPOINTS_ALL_PORT) must be another port than 8081, that of pages and clients");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/stores", "/graphql?query=%7B__typename%7D", "/sign-in"})
    void nothingElseIsThere(String path) {
        assertThat(status("127.0.0.1", port, path)).isEqualTo(404);
    }

    private static int status(String host, int port, String path) {
        var address = URI.create("http://" + host + ":" + port + path);
        return server.send(HttpRequest.newBuilder(address).header("Accept", "*/*"))
                .http()
                .statusCode();
    }
}
