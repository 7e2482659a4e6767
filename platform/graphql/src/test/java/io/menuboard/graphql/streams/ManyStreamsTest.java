package io.menuboard.graphql.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.streams.SampleStreams.Feed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** As many tills as an instance is meant for, of which each waits for what comes. */
@Timeout(180)
@Isolated("the heap is that of the whole process")
class ManyStreamsTest {
    private static final int STREAMS = 2_000;
    private static final int MOST_BYTES_PER_STREAM = 32_000;

    @Test
    void waitInLittleMemoryAndAllHearOfOneEvent() throws IOException {
        var server = GraphQlServer.start(
                Map.of("menuboard.graphql.streams.keep-alive", "1h"), List.of(SampleStreams.ENVIRONMENT));
        var feed = server.bean(Feed.class);
        var clients = new ArrayList<Socket>();
        try {
            clients.add(subscribe(server));
            await().untilAsserted(() -> assertThat(feed.open).hasValue(1));
            var before = used();
            for (var i = 1; i < STREAMS; i++) {
                clients.add(subscribe(server));
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(feed.open).hasValue(STREAMS));
            var each = (used() - before) / STREAMS;
            assertThat(each).isLessThan(MOST_BYTES_PER_STREAM);

            feed.sink.tryEmitNext("at last").orThrow();

            for (var client : clients) {
                assertThat(readUntil(client, "at last")).contains("event: next", "at last");
            }
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(feed.open).hasValue(0));
        server.close();
    }

    /** Comes when the one before has been let in: an instance answers 503 where too many ask for something at once. */
    private static Socket subscribe(GraphQlServer server) throws IOException {
        var client =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort());
        client.getOutputStream()
                .write(
                        "GET /graphql/stream?query=subscription%7BsampleFeed%7D HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer till\r\n\r\n"
                                .getBytes(UTF_8));
        assertThat(readUntil(client, "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        return client;
    }

    /** @return what has come, which ends earlier where the client's connection did */
    private static String readUntil(Socket client, String awaited) throws IOException {
        var text = new StringBuilder();
        var buffer = new byte[4_096];
        var length = 0;
        while (text.indexOf(awaited) < 0 && (length = client.getInputStream().read(buffer)) >= 0) {
            text.append(new String(buffer, 0, length, UTF_8));
        }
        return text.toString();
    }

    private static long used() {
        var runtime = Runtime.getRuntime();
        var least = Long.MAX_VALUE;
        for (var i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
