package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.SampleGraphQl.Stall;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestTimeTest {
    @Test
    void leavesFieldsThatThereIsNoTimeForUndone() {
        try (var server = SampleServer.start(Map.of("menuboard.graphql.deadline", "1ns"))) {
            var read = server.execute("{ a: sampleEcho(text: \"a\") b: sampleEcho(text: \"b\") __typename }");
            var changed = server.execute("mutation { sampleCount }");

            assertThat(read.status()).isEqualTo(200);
            assertThat(read.body().path("data")).hasToString("{\"a\":null,\"b\":null,\"__typename\":\"Query\"}");
            assertThat(read.body().path("errors").findValuesAsText("code"))
                    .containsExactly("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED");
            assertThat(read.error().path("path")).hasToString("[\"a\"]");
            assertThat(read.error().path("message").asText())
                    .startsWith("Not done, because the request had taken longer");
            assertThat(changed.code()).isEqualTo("DEADLINE_EXCEEDED");
        }
    }

    @Test
    void doesNotCountTheTimeForWhichAFieldWaits() {
        var deadline = Duration.ofSeconds(2);
        var clock = new AtomicLong();
        var time = new RequestTime(deadline, SampleDataAccess.UNLIMITED, clock::get);

        clock.addAndGet(1);
        var waited = time.await(() -> clock.addAndGet(deadline.toNanos()));

        assertThat(waited.join()).isEqualTo(deadline.toNanos() + 1);
        assertThat(time.isOver()).isFalse();
        clock.addAndGet(deadline.toNanos() - 2);
        assertThat(time.isOver()).isFalse();
        clock.addAndGet(1);
        assertThat(time.isOver()).isTrue();
    }

    @Test
    void limitsTheDataOfWhatFollowsAWaitToTheTimeThatIsLeft() {
        var clock = new AtomicLong();
        var limit = new Limit(Duration.ofSeconds(2), new ThreadLocal<>());
        var time = new RequestTime(Duration.ofSeconds(2), new Limited(limit), clock::get);
        clock.addAndGet(Duration.ofMillis(500).toNanos());
        var attached = new CompletableFuture<Boolean>();

        var waited = time.await(() -> {
            attached.join();
            clock.addAndGet(Duration.ofSeconds(30).toNanos());
            return limit.current().get();
        });
        var followed = waited.thenApply(_ -> limit.current().get());
        attached.complete(true);

        // In this order: whoever joins what was waited for may do what follows on its own thread.
        assertThat(followed.join()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(waited.join()).isGreaterThan(Duration.ofMinutes(1));
    }

    /** Of a thread, which can tell. */
    private record Limit(Duration atMost, ThreadLocal<Duration> current) implements DataAccess.Deadline {
        @Override
        public <T> T call(Supplier<T> work) {
            current.set(atMost);
            return work.get();
        }

        @Override
        public Limit goingOn(Duration other) {
            return new Limit(other, current);
        }
    }

    private record Limited(Limit limit) implements DataAccess {
        @Override
        public Deadline deadline(Duration atMost) {
            return limit;
        }

        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Optional<KnownFault> explain(Throwable fault) {
            return Optional.empty();
        }
    }

    @Test
    void goesOnWithTheNextFieldWhenOneHasWaited() throws InterruptedException {
        try (var server = SampleServer.start()) {
            var stall = server.bean(Stall.class);
            var answer = CompletableFuture.supplyAsync(() -> server.execute("mutation { sampleWait sampleCount }"));
            stall.next();
            stall.release();

            assertThat(answer.join().data()).hasToString("{\"sampleWait\":\"released\",\"sampleCount\":1}");
        }
    }

    @Test
    void endsWaitingWhenTheClientGoesAndDoesNothingAfterIt() throws IOException, InterruptedException {
        try (var server = SampleServer.start()) {
            Thread waiting;
            try (var client = send(server, "mutation { sampleWait sampleCount }")) {
                waiting = server.bean(Stall.class).next();
                assertThat(client.isConnected()).isTrue();
            }
            // Never released; what comes after it would be done by the same thread.
            waiting.join();

            assertThat(server.execute("mutation { sampleCount }").data()).hasToString("{\"sampleCount\":1}");
        }
    }

    @Test
    void goesOnForOtherClientsOfTheSameServer() throws IOException, InterruptedException {
        try (var server = SampleServer.start()) {
            var stall = server.bean(Stall.class);
            var staying = CompletableFuture.supplyAsync(() -> server.execute("{ sampleStall }"));
            stall.next();
            Thread gone;
            try (var client = send(server, "{ sampleStall }")) {
                gone = stall.next();
                assertThat(client.isConnected()).isTrue();
            }
            gone.join();

            stall.release();

            assertThat(staying.join().data()).hasToString("{\"sampleStall\":\"released\"}");
        }
    }

    private static Socket send(SampleServer server, String document) throws IOException {
        var uri = server.graphQl();
        var body = GraphQlServer.json(Map.of("query", document)).getBytes(UTF_8);
        var client = new Socket(uri.getHost(), uri.getPort());
        var out = client.getOutputStream();
        out.write(("POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length + "\r\n\r\n")
                .getBytes(UTF_8));
        out.write(body);
        out.flush();
        return client;
    }
}
