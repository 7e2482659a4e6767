package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.ChangePasswordResult;
import io.menuboard.accounts.NewToken;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.graphql.GraphQlServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who opens a WebSocket or a stream of the whole application, past all of its doors, and for how long. */
@Timeout(120)
final class SubscriptionsTest {
    private static final Access ADMINISTRATOR = Access.ofCommandLine("test");
    private static final String QUERY =
            "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":{\"query\":\"{ stores(first: 1) { nodes { key } } }\"}}";
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = ApplicationServer.start(Map.of(
            "menuboard.sign-in",
            true,
            "menuboard.bodies.headers",
            "500ms",
            "micronaut.server.cors.enabled",
            true,
            "micronaut.server.cors.configurations.board.allowed-origins",
            "https://board.example.com"));

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static final class Client implements WebSocket.Listener {
        final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();

        /** The next message; fails where none comes. */
        String next() throws InterruptedException {
            var message = messages.poll(20, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no message, but the code " + closed.getNow(0));
            }
            return message;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
            messages.add(data.toString());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable fault) {
            closed.completeExceptionally(fault);
        }
    }

    private static WebSocket open(Client client, String path, String... headers) {
        var builder = http.newWebSocketBuilder().subprotocols("graphql-transport-ws");
        for (var i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        var uri = URI.create("ws://127.0.0.1:" + server.graphQl().getPort() + path);
        return builder.buildAsync(uri, client).join();
    }

    private static void assertRefused(int status, String path, String... headers) {
        assertThatThrownBy(() -> open(new Client(), path, headers))
                .cause()
                .asInstanceOf(type(WebSocketHandshakeException.class))
                .satisfies(refused ->
                        assertThat(refused.getResponse().statusCode()).isEqualTo(status));
    }

    private static NewToken token() {
        var tokens = server.bean(Tokens.class);
        var created = tokens.create(
                ADMINISTRATOR,
                "till",
                Set.of(Grant.of(Role.VIEWER)),
                Instant.now().plus(1, ChronoUnit.HOURS));
        // Known without a read, which on a busy machine may take longer than whoever asks waits.
        assertThat(tokens.principal(created.text())).isPresent();
        return created;
    }

    @Test
    void nothingTakesAWebSocketOfMicronautsOwnHandlers() {
        assertRefused(404, "/graphql-ws", "Authorization", "Bearer " + token().text());
    }

    @Test
    void nobodyOpensOne() {
        assertRefused(401, "/graphql/ws");
        assertRefused(401, "/graphql/ws", "Authorization", "Bearer mb_x");
    }

    /** A frame of a megabyte would be inflated to a thousand of them before anybody looked at its length. */
    @Test
    void nothingIsCompressed() throws IOException {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort())) {
            socket.getOutputStream()
                    .write(
                            ("GET /graphql/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                            + "Sec-WebSocket-Protocol: graphql-transport-ws\r\n"
                                            + "Sec-WebSocket-Extensions: permessage-deflate\r\nAuthorization: Bearer "
                                            + token().text() + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            var head = new ArrayList<String>();
            for (var line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
                head.add(line.toLowerCase(Locale.ROOT));
            }

            assertThat(head.getFirst()).startsWith("http/1.1 101");
            assertThat(head).noneMatch(line -> line.startsWith("sec-websocket-extensions"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://evil.example", "null", "http://127.0.0.1:1", "https://board.example.com.evil.example"})
    void pagesOfOthersOpenNone(String origin) {
        assertRefused(403, "/graphql/ws", "Origin", origin, "Authorization", "Bearer " + token().text());
    }

    @Test
    void pagesOfOthersOpenNoStream() {
        var answer =
                server.send(HttpRequest.newBuilder(server.graphQl().resolve("/graphql/stream?query=%7B__typename%7D"))
                        .header("Origin", "https://evil.example")
                        .header("Authorization", "Bearer " + token().text()));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("CROSS_SITE_REQUEST");
    }

    @Test
    void ownPagesAndAllowedOnesOpenOne() throws InterruptedException {
        for (var origin :
                new String[] {"http://127.0.0.1:" + server.graphQl().getPort(), "https://board.example.com"}) {
            var client = new Client();
            var socket = open(client, "/graphql/ws", "Origin", origin, "Authorization", "Bearer " + token().text());
            socket.sendText("{\"type\":\"connection_init\"}", true).join();

            assertThat(client.next()).isEqualTo("{\"type\":\"connection_ack\"}");
            socket.abort();
        }
    }

    /** A browser sends the cookie of a session with WebSockets to another host of the same site, too. */
    @Test
    void theSessionOfWhoeverIsSignedInIsForOwnPagesAlone() {
        var own = "http://127.0.0.1:" + server.graphQl().getPort();
        var other = "https://board.example.com";
        var session = session();

        open(new Client(), "/graphql/ws", "Origin", own, "Cookie", session).abort();
        assertRefused(401, "/graphql/ws", "Origin", other, "Cookie", session);
        assertRefused(401, "/graphql/ws", "Origin", other, "Sec-Fetch-Site", "same-site", "Cookie", session);

        assertThat(ask("/graphql", own, session)).isEqualTo(200);
        assertThat(ask("/graphql", other, session)).isEqualTo(401);
        assertThat(ask("/graphql/stream", other, session)).isEqualTo(401);
    }

    private static int ask(String path, String origin, String cookie) {
        return server.send(HttpRequest.newBuilder(server.graphQl().resolve(path))
                        .header("Origin", origin)
                        .header("Cookie", cookie)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"query\":\"{ __typename }\"}")))
                .status();
    }

    /** The cookie of somebody who is signed in, with a password of their own. */
    private static String session() {
        var first = "correct horse battery";
        var own = "another good password";
        var here = ClientAddress.of("192.0.2.1");
        var created = server.bean(Accounts.class)
                .create(ADMINISTRATOR, new Username("ada"), "Ada Lovelace", first, Set.of(Grant.of(Role.VIEWER)));
        assertThat(created).isInstanceOf(AccountResult.Done.class);
        var signIns = server.bean(SignIns.class);
        var signedIn = (SignInResult.SignedIn) signIns.signIn("ada", first, here, "", null, null);
        var changed = (ChangePasswordResult.Changed)
                signIns.changePassword(signedIn.begun().session(), here, first, own, null);
        var session = changed.goesOn().session();
        // As in token().
        assertThat(server.bean(Sessions.class).current(session.key())).isPresent();
        return "menuboard=" + session.account() + "." + session.credentialVersion() + "."
                + changed.goesOn().secret();
    }

    @Test
    void staysOpenPastTheTimeForHeadersUntilItsTokenIsRevoked() throws InterruptedException {
        var token = token();
        var client = new Client();
        var socket = open(client, "/graphql/ws", "Authorization", "Bearer " + token.text());
        socket.sendText("{\"type\":\"connection_init\"}", true).join();
        assertThat(client.next()).contains("connection_ack");
        assertThat(client.messages.poll(2, TimeUnit.SECONDS)).isNull();

        socket.sendText(QUERY, true).join();
        assertThat(client.next()).contains("\"payload\":{\"data\":{\"stores\":{\"nodes\":[]}}}");
        assertThat(client.next()).contains("complete");

        server.bean(Tokens.class).revoke(ADMINISTRATOR, token.token().id());
        var begin = System.nanoTime();
        assertThat(client.closed.join()).isEqualTo(4403);
        // Five seconds, and what a busy machine takes.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void answersAStreamWithTheHeadersOfEveryAnswer() {
        var answer = server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .header("Authorization", "Bearer " + token().text())
                .POST(BodyPublishers.ofString("{\"query\":\"{ __typename }\"}")));

        assertThat(answer.text())
                .isEqualTo("event: next\ndata: {\"data\":{\"__typename\":\"Query\"}}\n\nevent: complete\ndata:\n\n");
        assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream; charset=utf-8");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
}
