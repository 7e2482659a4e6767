package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that ask for too much. A rate of one a second may let one more through while a test runs; none sends exactly the limit. */
@Timeout(120)
final class TooManyRequestsTest {
    private static final String FOREIGN = "203.0.113.";
    private static final int BURST = 5;

    private final List<Socket> sockets = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by start
    private GraphQlServer server;

    @AfterEach
    void stop() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private void start(Map<String, Object> settings) {
        var all = new HashMap<String, Object>(Map.of(
                "menuboard.sign-in",
                true,
                "micronaut.server.client-address-header",
                "X-Client",
                "menuboard.limits.principal-rate",
                1,
                "menuboard.limits.principal-burst",
                BURST,
                "menuboard.limits.address-rate",
                1,
                "menuboard.limits.address-burst",
                BURST));
        all.putAll(settings);
        server = ApplicationServer.start(all);
    }

    @Test
    void aTokenIsLimitedWhereverItComesFromAndNoOtherIs() {
        start(Map.of());
        var till = token("till");
        var early = token("early");
        // A busy machine sheds the first requests of a new instance.
        await().atMost(Duration.ofMinutes(1))
                .until(() -> graphQl(early, FOREIGN + "0").status() == 200);

        var answers = new ArrayList<Answer>();
        for (var i = 0; i < 4 * BURST; i++) {
            answers.add(graphQl(till, FOREIGN + i));
        }

        var refused = answers.stream().filter(answer -> answer.status() != 200).toList();
        assertThat(answers.getFirst().status()).isEqualTo(200);
        assertThat(refused).hasSizeGreaterThan(BURST);
        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.code()).isEqualTo("TOO_MANY_REQUESTS");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.header("Content-Type")).startsWith("application/graphql-response+json");
        });
        assertThat(graphQl(token("kiosk"), FOREIGN + "0").status())
                .as("another, from the same address")
                .isEqualTo(200);
    }

    @Test
    void whoIsNotKnownIsLimitedByAddressAlsoAtTheDoor() {
        start(Map.of());

        for (var path : List.of("/sign-in", "/stores", "/nothing-here")) {
            var address = FOREIGN + path.length();
            for (var i = 0; i < 3 * BURST; i++) {
                page(path, address);
            }
            var refused = page(path, address);
            assertThat(refused.status()).as(path).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.header("Content-Type")).startsWith("text/html");
            assertThat(refused.text()).contains("That was too much at once").contains("Try again");
            assertThat(page("/sign-in", FOREIGN + "200").status()).isEqualTo(200);
        }
    }

    @Test
    void anAddressThatGuessesTokensIsRefusedWhateverItBrings() {
        start(Map.of());
        var real = token("till");
        for (var i = 0; i < 3 * BURST; i++) {
            graphQl("mb_" + "0".repeat(25) + i % 10 + "_" + "0".repeat(64), FOREIGN + "1");
        }

        assertThat(graphQl(real, FOREIGN + "1").status()).isEqualTo(429);
        assertThat(graphQl(real, FOREIGN + "2").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For: 203.0.113.%d", "Forwarded: for=203.0.113.%d"})
    void nobodyChoosesAnAddress(String header) {
        server = ApplicationServer.start(Map.of(
                "menuboard.sign-in",
                true,
                "menuboard.limits.address-rate",
                1,
                "menuboard.limits.address-burst",
                BURST));

        var answers = new ArrayList<Integer>();
        for (var i = 0; i < 4 * BURST; i++) {
            var forged = header.formatted(i).split(": ", 2);
            answers.add(server.send(HttpRequest.newBuilder(server.graphQl().resolve("/sign-in"))
                            .header(forged[0], forged[1]))
                    .status());
        }

        assertThat(answers.getFirst()).isEqualTo(200);
        assertThat(answers.stream().filter(status -> status == 429)).hasSizeGreaterThan(BURST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Host: a:",
                "X-Forwarded-Host: a:b",
                "X-Forwarded-Port: nonsense",
                "X-Forwarded-For: ,",
                "Forwarded: host=a:b",
                "Forwarded: host=\"[::1]:8080\"",
                "Forwarded: for=\""
            })
    void whatProxiesSayInOtherHeadersIsNotRead(String header) throws IOException {
        server = ApplicationServer.start(Map.of("menuboard.sign-in", true));

        for (var origin : List.of("", "Origin: http://localhost\r\n")) {
            assertThat(status("GET /sign-in HTTP/1.1\r\nHost: localhost\r\n" + origin + header + "\r\n\r\n"))
                    .as(origin)
                    .isEqualTo("HTTP/1.1 200");
        }
    }

    @Test
    void ofAListTheLastAddressCounts() {
        start(Map.of());
        for (var i = 0; i < 3 * BURST; i++) {
            page("/sign-in", FOREIGN + i + ", " + FOREIGN + "100");
        }

        assertThat(page("/sign-in", FOREIGN + "200, " + FOREIGN + "100").status())
                .isEqualTo(429);
        assertThat(page("/sign-in", FOREIGN + "100, " + FOREIGN + "200").status())
                .isEqualTo(200);
    }

    @Test
    void aTokenHasHalfOfThePlacesForPagesAndLeavesTheOthers() throws IOException {
        server = ApplicationServer.start(Map.of("menuboard.sign-in", true, "menuboard.admin.pages-at-once", 4));
        var busy = editor("busy");
        for (var i = 0; i < 5; i++) {
            assertThat(stores(busy).status()).isEqualTo(200);
        }

        // They wait for their bodies, as they might wait for a table that is slow.
        for (var i = 0; i < 2; i++) {
            connect()
                    .getOutputStream()
                    .write(("POST /changes/new HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + busy + "\r\n"
                                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n")
                            .getBytes(UTF_8));
        }

        var refused =
                await().atMost(Duration.ofSeconds(20)).until(() -> stores(busy), answer -> answer.status() == 429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.text()).contains("That was too much at once");
        assertThat(stores(editor("other")).status()).isEqualTo(200);
        assertThat(page("/sign-in", FOREIGN + "1").status()).isEqualTo(200);

        for (var socket : sockets) {
            socket.close();
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> stores(busy).status() == 200);
    }

    private static int freePort() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /** Where operations have a port of their own, load balancers still ask for health at the one of all others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void healthIsNotLimited(boolean hasPortOfItsOwn) throws IOException {
        start(hasPortOfItsOwn ? Map.of("endpoints.all.port", freePort()) : Map.of());

        for (var i = 0; i < 3 * BURST; i++) {
            var answer = server.send(HttpRequest.newBuilder(server.graphQl().resolve("/health/readiness"))
                    .header("Accept", "application/json")
                    .header("X-Client", FOREIGN + "1"));
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void isRefusedBeforeTheBodyIsThere() {
        start(Map.of("menuboard.bodies.linger", "0s", "menuboard.bodies.window", "200ms"));
        for (var i = 0; i < 3 * BURST; i++) {
            page("/sign-in", FOREIGN + "1");
        }

        // Where a second has passed since, one is let in, and has 408 for its body.
        await().until(
                        () -> status("POST /sign-in HTTP/1.1\r\nHost: localhost\r\nX-Client: " + FOREIGN + "1\r\n"
                                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"),
                        "HTTP/1.1 429"::equals);
    }

    @Test
    void nobodyIsLimitedWhereThatIsSwitchedOff() {
        start(Map.of("menuboard.limits.requests", false));

        for (var i = 0; i < 3 * BURST; i++) {
            assertThat(page("/sign-in", FOREIGN + "1").status()).isEqualTo(200);
        }
    }

    @Test
    void anAddressHasSoManyConnectionsAndNoMoreUntilOneIsClosed() throws IOException {
        server = ApplicationServer.start(Map.of("menuboard.limits.connections-per-address", 3));
        for (var i = 0; i < 3; i++) {
            assertThat(isServed(connect())).isTrue();
        }
        assertThat(isServed(connect())).as("one too many").isFalse();

        sockets.getFirst().close();

        await().atMost(Duration.ofSeconds(10)).until(() -> isServed(connect()));
    }

    @Test
    void inAllThereAreSoManyConnections() throws IOException {
        server = ApplicationServer.start(
                Map.of("menuboard.limits.connections", 2, "micronaut.server.client-address-header", "X-Client"));

        assertThat(isServed(connect())).isTrue();
        assertThat(isServed(connect())).isTrue();
        assertThat(isServed(connect())).isFalse();
    }

    @Test
    void operationsAreServedAtTheirOwnPortHoweverManyConnectionsThereAre() throws IOException {
        var operations = freePort();
        server = ApplicationServer.start(Map.of(
                "menuboard.limits.connections",
                2,
                "micronaut.server.client-address-header",
                "X-Client",
                "endpoints.all.port",
                operations,
                "endpoints.prometheus.enabled",
                true,
                "endpoints.prometheus.sensitive",
                false));
        assertThat(isServed(connect())).isTrue();
        assertThat(isServed(connect())).isTrue();
        assertThat(isServed(connect())).isFalse();

        for (var path : List.of("/prometheus", "/health")) {
            var address = URI.create("http://127.0.0.1:" + operations + path);
            assertThat(server.send(HttpRequest.newBuilder(address).header("Accept", "*/*"))
                            .status())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    private Socket connect() throws IOException {
        var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort());
        sockets.add(socket);
        return socket;
    }

    private String status(String request) throws IOException {
        return status(connect(), request);
    }

    private static String status(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(UTF_8));
        return new String(socket.getInputStream().readNBytes(12), UTF_8);
    }

    private static boolean isServed(Socket socket) {
        try {
            return status(socket, "GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .equals("HTTP/1.1 200");
        } catch (IOException _) {
            return false; // reset
        }
    }

    private String token(String name) {
        return token(name, Role.VIEWER);
    }

    private String token(String name, Role role) {
        return server.bean(Tokens.class)
                .create(
                        Access.ofCommandLine("test"),
                        name,
                        Set.of(Grant.of(role)),
                        Instant.now().plus(Duration.ofHours(1)))
                .text();
    }

    /** One that is known without a read, which on a busy machine may take longer than whoever asks waits. */
    private String editor(String name) {
        var token = token(name, Role.PRICING_EDITOR);
        assertThat(server.bean(Tokens.class).principal(token)).isPresent();
        return token;
    }

    private Answer stores(String token) {
        return server.send(HttpRequest.newBuilder(server.graphQl().resolve("/stores"))
                .header("Accept", "text/html")
                .header("Authorization", "Bearer " + token));
    }

    private Answer graphQl(String token, String address) {
        return server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header("Accept", "application/graphql-response+json")
                .header("Authorization", "Bearer " + token)
                .header("X-Client", address)
                .POST(BodyPublishers.ofString("{\"query\": \"{ __typename }\"}")));
    }

    private Answer page(String path, String address) {
        return server.send(HttpRequest.newBuilder(server.graphQl().resolve(path))
                .header("Accept", "text/html")
                .header("X-Client", address));
    }
}
