package io.menuboard.graphql.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StopTest {

    @Test
    void tellsClientsBeforeTheirConnectionsAreClosed() throws InterruptedException {
        assertTold(GraphQlServer::close);
    }

    /** As the application does when its process is told to end. */
    @Test
    void tellsClientsWhereTheServerIsStoppedFirst() throws InterruptedException {
        assertTold(server -> server.bean(EmbeddedServer.class).stop());
    }

    private static void assertTold(Consumer<GraphQlServer> stop) throws InterruptedException {
        try (var http = HttpClient.newHttpClient();
                var server = GraphQlServer.start(Map.of(), List.of(SampleStreams.ENVIRONMENT))) {
            var feed = server.bean(Feed.class);
            try (var stream = EventStream.post(http, server, "subscription { sampleFeed }");
                    var socket = WebSocketClient.open(http, server).initialised()) {
                socket.subscribe("a", "subscription { sampleFeed }");
                await().untilAsserted(() -> assertThat(feed.open).hasValue(2));
                var begin = System.nanoTime();

                stop.accept(server);

                // A whole answer, without a word of completion: there is more, elsewhere.
                assertThat(stream.event()).isNull();
                assertThat(socket.closeCode()).isEqualTo(1001);
                assertThat(socket.messages).isEmpty();
                assertThat(feed.open).hasValue(0);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
            }
        }
    }
}
