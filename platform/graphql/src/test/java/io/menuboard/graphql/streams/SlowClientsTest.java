package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not read get nothing made for them in advance, and their connection is closed. Each text has 10,000 characters. */
@Timeout(120)
class SlowClientsTest {
    /** What sockets of both sides and Netty hold, of texts, on this machine: 6 MB at the most. */
    private static final long MOST = 1_000;

    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = GraphQlServer.start(
            Map.of("menuboard.graphql.streams.write-timeout", "2s", "menuboard.graphql.streams.keep-alive", "1m"),
            List.of(SampleStreams.ENVIRONMENT));
    private static final Feed feed = server.bean(Feed.class);

    @BeforeEach
    void nothingWasMade() {
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
        feed.flooded.set(0);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @Test
    void makesNoMoreEventsThanFitIntoItsConnectionAndClosesIt() throws IOException {
        try (var client = flooded()) {
            assertThat(client.isConnected()).isTrue();

            awaitFlooded();
        }
    }

    @Test
    void makesNoMoreMessagesThanFitIntoAWebSocketAndClosesIt() {
        try (var client = WebSocketClient.openDeaf(http, server)) {
            client.send("{\"type\":\"connection_init\"}");
            client.subscribe("a", "subscription { sampleFlood }");

            awaitFlooded();
        }
    }

    @Test
    void closesAWebSocketWhoseClientAsksAndDoesNotRead() {
        try (var client = WebSocketClient.openDeaf(http, server)) {
            client.send("{\"type\":\"connection_init\"}");
            client.subscribe("a", "subscription { sampleFeed }");
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));

            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        for (var i = 0; i < 1_000; i++) {
                            client.socket()
                                    .sendText("{\"type\":\"ping\"}", true)
                                    .exceptionally(_ -> client.socket());
                        }
                        return feed.open.get() == 0;
                    });
        }
    }

    @Test
    void readsNoMoreFromAWebSocketThanItsClientReadsAnswersAndClosesIt() {
        feed.answered.set(0);
        try (var client = WebSocketClient.openDeaf(http, server)) {
            client.send("{\"type\":\"connection_init\"}");
            client.subscribe("a", "subscription { sampleFeed }");
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            for (var i = 0; i < 2_000; i++) {
                client.ask("big-" + i, "{ sampleBig }");
            }

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(feed.open).hasValue(0));
            assertThat(feed.answered.get()).isBetween(1, 500);
        }
    }

    @Test
    void makesFewAnswersForAWebSocketWhoseClientAsksAtOnceAndDoesNotRead() {
        feed.answered.set(0);
        var megabytes =
                IntStream.range(0, 20).mapToObj(i -> "big" + i + ": sampleBig").collect(joining(" ", "{ ", " }"));
        try (var client = WebSocketClient.openDeaf(http, server)) {
            client.send("{\"type\":\"connection_init\"}");
            client.subscribe("a", "subscription { sampleFeed }");
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            for (var i = 0; i < 90; i++) {
                client.ask("big-" + i, megabytes);
            }

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(feed.open).hasValue(0));
            assertThat(feed.answered.get() / 20).as("of 2 MB each").isBetween(1, 10);
        }
    }

    @Test
    void executesNothingThatItsClientCompletesBeforeItsTurn() throws InterruptedException {
        feed.answered.set(0);
        try (var client = WebSocketClient.open(http, server).initialised()) {
            Stream.of("a", "b", "c", "d").forEach(id -> client.subscribe(id, "subscription { sampleSlow }"));
            await().until(() -> feed.slow.getQueueLength() == 4);
            client.subscribe("big", "{ sampleBig }");
            client.complete("big");
            client.subscribe("after", "{ __typename }");
            client.send("{\"type\":\"ping\"}");
            assertThat(client.next()).as("once it has heard all of it").isEqualTo("{\"type\":\"pong\"}");

            feed.slow.release(4);

            var message = client.next();
            while (!message.startsWith("{\"id\":\"after\",\"type\":\"next\"")) {
                message = client.next();
            }
            assertThat(feed.answered).hasValue(0);
        }
    }

    private static void awaitFlooded() {
        await().untilAsserted(() -> assertThat(feed.flooded).hasPositiveValue());
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(feed.open).hasValue(0));
        assertThat(feed.flooded.get()).isBetween(1L, MOST);
    }

    /** Asks for everything, and reads nothing. */
    private static Socket flooded() throws IOException {
        var body = GraphQlServer.json(Map.of("query", "subscription { sampleFlood }"))
                .getBytes(UTF_8);
        var client = new Socket();
        client.setReceiveBufferSize(4_096);
        client.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.graphQl().getPort()));
        client.getOutputStream()
                .write(
                        ("POST /graphql/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                                        + body.length + "\r\n\r\n")
                                .getBytes(UTF_8));
        client.getOutputStream().write(body);
        client.getOutputStream().flush();
        return client;
    }
}
