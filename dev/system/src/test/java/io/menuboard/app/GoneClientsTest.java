package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that go away in the middle of their body: no fault of this program, and none in its metrics. */
@Timeout(120)
final class GoneClientsTest {
    private static GraphQlServer server;

    @BeforeAll
    static void start() {
        server = ApplicationServer.start(Map.of("menuboard.admin.imports-at-once", 20));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/graphql,     application/json,                    false",
        "/graphql,     application/json,                    true",
        "/changes/new, application/x-www-form-urlencoded,   false",
        "/changes/new, application/x-www-form-urlencoded,   true",
        "/imports,     multipart/form-data; boundary=form,  false",
        "/imports,     multipart/form-data; boundary=form,  true",
    })
    void areCountedAsGone(String path, String type, boolean isReset) throws IOException {
        var before = count(path, "499");

        for (var i = 0; i < 5; i++) {
            leave(path, type, isReset);
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(count(path, "499")).isEqualTo(before + 5));
        assertThat(count(path, "500")).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void subscribersHaveLeftWhenTheyAreGone(boolean isReset) throws IOException {
        var task = server.data("mutation { submitTask(input: {type: \"watched\"}) { task { key } } }")
                .at("/submitTask/task/key")
                .asText();
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            var query = "subscription { taskUpdated(id: \"" + task + "\") { status } }";
            socket.getOutputStream()
                    .write(("GET /graphql/stream?query=" + URLEncoder.encode(query, UTF_8)
                                    + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(UTF_8));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(subscriptions()).isOne());
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            if (isReset) {
                socket.setSoLinger(true, 0);
            }
        }

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(subscriptions()).isZero());
        assertThat(count("/graphql/stream", "200")).isPositive();
        assertThat(count("/graphql/stream", "500")).isZero();
    }

    private static double subscriptions() {
        return server.bean(MeterRegistry.class)
                .get("menuboard.graphql.subscriptions")
                .gauge()
                .value();
    }

    private static void leave(String path, String type, boolean isReset) throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.getOutputStream()
                    .write(
                            "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test\r\nContent-Type: %s\r\nContent-Length: 1000\r\n\r\n{"
                                    .formatted(path, type)
                                    .getBytes(UTF_8));
            if (isReset) {
                socket.setSoLinger(true, 0);
            }
        }
    }

    private static long count(String path, String status) {
        return server
                .bean(MeterRegistry.class)
                .find("http.server.requests")
                .tag("uri", path)
                .tag("status", status)
                .timers()
                .stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
