package io.menuboard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Prices in effect from memory: the same page of 64 from it and from the table, the whole menu of 500, and the answer to a till
 * that has it already, asked for with a token, beside a raw Query and, where {@code -Dpeer} names its folder, another server on the
 * same table. Each in a process of its own, all taking turns.
 */
final class PriceBenchmark {
    private static final int WARM_UP = 60_000;
    private static final int ROUNDS = 10;
    private static final int REQUESTS = 2_000;
    private static final String GC = "-XX:+UseSerialGC";

    private static final String PAGE = """
            { basePrices(store: "%s", first: 64) {
                edges { cursor node { store { id } channel product { key } effectiveDate startsAt price { amount currency } } }
                pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }""".formatted(BenchTable.STORE);
    private static final String MENU =
            "{ menu(store: \"%s\", channel: \"APP\") { endsAt items { subject { product { key } } channel startsAt endsAt price { amount currency } } } }"
                    .formatted(BenchTable.STORE);
    private static final String PEERS_PAGE = """
            { basePrices(store: "%s", first: 64) {
                edges { cursor node { store channel product effectiveDate price currency } }
                pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }""".formatted(BenchTable.STORE);

    private final Path work;
    private final Path jar;
    private final int tablePort;
    private final String token;
    private final SdkHttpClient http;
    private final Load.Request raw;
    private final Supplier<Duration> ownCpu;

    /**
     * @param raw a Query of 64 prices
     * @param ownCpu time that this process has used
     */
    PriceBenchmark(Path work, Path jar, int tablePort, SdkHttpClient http, Load.Request raw, Supplier<Duration> ownCpu)
            throws IOException {
        this.work = work;
        this.jar = jar;
        this.tablePort = tablePort;
        this.token = BenchTable.token(work);
        this.http = http;
        this.raw = raw;
        this.ownCpu = ownCpu;
    }

    /** What is measured, and whose CPU time it takes. */
    private record Caller(Load.Request request, Supplier<Duration> cpu) {}

    String report() throws Exception {
        var ports = List.of(BenchTable.freePort(), BenchTable.freePort(), BenchTable.freePort());
        try (var memory = menuboard(ports.get(0), true);
                var table = menuboard(ports.get(1), false);
                var peer = peer(ports.get(2))) {
            var fromMemory = endpoint(ports.get(0));
            var fromTable = endpoint(ports.get(1));
            await(fromMemory, PAGE);
            await(fromTable, PAGE);
            var tag = Objects.requireNonNull(get(fromMemory, MENU, null).tag());
            var callers = new LinkedHashMap<String, Caller>();
            callers.put("raw Query, SDK client", new Caller(raw, ownCpu));
            callers.put("page of 64, snapshots off", caller(table, () -> post(fromTable, PAGE)));
            callers.put("page of 64, from memory", caller(memory, () -> post(fromMemory, PAGE)));
            callers.put("menu of 500, from memory", caller(memory, () -> post(fromMemory, MENU)));
            callers.put(
                    "menu of 500, 304",
                    caller(memory, () -> require(get(fromMemory, MENU, tag).status() == 304)));
            if (peer != null) {
                var other = endpoint(ports.get(2));
                await(other, PEERS_PAGE);
                callers.put("peer, page of 64", caller(peer, () -> post(other, PEERS_PAGE)));
            }
            for (var caller : callers.values()) {
                Load.run(4, WARM_UP, caller.request(), caller.cpu());
            }
            return tables(callers, memory);
        }
    }

    private static String tables(Map<String, Caller> callers, Server memory) throws Exception {
        var out = new StringBuilder("""
                ## Prices from memory
                A store of 500 products. *Snapshots off* reads the page from the table, as versions before did. %d rounds of %d requests each, after %d each to warm up.

                | connections | caller | p50 ms | p99 ms | requests/s | CPU ms/request |
                | ---: | --- | ---: | ---: | ---: | ---: |
                """.formatted(ROUNDS, REQUESTS, WARM_UP));
        for (var connections : List.of(1, 8)) {
            var samples = new LinkedHashMap<String, Samples>();
            for (var round = 0; round < ROUNDS; round++) {
                for (var caller : callers.entrySet()) {
                    var taken = Load.run(
                            connections,
                            REQUESTS,
                            caller.getValue().request(),
                            caller.getValue().cpu());
                    samples.merge(caller.getKey(), taken, Samples::and);
                }
            }
            samples.forEach((caller, taken) -> out.append("| %d | %s | %.2f | %.2f | %.0f | %.3f |%n"
                    .formatted(
                            connections,
                            caller,
                            taken.percentileMillis(50),
                            taken.percentileMillis(99),
                            taken.perSecond(),
                            taken.cpuMillisEach())));
        }
        return out
                + "\nResident memory of the instance with snapshots after this: %d MB.%n%n"
                        .formatted(memory.residentMegabytes());
    }

    private static Caller caller(Server server, Load.Request request) {
        return new Caller(request, server::cpu);
    }

    private Server menuboard(int port, boolean hasSnapshots) throws IOException {
        var environment = new HashMap<>(BenchTable.environment(tablePort));
        environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        environment.put("MENUBOARD_SIGN_IN", "true");
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_RATE", "1000000");
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_BURST", "1000000");
        environment.put("MENUBOARD_PRICING_SNAPSHOTS_ENABLED", Boolean.toString(hasSnapshots));
        return Server.start(
                List.of(GC, "-jar", jar.toString()), environment, work.resolve("prices-" + hasSnapshots + ".log"));
    }

    /** Null where none is named. */
    private @Nullable Server peer(int port) throws IOException {
        var folder = System.getProperty("peer", "");
        if (folder.isEmpty()) {
            return null;
        }
        var builder = new ProcessBuilder("node", "server.mjs")
                .directory(Path.of(folder).toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("peer.log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "DDB",
                        BenchTable.endpoint(tablePort).toString(),
                        "TABLE",
                        BenchTable.TABLE,
                        "NODE_ENV",
                        "production",
                        "PORT",
                        Integer.toString(port)));
        return new Server(builder.start());
    }

    private static URI endpoint(int port) {
        return URI.create("http://127.0.0.1:" + port + "/graphql");
    }

    private void await(URI endpoint, String document) throws InterruptedException, IOException {
        for (var attempt = 0; attempt < 3_000; attempt++) {
            try {
                post(endpoint, document);
                return;
            } catch (IOException | IllegalStateException _) {
                Thread.sleep(10);
            }
        }
        throw new IllegalStateException(endpoint + " did not answer");
    }

    private void post(URI endpoint, String document) throws IOException {
        var body = ("{\"query\":\"" + document.replace("\"", "\\\"").replace("\n", " ") + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        var answer = send(
                SdkHttpRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(endpoint)
                        .putHeader("Content-Type", "application/json")
                        .putHeader("Content-Length", Integer.toString(body.length)),
                body);
        require(answer.status() == 200 && answer.length() > 1_000);
    }

    private Answer get(URI endpoint, String document, @Nullable String tag) throws IOException {
        var request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .uri(URI.create(endpoint + "?query=" + URLEncoder.encode(document, StandardCharsets.UTF_8)));
        if (tag != null) {
            request.putHeader("If-None-Match", tag);
        }
        return send(request, null);
    }

    private record Answer(int status, @Nullable String tag, int length) {}

    private Answer send(SdkHttpRequest.Builder request, byte @Nullable [] body) throws IOException {
        request.putHeader("Authorization", "Bearer " + token);
        var prepared = HttpExecuteRequest.builder().request(request.build());
        if (body != null) {
            prepared.contentStreamProvider(ContentStreamProvider.fromByteArray(body));
        }
        var response = http.prepareRequest(prepared.build()).call();
        var length = 0;
        if (response.responseBody().isPresent()) {
            try (InputStream answer = response.responseBody().get()) {
                length = answer.readAllBytes().length;
            }
        }
        return new Answer(
                response.httpResponse().statusCode(),
                response.httpResponse().firstMatchingHeader("ETag").orElse(null),
                length);
    }

    private static void require(boolean right) {
        if (!right) {
            throw new IllegalStateException("not the answer that was expected");
        }
    }
}
