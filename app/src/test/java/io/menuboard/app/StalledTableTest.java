package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.LocalDynamoDb;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application while its table does not answer, and bodies that do not arrive. */
@Timeout(120)
final class StalledTableTest {
    private static final String TABLE = "stalled-table";
    private static final String READ = "{\"query\":\"{ stores { nodes { id } } }\"}";
    private static final int THREADS = 4;
    private static final int WAITING = 8;

    private static StallingProxy proxy;
    private static EmbeddedServer server;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        LocalDynamoDb.shared().createTable(TableDefinition.menuboard(TABLE));
        proxy = new StallingProxy(LocalDynamoDb.shared().endpoint());
        aws().forEach(System::setProperty);
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "micronaut.server.port",
                        -1,
                        "menuboard.table-name",
                        TABLE,
                        "menuboard.cursor-secret",
                        "a secret that only tests know, 32+",
                        "menuboard.graphql.threads",
                        THREADS,
                        "menuboard.graphql.max-waiting",
                        WAITING,
                        "menuboard.graphql.body-timeout",
                        "2s"));
    }

    /** What the SDK's own configuration says, for the production clients. */
    private static Map<String, String> aws() {
        return Map.of(
                "aws.endpointUrlDynamoDb",
                proxy.endpoint().toString(),
                "aws.region",
                LocalDynamoDb.REGION.id(),
                "aws.accessKeyId",
                "local",
                "aws.secretAccessKey",
                "local");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        aws().keySet().forEach(System::clearProperty);
        proxy.close();
    }

    @Test
    void aStalledTableShedsLoadAndServesAgainWhenItIsBack() throws Exception {
        assertThat(read().statusCode()).isEqualTo(200);
        proxy.stall();
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        try {
            for (var i = 0; i < 20 * (THREADS + WAITING); i++) {
                answers.add(HTTP.sendAsync(request(), BodyHandlers.ofString()));
            }
            // Those that work wait for the table, and nobody else does.
            await().until(() ->
                    answers.stream().filter(CompletableFuture::isDone).count() >= answers.size() - THREADS);
            assertThat(answers.stream()
                            .filter(CompletableFuture::isDone)
                            .map(CompletableFuture::join)
                            .filter(answer -> answer.statusCode() == 503))
                    .hasSizeGreaterThanOrEqualTo(answers.size() - 2 * THREADS)
                    .allSatisfy(answer -> {
                        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
                        assertThat(answer.body()).contains("\"OVERLOADED\"");
                    });
        } finally {
            proxy.resume();
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> read().body().contains("\"nodes\":[]"));
        answers.forEach(CompletableFuture::join);
    }

    @Test
    void bodiesThatDripHoldNoWorkerAndAreRefused() throws Exception {
        var drips = new ArrayList<Socket>();
        try {
            for (var i = 0; i < 20 * THREADS; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
                drips.add(socket);
                socket.getOutputStream()
                        .write(("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                        + "Content-Length: 100\r\n\r\n{")
                                .getBytes(UTF_8));
            }

            assertThat(read().statusCode()).isEqualTo(200);
            for (var drip : List.of(drips.getFirst(), drips.getLast())) {
                assertThat(new String(drip.getInputStream().readNBytes(12), UTF_8))
                        .isEqualTo("HTTP/1.1 408");
            }
        } finally {
            for (var drip : drips) {
                drip.close();
            }
        }
    }

    private static HttpRequest request() {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + "/graphql"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(READ))
                .build();
    }

    private static HttpResponse<String> read() throws IOException, InterruptedException {
        return HTTP.send(request(), BodyHandlers.ofString());
    }
}
