package io.menuboard.graphql.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WebSocketTest {
    private static final String NUMBER = "subscription { sampleCounter(to: 1) { id } }";
    private static final String FEED = "subscription { sampleFeed }";
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = GraphQlServer.start(
            Map.of(
                    "menuboard.graphql.streams.keep-alive",
                    "300ms",
                    "menuboard.graphql.streams.init-timeout",
                    "1s",
                    "menuboard.graphql.streams.most-per-connection",
                    "3",
                    "menuboard.graphql.streams.most-per-principal",
                    "2",
                    "menuboard.graphql.streams.max-message-bytes",
                    "2000",
                    "test.grants-by-header",
                    true),
            List.of(SampleStreams.ENVIRONMENT));
    private static final Feed feed = server.bean(Feed.class);

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @AfterEach
    void everybodyHasLeft() {
        feed.isRevoked.set(false);
        await().pollDelay(Duration.ZERO).atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(feed.open)
                .hasValue(0));
    }

    private static WebSocketClient open() {
        return WebSocketClient.open(http, server);
    }

    @Test
    void tellsEachEventAndThatThereAreNoMore() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a\"1", "subscription { n: sampleCounter(to: 2) { id even } }");

            assertThat(client.next())
                    .isEqualTo(
                            "{\"id\":\"a\\\"1\",\"type\":\"next\",\"payload\":{\"data\":{\"n\":{\"id\":\"number-1\",\"even\":false}}}}");
            assertThat(client.next()).contains("number-2");
            assertThat(client.next()).isEqualTo("{\"id\":\"a\\\"1\",\"type\":\"complete\"}");
        }
    }

    @Test
    void executesQueriesAndMutations() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("q", "{ sampleEcho(text: \"ü\") }");
            assertThat(client.next())
                    .isEqualTo("{\"id\":\"q\",\"type\":\"next\",\"payload\":{\"data\":{\"sampleEcho\":\"ü\"}}}");
            assertThat(client.next()).isEqualTo("{\"id\":\"q\",\"type\":\"complete\"}");

            client.subscribe("q", "mutation { sampleCount }");
            assertThat(client.next()).contains("{\"data\":{\"sampleCount\":1}}");
        }
    }

    @Test
    void answersPingsBeforeAndAfterTheBeginning() throws InterruptedException {
        try (var client = open()) {
            client.send("{\"type\":\"ping\"}");
            assertThat(client.next()).isEqualTo("{\"type\":\"pong\"}");
            client.initialised();
            client.send("{\"type\":\"ping\",\"payload\":{\"n\":1}}");
            assertThat(client.next()).isEqualTo("{\"type\":\"pong\"}");
            client.send("{\"type\":\"pong\"}");
            client.subscribe("a", NUMBER);
            assertThat(client.next()).contains("number-1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"subscription { unknown }", "{", "subscription { sampleSecret }"})
    void tellsWhyAnOperationIsNotExecuted(String document) throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", document);

            assertThat(client.next())
                    .startsWith("{\"id\":\"a\",\"type\":\"error\",\"payload\":[{\"message\":")
                    .contains("\"extensions\":{\"code\":");
            client.subscribe("a", NUMBER);
            assertThat(client.next()).contains("number-1");
        }
    }

    @Test
    void tellsWhyASubscriptionHasFailed() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", "subscription { sampleBroken(after: 1) }");

            assertThat(client.next()).contains("\"sampleBroken\":1");
            assertThat(client.next())
                    .startsWith("{\"id\":\"a\",\"type\":\"error\"")
                    .contains("\"code\":\"RESUME\"");
            client.subscribe("b", NUMBER);
            assertThat(client.next()).startsWith("{\"id\":\"b\",\"type\":\"next\"");
        }
    }

    @Test
    void endsWhatItsClientCompletes() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));

            client.complete("a");
            client.complete("never begun");

            await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
            client.subscribe("a", NUMBER);
            assertThat(client.next()).contains("number-1");
        }
    }

    @Test
    void givesUpWhatWaitsForAnOperationThatItsClientCompletes() throws InterruptedException {
        try (var client = open().initialised()) {
            for (var id : List.of("a", "b", "c")) {
                client.subscribe(id, "{ sampleStall }");
                client.complete(id);
            }

            await().untilAsserted(() -> {
                client.subscribe("d", NUMBER);
                assertThat(client.next()).contains("number-1");
            });
        }
    }

    @Test
    void whatItsClientCompletesHasItsPlaceUntilItEnds() throws InterruptedException {
        try (var client = open().initialised()) {
            var ids = List.of("a", "b", "c");
            ids.forEach(id -> client.subscribe(id, "subscription { sampleSlow }"));
            await().until(() -> feed.slow.getQueueLength() == 3);
            ids.forEach(client::complete);
            client.subscribe("a", NUMBER);
            assertThat(client.next()).contains("TOO_MANY_OPERATIONS");

            feed.slow.release(3);

            await().untilAsserted(() -> {
                client.subscribe("d", NUMBER);
                assertThat(client.next()).contains("number-1");
            });
        }
    }

    @Test
    void endsEverythingWhenItsClientGoes() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            client.subscribe("b", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(2));
        }
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
    }

    @Test
    void idsBelongToTheConnection() throws InterruptedException {
        try (var one = open().initialised();
                var other = open().initialised()) {
            one.subscribe("a", FEED);
            other.subscribe("a", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(2));

            other.complete("a");
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            feed.sink.tryEmitNext("for one").orThrow();

            assertThat(one.next()).contains("for one");
            assertThat(other.messages).isEmpty();
        }
    }

    @Test
    void closesWhereAnIdIsUsedTwice() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            client.subscribe("a", FEED);

            assertThat(client.closeCode()).isEqualTo(4409);
        }
    }

    /** A close frame has room for 123 bytes. */
    @Test
    void saysInACloseFrameWhatFitsIntoIt() throws InterruptedException {
        var id = "€".repeat(40);
        try (var client = open().initialised()) {
            client.subscribe(id, FEED);
            client.subscribe(id, FEED);

            assertThat(client.closeCode()).isEqualTo(4409);
            assertThat(client.closeReason()).isEqualTo("Subscriber for " + "€".repeat(36));
        }
    }

    @Test
    void closesWhereAnIdIsUsedTwiceAlsoIfThereIsNoPlace() throws InterruptedException {
        try (var client = open().initialised()) {
            for (var id : List.of("a", "b", "c", "a")) {
                client.subscribe(id, "{ sampleStall }");
            }

            assertThat(client.closeCode()).isEqualTo(4409);
        }
    }

    @Test
    void closesWhereNothingBeganIt() {
        try (var client = open()) {
            client.subscribe("a", FEED);

            assertThat(client.closeCode()).isEqualTo(4401);
        }
    }

    @Test
    void closesWhereItIsBegunTwice() throws InterruptedException {
        try (var client = open().initialised()) {
            client.send("{\"type\":\"connection_init\"}");

            assertThat(client.closeCode()).isEqualTo(4429);
        }
    }

    @Test
    void closesWhereItIsNotBegunInTime() {
        try (var client = open()) {
            assertThat(client.closeCode()).isEqualTo(4408);
        }
    }

    @Test
    void closesWhereTheProtocolIsAnother() {
        try (var client = WebSocketClient.open(http, server, true)) {
            assertThat(client.closeCode()).isEqualTo(4406);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{\"type\":\"unknown\"}",
                "{\"type\":1}",
                "{}",
                "{\"type\":\"subscribe\",\"payload\":{\"query\":\"{ __typename }\"}}",
                "{\"type\":\"subscribe\",\"id\":\"\",\"payload\":{\"query\":\"{ __typename }\"}}",
                "{\"type\":\"subscribe\",\"id\":7,\"payload\":{\"query\":\"{ __typename }\"}}",
                "{\"type\":\"subscribe\",\"id\":\"a\"}",
                "{\"type\":\"subscribe\",\"id\":\"a\",\"payload\":null}",
                "{\"type\":\"complete\"}",
                "{\"type\":\"next\",\"id\":\"a\",\"payload\":{}}",
                "\u0000{\u0000\"\u0000p\u0000a\u0000y\u0000l\u0000o\u0000a\u0000d\u0000\"\u0000:\u0000{\u0000}\u0000}"
            })
    void closesWhereAMessageIsNone(String text) throws InterruptedException {
        try (var client = open().initialised()) {
            client.send(text);

            assertThat(client.closeCode()).isEqualTo(4400);
        }
    }

    @Test
    void takesMessagesInParts() throws InterruptedException {
        try (var client = open().initialised()) {
            client.socket()
                    .sendText("{\"type\":\"subscribe\",\"id\":\"a\",", false)
                    .join();
            client.socket()
                    .sendText("\"payload\":{\"query\":\"" + NUMBER + "\"}", false)
                    .join();
            client.socket().sendText("}", true).join();

            assertThat(client.next()).contains("number-1");
        }
    }

    @Test
    void closesWhereAMessageIsTooLongAlsoInParts() throws InterruptedException {
        try (var client = open().initialised()) {
            client.socket().sendText(" ".repeat(1_500), false).join();
            client.socket().sendText(" ".repeat(501), false).join();

            assertThat(client.closeCode()).isEqualTo(1009);
        }
    }

    @Test
    void takesAMessageOfTheGreatestLength() throws InterruptedException {
        try (var client = open().initialised()) {
            var message = "{\"type\":\"ping\"}";
            client.send(message + " ".repeat(2_000 - message.length()));

            assertThat(client.next()).isEqualTo("{\"type\":\"pong\"}");
        }
    }

    @Test
    void closesWhereAMessageIsNoText() throws InterruptedException {
        try (var client = open().initialised()) {
            client.socket().sendBinary(ByteBuffer.wrap(new byte[] {1}), true).join();

            assertThat(client.closeCode()).isEqualTo(4400);
        }
    }

    @Test
    void takesSoManyOperationsAtOnceAndNoMore() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            client.subscribe("b", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(2));
            client.subscribe("c", FEED);
            assertThat(client.next())
                    .startsWith("{\"id\":\"c\",\"type\":\"error\"")
                    .contains("TOO_MANY_SUBSCRIBERS");
            client.subscribe("c", "{ sampleStall }");
            client.subscribe("d", NUMBER);
            assertThat(client.next())
                    .startsWith("{\"id\":\"d\",\"type\":\"error\"")
                    .contains("TOO_MANY_OPERATIONS");
        }
    }

    @Test
    void aPlaceIsFreeWhenItsClientHearsOfTheEnd() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            client.subscribe("b", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(2));
            for (var i = 0; i < 100; i++) {
                client.subscribe("c", FEED);
                assertThat(client.next()).contains("TOO_MANY_SUBSCRIBERS");
                client.subscribe("c", "{ __typename }");
                assertThat(client.next()).contains("{\"data\":{\"__typename\":\"Query\"}}");
                assertThat(client.next()).isEqualTo("{\"id\":\"c\",\"type\":\"complete\"}");
            }
        }
    }

    @Test
    void staysOpenWhileItsClientAnswersPings() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            var begin = System.nanoTime();

            // Java's client answers them; five times as long as one may be missing.
            await().until(() ->
                    System.nanoTime() - begin > Duration.ofSeconds(3).toNanos());

            feed.sink.tryEmitNext("still there").orThrow();
            assertThat(client.next()).contains("still there");
        }
    }

    @Test
    void closesWhenItsListenerIsNobodyAnyMore() throws InterruptedException {
        try (var client = open().initialised()) {
            client.subscribe("a", FEED);
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));

            feed.isRevoked.set(true);

            assertThat(client.next())
                    .startsWith("{\"id\":\"a\",\"type\":\"error\"")
                    .contains("\"code\":\"UNAUTHENTICATED\"");
            assertThat(client.closeCode()).isEqualTo(4403);
        }
    }

    @Test
    void nobodyOpensOne() {
        feed.isRevoked.set(true);

        assertThat(catchThrowable(WebSocketTest::open)).hasCauseInstanceOf(WebSocketHandshakeException.class);
    }
}
