package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ServerSentEventsTest {
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = GraphQlServer.start(
            Map.of(
                    "menuboard.graphql.streams.keep-alive",
                    "300ms",
                    "menuboard.graphql.streams.most",
                    "2",
                    "test.grants-by-header",
                    true),
            List.of(SampleStreams.ENVIRONMENT));
    private static final Feed feed = server.bean(Feed.class);

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static EventStream post(String document, String... headers) {
        return EventStream.post(http, server, document, headers);
    }

    private static HttpRequest.Builder get(String path, String document) {
        return HttpRequest.newBuilder(
                URI.create(server.graphQl() + path + "?query=" + URLEncoder.encode(document, UTF_8)));
    }

    /** As {@code docs/operations.md} promises. */
    @Test
    void whoMayNoLongerListenIsToldWithinFiveSeconds() {
        var known = Duration.ofSeconds(2);
        var patience = Duration.ofMillis(800);
        var tick = Duration.ofMillis(250);

        assertThat(server.bean(StreamsConfig.class).accessCheck())
                .isLessThanOrEqualTo(
                        Duration.ofSeconds(5).minus(known).minus(patience).minus(tick));
    }

    @Test
    void tellsEachEventAndThatThereAreNoMore() {
        try (var stream = post("subscription { n: sampleCounter(to: 2) { id even } }", "Accept-Encoding", "gzip")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream; charset=utf-8");
            assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
            assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
            assertThat(stream.header("Content-Encoding")).isEqualTo("identity");
            assertThat(stream.rest()).isEqualTo("""
                    :

                    event: next
                    data: {"data":{"n":{"id":"number-1","even":false}}}

                    event: next
                    data: {"data":{"n":{"id":"number-2","even":true}}}

                    event: complete
                    data:

                    """);
        }
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
    }

    @Test
    void aPlaceIsFreeWhenItsClientHearsOfTheEnd() {
        try (var _ = post("subscription { sampleFeed }")) {
            for (var i = 0; i < 50; i++) {
                try (var stream = post("subscription { sampleCounter(to: 1) { id } }")) {
                    assertThat(stream.status()).isEqualTo(200);
                    assertThat(stream.rest()).endsWith("event: complete\ndata:\n\n");
                }
            }
        }
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { sampleEcho(text: "a") }  | {"data":{"sampleEcho":"a"}}
            mutation { sampleCount }   | {"data":{"sampleCount":1}}
            """)
    void answersOperationsThatHaveOneResponse(String document, String response) {
        try (var stream = post(document)) {
            assertThat(stream.rest()).isEqualTo("event: next\ndata: " + response + "\n\nevent: complete\ndata:\n\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{ sampleEcho(text: \"a\") }", "subscription { sampleCounter(to: 1) { id } }"})
    void saysWhatAnAnswerCostWhereThatIsAsked(String document) {
        var request = get("/stream", document);
        var uri = request.build().uri() + "&extensions=" + URLEncoder.encode("{\"cost\":true}", UTF_8);
        try (var stream = EventStream.send(http, request.uri(URI.create(uri)))) {
            assertThat(stream.rest()).contains("\"extensions\":{\"cost\":{\"requested\":");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/event-stream                                | true
            Text/Event-Stream; charset=utf-8                 | true
            text/event-stream, application/json              | true
            text/event-stream;q=0.9, application/json;q=0.8  | true
            application/json;q=0.8, text/event-stream        | true
            application/json, text/event-stream              | false
            text/event-stream;q=0.4, application/json;q=0.8  | false
            text/event-stream;q=0, application/json          | false
            text/event-stream;q=0                            | false
            text/event-streams                               | false
            */*                                              | false
            ''                                               | false
            """)
    void areAskedForWhereNothingIsLikedBetter(String accept, boolean asked) {
        assertThat(ServerSentEvents.areAskedFor(accept)).isEqualTo(asked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/stream"})
    void takesSubscriptionsByGet(String path) {
        var request = get(path, "subscription { sampleCounter(to: 1) { id } }").header("Accept", "text/event-stream");
        try (var stream = EventStream.send(http, request)) {
            assertThat(stream.rest()).contains("number-1").endsWith("event: complete\ndata:\n\n");
        }
    }

    @Test
    void streamsAtTheAddressOfStreamsWhateverIsAccepted() {
        try (var stream = EventStream.send(http, get("/stream", "subscription { sampleCounter(to: 1) { id } }"))) {
            assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
        }
    }

    @Test
    void changesNothingByGet() {
        try (var stream = EventStream.send(http, get("/stream", "mutation { sampleCount }"))) {
            assertThat(stream.status()).isEqualTo(405);
            assertThat(stream.header("Allow")).isEqualTo("POST");
            assertThat(stream.rest()).contains("METHOD_NOT_ALLOWED");
        }
    }

    /** The body of an answer to HEAD is never taken: what it has would be held for nobody. */
    @Test
    void beginsNothingByHead() {
        var query = "?query=" + URLEncoder.encode("subscription { sampleFeed }", UTF_8);
        for (var path : List.of("/stream", "")) {
            var answer = server.send(HttpRequest.newBuilder(URI.create(server.graphQl() + path + query))
                    .header("Accept", "text/event-stream")
                    .HEAD());

            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET, POST");
        }
        assertThat(feed.open).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            subscription { unknown }                                                      | GRAPHQL_VALIDATION_FAILED
            subscription { sampleFeed b: sampleFeed }                                     | GRAPHQL_VALIDATION_FAILED
            subscription { __typename }                                                   | GRAPHQL_VALIDATION_FAILED
            subscription {                                                                | GRAPHQL_PARSE_FAILED
            subscription { sampleSecret }                                                 | PERMISSION_DENIED
            subscription S($s: Boolean = true) { sampleFeed @skip(if: $s) }               | GRAPHQL_VALIDATION_FAILED
            subscription { ...f } fragment f on Subscription { ... { sampleFeed @include(if: false) } } | GRAPHQL_VALIDATION_FAILED
            """)
    void refusesByStatusWhatIsNotExecuted(String document, String code) {
        try (var stream = post(document)) {
            assertThat(stream.status()).isEqualTo(400);
            assertThat(stream.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
            assertThat(stream.rest()).startsWith("{\"errors\":[{\"message\":").contains("\"code\":\"" + code + "\"");
        }
    }

    @Test
    void refusesWhatFormsOfOtherSitesCouldSend() {
        var form = HttpRequest.newBuilder(URI.create(server.graphQl() + "/stream"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{\"query\":\"{ __typename }\"}"));
        try (var stream = EventStream.send(http, form)) {
            assertThat(stream.status()).isEqualTo(415);
        }
    }

    @Test
    void takesNoSubscriptionWhereTheAnswerIsOne() {
        var answer = server.execute("subscription { sampleFeed }");

        assertThat(answer.code()).isEqualTo("SUBSCRIPTION_NEEDS_STREAM");
        assertThat(feed.open).hasValue(0);
    }

    @Test
    void tellsWhyThereIsNothingToSubscribeTo() {
        try (var stream = post("subscription { sampleChoosy(number: 3) }")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.event())
                    .contains("\"code\":\"TOO_ODD\"")
                    .contains("\"path\":[\"number\"]")
                    .contains("\"data\":null");
            assertThat(stream.event()).isEqualTo("event: complete\ndata:\n");
        }
    }

    @Test
    void tellsWhyASubscriptionHasFailed() {
        try (var stream = post("subscription { sampleBroken(after: 1) }")) {
            assertThat(stream.event()).isEqualTo("event: next\ndata: {\"data\":{\"sampleBroken\":1}}\n");
            assertThat(stream.event()).startsWith("event: next\n").contains("\"code\":\"RESUME\"");
            assertThat(stream.event()).isEqualTo("event: complete\ndata:\n");
            assertThat(stream.line()).isNull();
        }
    }

    @Test
    void asksForPermissions() {
        try (var stream = post("subscription { sampleSecret }", "X-Grant", "PRICING_EDITOR ALL")) {
            assertThat(stream.rest()).contains("{\"data\":{\"sampleSecret\":\"grace\"}}");
        }
    }

    @Test
    void saysThatItIsStillThereWhileNothingHappens() {
        try (var stream = post("subscription { sampleFeed }")) {
            for (var i = 0; i < 3; i++) {
                assertThat(stream.line()).isEqualTo(":");
                assertThat(stream.line()).isEmpty();
            }
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            feed.sink.tryEmitNext("at last").orThrow();
            assertThat(stream.event()).isEqualTo("event: next\ndata: {\"data\":{\"sampleFeed\":\"at last\"}}\n");
        }
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
    }

    @Test
    void takesSoManyAndNoMoreUntilOneLeaves() {
        try (var first = post("subscription { sampleFeed }");
                var second = post("subscription { sampleFeed }")) {
            assertThat(List.of(first.status(), second.status())).containsOnly(200);
            try (var third = post("subscription { sampleFeed }")) {
                assertThat(third.status()).isEqualTo(429);
                assertThat(third.header("Retry-After")).isNotEmpty();
                assertThat(third.rest()).contains("\"code\":\"TOO_MANY_SUBSCRIBERS\"");
            }
            await().untilAsserted(() -> assertThat(feed.open).hasValue(2));
        }
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(feed.open).hasValue(0);
            try (var next = post("subscription { sampleCounter(to: 1) { id } }")) {
                assertThat(next.status()).isEqualTo(200);
            }
        });
    }

    @Test
    void endsWhenItsListenerIsNobodyAnyMore() {
        try (var stream = post("subscription { sampleFeed }")) {
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            feed.isRevoked.set(true);
            var begin = System.nanoTime();

            assertThat(stream.event()).contains("\"code\":\"UNAUTHENTICATED\"");
            assertThat(Objects.requireNonNull(stream.event())).startsWith("event: complete");
            assertThat(stream.line()).isNull();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        } finally {
            feed.isRevoked.set(false);
        }
        await().untilAsserted(() -> assertThat(feed.open).hasValue(0));
    }
}
