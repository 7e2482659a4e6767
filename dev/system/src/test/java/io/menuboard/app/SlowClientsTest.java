package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that begin something over the wire and do not go on. */
@Timeout(120)
final class SlowClientsTest {
    private static final String BEGUN = "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Type: %s\r\n";
    private static final int MEGABYTE = 1_000_000;
    private static final String PROGRAM = "Authorization: Bearer test\r\n";

    private final List<Socket> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // by start
    private GraphQlServer server;

    @AfterEach
    void stop() throws IOException {
        for (var client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void headersThatDoNotEndAreCutOff() throws IOException {
        start(Map.of("menuboard.bodies.headers", "200ms"));

        var answer = begin("GET /stores HTTP/1.1\r\nHost: loc").getInputStream().readAllBytes();

        assertThat(new String(answer, UTF_8)).startsWith("HTTP/1.1 408").contains("Connection: close");
    }

    @ParameterizedTest
    @CsvSource({
        "/graphql,     application/json",
        "/changes/new, application/x-www-form-urlencoded",
        "/imports,     multipart/form-data; boundary=form"
    })
    void bodiesThatDoNotEndAreCutOff(String path, String type) throws IOException {
        start(Map.of("menuboard.bodies.window", "200ms", "menuboard.bodies.linger", "200ms"));

        var answer = begin(BEGUN.formatted(path, PROGRAM, type) + "Content-Length: 100\r\n\r\n{")
                .getInputStream()
                .readAllBytes();

        assertThat(new String(answer, UTF_8)).startsWith("HTTP/1.1 408");
    }

    /** Their buffers are Netty's: what nobody gives back is lost. Netty takes memory by the chunk, and so more than one round. */
    @Test
    void bodiesThatEndAfterTheirAnswerKeepNoMemory() throws IOException {
        start(Map.of("menuboard.graphql.body-timeout", "500ms"));
        endLate(20);
        var before = buffered();

        for (var round = 0; round < 8; round++) {
            endLate(20);
        }

        assertThat(buffered() - before).isLessThan(8 * 20 * MEGABYTE / 2);
    }

    private void endLate(int bodies) throws IOException {
        var late = new ArrayList<Socket>();
        for (var i = 0; i < bodies; i++) {
            late.add(begin(BEGUN.formatted("/graphql", PROGRAM, "application/json") + "Content-Length: " + MEGABYTE
                    + "\r\n\r\n "));
        }
        for (var client : late) {
            assertThat(new String(client.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 408");
        }
        for (var client : late) {
            client.getOutputStream().write(" ".repeat(MEGABYTE - 1).getBytes(UTF_8));
            client.getInputStream().readAllBytes();
        }
    }

    /** Bytes that Netty has taken for its buffers. */
    private static long buffered() {
        var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return metric.usedDirectMemory() + metric.usedHeapMemory();
    }

    @Test
    void formsWhoseTokenDoesNotArriveAreCutOff() throws IOException {
        start(Map.of("menuboard.bodies.window", "200ms", "menuboard.bodies.linger", "200ms"));

        var answer = begin(BEGUN.formatted("/changes/new", "", "application/x-www-form-urlencoded")
                        + "Content-Length: 100\r\n\r\ncsrf")
                .getInputStream()
                .readAllBytes();

        assertThat(new String(answer, UTF_8)).startsWith("HTTP/1.1 408");
    }

    @Test
    void theyHoldNoThreads() throws IOException {
        start(Map.of());
        for (var i = 0; i < 5; i++) {
            healthy();
        }
        var before = Thread.getAllStackTraces().size();

        for (var i = 0; i < 100; i++) {
            begin("GET /stores HTTP/1.1\r\nHost: loc");
            begin(BEGUN.formatted("/graphql", "", "application/json") + "Content-Length: 100\r\n\r\n{");
            begin(BEGUN.formatted("/changes/new", "", "application/x-www-form-urlencoded")
                    + "Content-Length: 100\r\n\r\nn=");
        }
        for (var i = 0; i < 20; i++) {
            healthy();
        }

        assertThat(Thread.getAllStackTraces().size() - before).isLessThan(50);
    }

    private void start(Map<String, Object> settings) {
        server = ApplicationServer.start(settings);
    }

    private void healthy() {
        assertThat(server.execute("{ __typename }").status()).isEqualTo(200);
    }

    private Socket begin(String text) throws IOException {
        var client =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort());
        clients.add(client);
        client.getOutputStream().write(text.getBytes(UTF_8));
        return client;
    }
}
