package io.menuboard.graphql.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that read late get all of it, where the time for that is longer than any test. */
@Timeout(120)
class LateClientsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient http = HttpClient.newHttpClient();
    private static final GraphQlServer server = GraphQlServer.start(
            Map.of("menuboard.graphql.streams.write-timeout", "1m", "menuboard.graphql.streams.keep-alive", "1m"),
            List.of(SampleStreams.ENVIRONMENT));
    private static final Feed feed = server.bean(Feed.class);

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    @Test
    void goesOnWhenItsClientReadsOn() {
        try (var stream = EventStream.post(http, server, "subscription { sampleFlood }")) {
            await().pollInterval(Duration.ofSeconds(1))
                    .atMost(Duration.ofSeconds(30))
                    .until(LateClientsTest::isStill);
            var made = feed.flooded.get();
            for (var i = 0; i < made + 100; i++) {
                assertThat(stream.event()).hasSizeGreaterThan(10_000);
            }
            assertThat(feed.open).hasValue(1);
        }
    }

    @Test
    void answersAllThatAClientAsksAtOnceThatReads() throws InterruptedException, IOException {
        try (var client = WebSocketClient.open(http, server).initialised()) {
            var asked = IntStream.range(0, 90).mapToObj(i -> "big-" + i).toList();
            asked.forEach(id -> client.ask(id, "{ sampleBig }"));

            var answered = new ArrayList<String>();
            var completed = new ArrayList<String>();
            while (completed.size() < asked.size()) {
                var message = JSON.readTree(client.next());
                assertThat(message.at("/payload/errors").isMissingNode()).isTrue();
                (message.path("type").asText().equals("next") ? answered : completed)
                        .add(message.path("id").asText());
            }

            assertThat(answered).containsExactlyInAnyOrderElementsOf(asked);
            assertThat(completed).containsExactlyInAnyOrderElementsOf(asked);
        }
    }

    private static long before = -1;

    /** True where nothing was made since it was asked the last time. */
    private static boolean isStill() {
        var now = feed.flooded.get();
        var same = now == before;
        before = now;
        return same;
    }
}
