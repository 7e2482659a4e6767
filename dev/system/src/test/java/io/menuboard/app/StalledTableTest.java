package io.menuboard.app;

import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.PricingFixture;
import io.menuboard.pricing.Stores;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The application while its table does not answer, and bodies that do not arrive. */
@Timeout(120)
@Isolated("what is measured is not to wait for a processor")
final class StalledTableTest {
    private static final boolean FULL_SOAK = "full".equals(System.getProperty("soak"));
    private static final String TABLE = "stalled-table";
    private static final String READ = "{\"query\":\"{ stores { nodes { id } } }\"}";
    private static final int THREADS = 4;
    private static final int WAITING = 8;
    private static final int SECONDS_WORTH = 100;

    /** Requests while the table is stalled: longer than a request to it may take, and a connection be idle. */
    private static final int STALLED = 3 * SECONDS_WORTH;

    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMillis(1_500);
    private static final long SECOND = 1_000_000_000;

    /** Three times what the bodies of all that work and wait may have. */
    private static final long HELD_AT_MOST = 3L * (THREADS + WAITING) * 1_000_000;

    private static StallingProxy proxy;
    private static EmbeddedServer server;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws IOException {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(TABLE));
        proxy = new StallingProxy(LocalDynamoDb.shared().endpoint());
        var properties = new HashMap<>(proxy.aws());
        properties.putAll(Map.ofEntries(
                entry("menuboard.sign-in", false),
                entry("micronaut.server.port", -1),
                entry("menuboard.table-name", TABLE),
                entry("menuboard.cursor-secret", "a secret that only tests know, 32+"),
                entry("menuboard.dynamodb.max-idle", IDLE),
                entry("menuboard.dynamodb.response-timeout", RESPONSE_TIMEOUT),
                entry("menuboard.pricing.snapshots.max-age", "60s"),
                entry("menuboard.pricing.stores-remembered", "60s"),
                entry("menuboard.graphql.threads", THREADS),
                entry("menuboard.graphql.max-waiting", WAITING),
                entry("menuboard.admin.pages-at-once", THREADS),
                entry("menuboard.graphql.body-timeout", "2s")));
        server = ApplicationContext.run(EmbeddedServer.class, properties);
        server.getApplicationContext().getBean(Stores.class).save(PricingFixture.EVERYTHING, List.of(BERLIN));
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        proxy.close();
    }

    @Test
    void aStalledTableShedsLoadAndServesAgainWhenItIsBack() throws Exception {
        assertThat(read().statusCode()).isEqualTo(200);
        proxy.stall();
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        try {
            takeAllPlaces(20, answers);
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

        await().atMost(Duration.ofSeconds(30)).until(() -> read().body().contains("\"nodes\":[{\"id\":\""));
        answers.forEach(CompletableFuture::join);
    }

    /** So many times as many requests as work and wait: in the end only those that have a thread wait for the table. */
    private static void takeAllPlaces(int times, List<CompletableFuture<HttpResponse<String>>> answers) {
        for (var i = 0; i < times * (THREADS + WAITING); i++) {
            answers.add(HTTP.sendAsync(request(), BodyHandlers.ofString()));
        }
        await().until(() -> answers.stream().filter(CompletableFuture::isDone).count() >= answers.size() - THREADS);
    }

    /** It takes neither a place nor a request. */
    @Test
    void whoHasTheAnswerIsToldSoWhileAllPlacesAreTaken() throws Exception {
        var first = HTTP.send(menu(null), BodyHandlers.ofString());
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        var tag = first.headers().firstValue("ETag").orElseThrow();
        proxy.stall();
        var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        try {
            takeAllPlaces(4, waiting);

            assertThat(HTTP.send(menu(tag), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(304);
        } finally {
            proxy.resume();
        }
        waiting.forEach(CompletableFuture::join);
    }

    /** On an event loop, which others' connections share. */
    @Test
    void metricsDoNotWaitForTheTable() throws Exception {
        var scrape = HttpRequest.newBuilder(uri("/prometheus")).build();
        proxy.stall();
        var waiting = HTTP.sendAsync(request(), BodyHandlers.discarding());
        try {
            for (var i = 0; i < 3; i++) {
                var answer = HTTP.send(scrape, BodyHandlers.ofString());

                assertThat(waiting).as("who waits for the table").isNotDone();
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("menuboard_favorites_feed_lag_seconds ");
                // What the last scrape asked the table for is given up by then.
                Thread.sleep(RESPONSE_TIMEOUT);
            }
        } finally {
            proxy.resume();
        }
        waiting.join();
    }

    private static HttpRequest menu(@Nullable String tag) {
        var document = URLEncoder.encode("{ menu(store: \"DE-0001\") { endsAt } }", UTF_8);
        var request = HttpRequest.newBuilder(uri("/graphql?query=" + document));
        return (tag == null ? request : request.header("If-None-Match", tag)).build();
    }

    /** Each door and each return once; under a soak, each door with each return. */
    static Stream<Arguments> returns() {
        return Stream.of("/graphql", "/stores").flatMap(path -> Stream.of(true, false)
                .filter(forgets -> FULL_SOAK || forgets == path.equals("/graphql"))
                .map(forgets -> Arguments.of(path, forgets)));
    }

    /** Connections of before are closed at its return, or silent for ever. */
    @ParameterizedTest
    @MethodSource("returns")
    void servesAgainWithinTwoSecondsOfTheReturnWhileRequestsKeepArriving(String path, boolean forgets)
            throws InterruptedException {
        var load = new Load(
                path.equals("/graphql")
                        ? large(path)
                        : HttpRequest.newBuilder(uri(path)).build());
        load.sendUntil(SECONDS_WORTH, answer -> answer.status() == 200);
        var before = usedHeap();

        proxy.stall();
        try {
            var stalled = System.nanoTime();
            load.send(STALLED);
            var during = usedHeap();
            var shed = load.answers().stream()
                    .filter(answer -> answer.sentAt() > stalled && answer.status() == 503)
                    .toList();
            assertThat(shed).hasSizeGreaterThan(2 * STALLED / 5);
            assertThat(shed.stream().filter(answer -> answer.took() < SECOND).count())
                    .as("answered within a second, of %s", shed.size())
                    .isGreaterThan(shed.size() * 9L / 10);
            // What was shed would be sixty megabytes.
            assertThat(during - before).isLessThan(HELD_AT_MOST);
            System.out.printf(
                    "%s stalled: %d requests shed, slowest half %d ms, heap %+.1f MB%n",
                    path,
                    shed.size(),
                    shed.stream()
                                    .mapToLong(Answer::took)
                                    .sorted()
                                    .skip(shed.size() / 2)
                                    .findFirst()
                                    .orElse(0)
                            / 1_000_000,
                    (during - before) / 1e6);
        } finally {
            if (forgets) {
                proxy.resumeForgetting();
            } else {
                proxy.resume();
            }
        }
        var back = System.nanoTime();
        load.sendUntil(SECONDS_WORTH, answer -> answer.sentAt() > back && answer.status() == 200);
        load.send(SECONDS_WORTH);
        load.awaitAll();

        var since =
                load.answers().stream().filter(answer -> answer.sentAt() > back).toList();
        var notServed = since.stream().filter(answer -> answer.status() != 200).toList();
        System.out.printf(
                "%s back, old connections %s: first answer after %d ms, %d not served, the last of them sent after %d ms%n",
                path,
                forgets ? "silent" : "closed",
                (since.stream()
                                        .filter(answer -> answer.status() == 200)
                                        .mapToLong(Answer::at)
                                        .min()
                                        .orElseThrow()
                                - back)
                        / 1_000_000,
                notServed.size(),
                notServed.stream()
                                .mapToLong(answer -> answer.sentAt() - back)
                                .max()
                                .orElse(0)
                        / 1_000_000);
        assertThat(notServed.size()).as("requests of two seconds").isLessThan(2 * SECONDS_WORTH);
    }

    /** Nobody asked meanwhile: every connection in the pool is dead, and nothing tells so. */
    @Test
    void aQuietInstanceDoesNotTryOneDeadConnectionAfterAnother() throws Exception {
        // Takes about as many connections as there are places, and more.
        var burst = IntStream.range(0, THREADS + WAITING)
                .mapToObj(_ -> HTTP.sendAsync(request(), BodyHandlers.discarding()))
                .toList();
        burst.forEach(CompletableFuture::join);
        assertThat(proxy.connections()).isGreaterThan(1);

        proxy.stall();
        // Longer than a connection may be idle, as is any stall that is worth the name.
        Thread.sleep(2 * IDLE.toMillis());
        proxy.resumeForgetting();
        var lost = proxy.lost();

        assertThat(read().statusCode()).isEqualTo(200);

        assertThat(proxy.lost() - lost).as("dead ones that were tried").isZero();
    }

    /** When a request was sent and answered, in nanoseconds. */
    private record Answer(long sentAt, long at, int status) {
        long took() {
            return at - sentAt;
        }
    }

    /** The same request again and again, a hundred a second, whatever becomes of them. */
    private static final class Load {
        private final HttpRequest request;
        private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
        private final Queue<CompletableFuture<?>> sent = new ConcurrentLinkedQueue<>();

        Load(HttpRequest request) {
            this.request = request;
        }

        List<Answer> answers() {
            return List.copyOf(answers);
        }

        /** One that is late because the machine is busy goes at once, so that all take as long as they should. */
        void send(int requests) throws InterruptedException {
            var begin = System.nanoTime();
            for (var i = 0; i < requests; i++) {
                TimeUnit.NANOSECONDS.sleep(begin + i * SECOND / SECONDS_WORTH - System.nanoTime());
                send();
            }
        }

        void sendUntil(int many, Predicate<Answer> wanted) throws InterruptedException {
            while (answers.stream().filter(wanted).count() < many) {
                send();
                TimeUnit.NANOSECONDS.sleep(SECOND / SECONDS_WORTH);
            }
        }

        private void send() {
            var sentAt = System.nanoTime();
            sent.add(HTTP.sendAsync(request, BodyHandlers.discarding()).handle((answer, failure) -> {
                return answers.add(new Answer(sentAt, System.nanoTime(), failure == null ? answer.statusCode() : 0));
            }));
        }

        void awaitAll() {
            await().atMost(Duration.ofSeconds(30)).until(() -> sent.stream().allMatch(CompletableFuture::isDone));
        }
    }

    private static long usedHeap() {
        System.gc();
        var memory = ManagementFactory.getMemoryMXBean();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** With blanks after it, so that it would be seen what becomes of bodies that are held. */
    private static HttpRequest large(String path) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray((READ + " ".repeat(200_000)).getBytes(UTF_8)))
                .build();
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getPort() + path);
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
        return HttpRequest.newBuilder(uri("/graphql"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(READ))
                .build();
    }

    private static HttpResponse<String> read() throws IOException, InterruptedException {
        return HTTP.send(request(), BodyHandlers.ofString());
    }
}
