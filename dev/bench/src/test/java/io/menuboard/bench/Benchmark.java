package io.menuboard.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * {@code mvn -Pbench}: a page of 64 prices from DynamoDB itself and through GraphQL over HTTP, interleaved in one run;
 * where the server's CPU time goes; prices from memory ({@link PriceBenchmark}); subscribers ({@link SubscriberBenchmark});
 * tasks ({@link TaskBenchmark}); price changes ({@link ChangeBenchmark}); billing ({@link BillingBenchmark}); favorites
 * ({@link FavoritesBenchmark}); start-up and memory; tills ({@link TillBenchmark}).
 * Writes the report that {@code docs/benchmarks.md} tells of.
 *
 * <p>Three processes: DynamoDB Local, {@code menuboard.jar} as it is shipped, and this one, which sends every request
 * with the same HTTP client, and is the instances that tasks are measured in.
 */
final class Benchmark implements AutoCloseable {
    private static final int PAGE = 64;
    private static final int WARM_UP = 60_000;
    private static final int ROUNDS = 20;
    private static final int REQUESTS = 400;
    private static final int STARTS = 5;

    /** As in app/deploy/menuboard.service. */
    private static final String GC = "-XX:+UseSerialGC";

    private static final String FULL_PAGE = """
            { basePrices(store: "%s", first: %d) {
                edges { cursor node { store { id } channel product { key } effectiveDate startsAt price { amount currency } } }
                pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }""".formatted(BenchTable.STORE, PAGE);
    private static final String BARE_PAGE =
            "{ basePrices(store: \"%s\", first: %d) { pageInfo { hasNextPage } } }".formatted(BenchTable.STORE, PAGE);
    private static final String NOTHING = "{ __typename }";

    private final Path work = Files.createTempDirectory("menuboard-bench");
    private final Path jar;
    private final int tablePort = BenchTable.freePort();
    private final Server table;
    private final SdkHttpClient http =
            ApacheHttpClient.builder().maxConnections(64).build();
    private final DynamoDbClient dynamoDb;

    private Benchmark(Path jar) throws IOException, InterruptedException {
        this.jar = jar;
        table = BenchTable.start(work, tablePort);
        dynamoDb = DynamoDbClient.builder()
                .httpClient(http)
                .endpointOverride(tableEndpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build();
    }

    public static void main(String[] args) throws Exception {
        run(args);
        System.exit(0); // the queues that stand in for SQS leave threads behind
    }

    private static void run(String[] args) throws Exception {
        try (var benchmark = new Benchmark(Path.of(args[0]))) {
            switch (System.getProperty("part", "")) {
                case "prices" -> {
                    System.out.println(benchmark.prices());
                    return;
                }
                case "subscribers" -> {
                    System.out.println(subscribers());
                    return;
                }
                case "tills" -> {
                    System.out.println(benchmark.tills());
                    return;
                }
                default -> {}
            }
            var report = benchmark.report();
            Files.writeString(Path.of(args[1]), report);
            System.out.println(report);
        }
    }

    private String report() throws Exception {
        var out = new StringBuilder();
        try (var server = startMenuboard(List.of(), work.resolve("server.log"))) {
            var endpoint = server.endpoint();
            awaitAnswer(endpoint);
            Load.Request raw = () -> check(rawPage() == PAGE);
            Load.Request page = () -> check(graphQl(endpoint, FULL_PAGE).length() > PAGE * 100);
            Load.run(2, WARM_UP, raw, this::ownCpu);
            Load.run(2, WARM_UP / 4, () -> graphQl(endpoint, NOTHING), this::ownCpu);
            Load.run(2, WARM_UP / 4, () -> graphQl(endpoint, BARE_PAGE), this::ownCpu);
            Load.run(2, WARM_UP, page, this::ownCpu);

            out.append(pages(server.server(), raw, page));
            out.append(breakdown(server.server(), endpoint));
            out.append("Resident memory after this: %d MB.%n%n"
                    .formatted(server.server().residentMegabytes()));
        }
        out.append(prices());
        out.append(subscribers());
        try (var tasks = new TaskBenchmark(tableEndpoint())) {
            out.append(tasks.report());
        }
        try (var changes = new ChangeBenchmark(tableEndpoint())) {
            out.append(changes.report());
        }
        try (var billing = new BillingBenchmark(tableEndpoint())) {
            out.append(billing.report());
        }
        try (var favorites = new FavoritesBenchmark()) {
            out.append(favorites.report());
        }
        out.append(startUp());
        // Last, because the table is large after it.
        out.append(tills());
        return HEAD.formatted(Machine.description()) + out;
    }

    private static String subscribers() throws Exception {
        try (var subscribers = new SubscriberBenchmark()) {
            return subscribers.report();
        }
    }

    private String tills() throws Exception {
        return new TillBenchmark(work, jar, tablePort, dynamoDb).report();
    }

    private String prices() throws Exception {
        return new PriceBenchmark(work, jar, tablePort, http, () -> check(rawPage() == PAGE), this::ownCpu).report();
    }

    private String pages(Server server, Load.Request raw, Load.Request page) throws Exception {
        var out = new StringBuilder("""
                ## A page of 64 prices
                | connections | caller | p50 ms | p99 ms | requests/s | CPU ms/request |
                | ---: | --- | ---: | ---: | ---: | ---: |
                """);
        var ratios = new StringBuilder();
        for (var connections : List.of(1, 8)) {
            List<Samples> raws = new ArrayList<>();
            List<Samples> pages = new ArrayList<>();
            for (var round = 0; round < ROUNDS; round++) {
                raws.add(Load.run(connections, REQUESTS, raw, this::ownCpu));
                pages.add(Load.run(connections, REQUESTS, page, server::cpu));
            }
            var direct = raws.stream().reduce(Samples::and).orElseThrow();
            var through = pages.stream().reduce(Samples::and).orElseThrow();
            out.append(row(
                    connections, "raw Query, SDK client", direct, "%.2f (caller)".formatted(direct.cpuMillisEach())));
            out.append(row(connections, "GraphQL over HTTP", through, "%.2f".formatted(through.cpuMillisEach())));
            ratios.append(
                    "- %d connection%s: GraphQL p50 is %.2f × raw, p99 %.2f × raw, requests per second %.2f × raw.%n"
                            .formatted(
                                    connections,
                                    connections == 1 ? "" : "s",
                                    through.percentileMillis(50) / direct.percentileMillis(50),
                                    through.percentileMillis(99) / direct.percentileMillis(99),
                                    through.perSecond() / direct.perSecond()));
        }
        return out + "\n" + ratios + "\n";
    }

    private static String row(int connections, String caller, Samples samples, String cpu) {
        return "| %d | %s | %.2f | %.2f | %.0f | %s |%n"
                .formatted(
                        connections,
                        caller,
                        samples.percentileMillis(50),
                        samples.percentileMillis(99),
                        samples.perSecond(),
                        cpu);
    }

    /** Server CPU of requests that each do a part of the work, interleaved; the differences are the parts. */
    private String breakdown(Server server, URI endpoint) throws Exception {
        var queries = new LinkedHashMap<String, String>();
        queries.put("HTTP, JSON and the engine alone (`{ __typename }`)", NOTHING);
        queries.put("… and the page read from DynamoDB, no edges asked for", BARE_PAGE);
        queries.put("… and 64 edges with cursors and all fields, as JSON", FULL_PAGE);
        var samples = new LinkedHashMap<String, Samples>();
        for (var round = 0; round < ROUNDS; round++) {
            for (var query : queries.entrySet()) {
                var taken = Load.run(1, REQUESTS, () -> graphQl(endpoint, query.getValue()), server::cpu);
                samples.merge(query.getKey(), taken, Samples::and);
            }
        }
        var out = new StringBuilder("""
                ## Where the server's CPU time goes
                One connection; each row does what the row above does, and more.

                | request | CPU ms/request | more than above |
                | --- | ---: | ---: |
                """);
        var before = 0.0;
        for (var sample : samples.entrySet()) {
            var cpu = sample.getValue().cpuMillisEach();
            out.append("| %s | %.3f | %.3f |%n".formatted(sample.getKey(), cpu, cpu - before));
            before = cpu;
        }
        return out + "\n";
    }

    private String startUp() throws Exception {
        var cache = work.resolve("menuboard.aot");
        try (var training = startMenuboard(List.of("-XX:AOTCacheOutput=" + cache), work.resolve("training.log"))) {
            awaitAnswer(training.endpoint());
        }
        var out = new StringBuilder("""
                ## Start-up
                From `java` to the first answered page of prices, median of %d starts, alternating, and memory then.

                | start | ms | resident MB |
                | --- | ---: | ---: |
                """.formatted(STARTS));
        var variants = new LinkedHashMap<String, List<String>>();
        variants.put("`java -XX:+UseSerialGC -jar menuboard.jar`", List.of());
        if (Files.exists(cache)) {
            variants.put("with an AOT cache (`-XX:AOTCache`)", List.of("-XX:AOTCache=" + cache));
        }
        var millis = new LinkedHashMap<String, List<Long>>();
        var memory = new LinkedHashMap<String, List<Long>>();
        for (var i = 0; i < STARTS; i++) {
            for (var variant : variants.entrySet()) {
                var start = System.nanoTime();
                try (var server = startMenuboard(variant.getValue(), work.resolve("start.log"))) {
                    awaitAnswer(server.endpoint());
                    millis.computeIfAbsent(variant.getKey(), _ -> new ArrayList<>())
                            .add((System.nanoTime() - start) / 1_000_000);
                    memory.computeIfAbsent(variant.getKey(), _ -> new ArrayList<>())
                            .add(server.server().residentMegabytes());
                }
            }
        }
        millis.forEach((variant, times) -> out.append("| %s | %d | %d |%n"
                .formatted(variant, median(times), median(Objects.requireNonNull(memory.get(variant))))));
        return out.toString();
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private record Running(Server server, URI endpoint) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
        }
    }

    private Running startMenuboard(List<String> jvm, Path log) throws IOException {
        var port = BenchTable.freePort();
        var arguments = new ArrayList<>(jvm);
        arguments.addAll(List.of(GC, "-jar", jar.toString()));
        var environment = new HashMap<>(BenchTable.environment(tablePort));
        environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        return new Running(
                Server.start(arguments, environment, log), URI.create("http://127.0.0.1:" + port + "/graphql"));
    }

    private void awaitAnswer(URI endpoint) throws InterruptedException {
        for (var attempt = 0; attempt < 3_000; attempt++) {
            try {
                if (graphQl(endpoint, FULL_PAGE).contains("\"edges\"")) {
                    return;
                }
            } catch (IOException | IllegalStateException _) {
                // not listening yet
            }
            Thread.sleep(10);
        }
        throw new IllegalStateException("Menuboard did not answer");
    }

    private int rawPage() {
        return dynamoDb.query(QueryRequest.builder()
                        .tableName(BenchTable.TABLE)
                        .keyConditionExpression("pk = :pk AND begins_with(sk, :sk)")
                        .expressionAttributeValues(Map.of(
                                ":pk", AttributeValue.fromS("STORE#" + BenchTable.STORE),
                                ":sk", AttributeValue.fromS("ALL#Base#")))
                        .limit(PAGE)
                        .build())
                .items()
                .size();
    }

    private String graphQl(URI endpoint, String query) throws IOException {
        var body = ("{\"query\":\"" + query.replace("\"", "\\\"").replace("\n", " ") + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        var request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(endpoint)
                .putHeader("Content-Type", "application/json")
                .putHeader("Accept", "application/graphql-response+json")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build();
        var response = http.prepareRequest(HttpExecuteRequest.builder()
                        .request(request)
                        .contentStreamProvider(ContentStreamProvider.fromByteArray(body))
                        .build())
                .call();
        try (InputStream answer = response.responseBody().orElseThrow()) {
            var text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
            check(response.httpResponse().isSuccessful());
            return text;
        }
    }

    private static void check(boolean right) {
        if (!right) {
            throw new IllegalStateException("not the answer that was expected");
        }
    }

    private Duration ownCpu() {
        var bean = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return Duration.ofNanos(bean.getProcessCpuTime());
    }

    private URI tableEndpoint() {
        return BenchTable.endpoint(tablePort);
    }

    @Override
    public void close() {
        table.close();
        dynamoDb.close();
        http.close();
    }

    private static final String HEAD = """
            # Benchmarks
            Written by `mvn -Pbench` on %s. The machine is shared: read ratios, not milliseconds.

            DynamoDB Local, `menuboard.jar` with the flags of `app/deploy/menuboard.service`, and the load generator are three processes on this machine.
            *Raw* is a Query of 64 price items, all attributes, with the AWS SDK's client, from the load generator straight
            to DynamoDB Local; its CPU time is that client's. *GraphQL* is the same page as `basePrices` over HTTP with edges, cursors and all fields, sent
            by the same HTTP client. Both take turns, %s rounds of %s requests each, after %s requests each to warm up.

            """.replaceFirst("%s rounds", ROUNDS + " rounds")
            .replaceFirst("%s requests each,", REQUESTS + " requests each,")
            .replaceFirst("%s requests each to", WARM_UP + " requests each to");
}
