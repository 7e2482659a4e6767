package io.menuboard.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Tills of many stores of 500 products that ask for the menu of theirs, from an instance with a gigabyte of heap: how much of it
 * is found in memory, and what is read from the table.
 */
final class TillBenchmark {
    private static final int STORES = Integer.getInteger("stores", 8_000);
    private static final int PRODUCTS = 500;
    private static final int PER_STORE = 5;
    private static final int FROM_TABLE = 2_000;
    private static final int CONNECTIONS = 8;
    private static final int BATCH = 25;
    private static final long SEED = 1;

    private static final String UNITS = "menuboard_table_read_units_total";
    private static final String GETS = "cache_gets_total";
    private static final String SNAPSHOTS = "cache=\"menuboard.pricing.snapshots\"";
    private static final String HIT = "result=\"hit\"";
    private static final String MISS = "result=\"miss\"";

    private static final String MENU =
            "{ menu(store: \\\"%s\\\", channel: \\\"APP\\\") { endsAt items { subject { product { key } } channel startsAt endsAt price { amount currency } } } }";

    private final Path work;
    private final Path jar;
    private final int tablePort;
    private final DynamoDbClient dynamoDb;
    private final String token;
    private final HttpClient http = HttpClient.newHttpClient();

    TillBenchmark(Path work, Path jar, int tablePort, DynamoDbClient dynamoDb) throws IOException {
        this.work = work;
        this.jar = jar;
        this.tablePort = tablePort;
        this.dynamoDb = dynamoDb;
        this.token = BenchTable.token(work);
    }

    String report() throws Exception {
        copyStore();
        var random = new Random(SEED);
        var once = new ArrayList<>(IntStream.rangeClosed(1, STORES).boxed().toList());
        Collections.shuffle(once, random);
        var atRandom =
                random.ints((long) STORES * PER_STORE, 1, STORES + 1).boxed().toList();
        var rows = new StringBuilder();
        try (var table = start(false)) {
            var some = atRandom.subList(0, Math.min(FROM_TABLE, atRandom.size()));
            ask(table, some); // what is first asked runs code that is not compiled yet
            rows.append(row("snapshots off", table, some));
        }
        try (var memory = start(true)) {
            rows.append(row("each store once", memory, once));
            rows.append(row("at random, after that", memory, atRandom));
            rows.append(row("one store again and again", memory, Collections.nCopies(atRandom.size(), 1)));
            return """
                    ## Tills
                    Measured by `TillBenchmark`, which is part of `mvn -Pbench`: %,d stores of %d products, each with a version of its price. Tills
                    ask for the menu of their store, with %d connections and a token, an instance with 1 GB of heap, of which snapshots take a
                    quarter.

                    | stores | menus | found in memory | read units a menu | menus/s | p50 ms | p99 ms | CPU ms/menu |
                    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                    %s
                    After this %,.0f snapshots are in memory, an empty one of the channel `APP` and one of `ALL` for each store; live heap %.0f MB,
                    resident memory %d MB. DynamoDB Local charges nothing for a Query that finds nothing, DynamoDB half a unit, or one where it is to be
                    strongly consistent: that comes on top for the empty channel `APP` where it is read.

                    """.formatted(
                            STORES,
                            PRODUCTS,
                            CONNECTIONS,
                            rows,
                            memory.metric("cache_size", SNAPSHOTS),
                            memory.server().liveHeapMegabytes(),
                            memory.server().residentMegabytes());
        }
    }

    /** Gives every store what the first one has, in items of its own: its prices and their revisions. */
    private void copyStore() throws InterruptedException, ExecutionException {
        var items = Stream.of("STORE#", "PRICES#")
                .flatMap(partition -> items(partition + BenchTable.STORE))
                .toList();
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            List<Future<?>> copies = new ArrayList<>();
            for (var number = 2; number <= STORES; number++) {
                var store = store(number);
                copies.add(threads.submit(() ->
                        save(items.stream().map(item -> ofStore(item, store)).toList())));
            }
            for (var copy : copies) {
                copy.get();
            }
        }
    }

    private Stream<Map<String, AttributeValue>> items(String partition) {
        return dynamoDb
                .queryPaginator(query -> query.tableName(BenchTable.TABLE)
                        .keyConditionExpression("pk = :pk")
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partition))))
                .items()
                .stream();
    }

    private void save(List<WriteRequest> items) {
        for (var from = 0; from < items.size(); from += BATCH) {
            var batch = items.subList(from, Math.min(items.size(), from + BATCH));
            var left = dynamoDb.batchWriteItem(request -> request.requestItems(Map.of(BenchTable.TABLE, batch)))
                    .unprocessedItems();
            if (!left.isEmpty()) {
                throw new IllegalStateException("not written: " + left);
            }
        }
    }

    private static WriteRequest ofStore(Map<String, AttributeValue> item, String store) {
        var copy = item.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> {
            var value = entry.getValue();
            return value.s() == null ? value : AttributeValue.fromS(value.s().replace(BenchTable.STORE, store));
        }));
        return WriteRequest.builder()
                .putRequest(PutRequest.builder().item(copy).build())
                .build();
    }

    private static String store(int number) {
        return "BENCH-%04d".formatted(number);
    }

    private String row(String name, Instance instance, List<Integer> stores) throws Exception {
        var units = instance.metric(UNITS);
        var hits = instance.metric(GETS, SNAPSHOTS, HIT);
        var misses = instance.metric(GETS, SNAPSHOTS, MISS);
        var taken = ask(instance, stores);
        hits = instance.metric(GETS, SNAPSHOTS, HIT) - hits;
        misses = instance.metric(GETS, SNAPSHOTS, MISS) - misses;
        return "| %s | %,d | %s | %.2f | %.0f | %.2f | %.2f | %.2f |%n"
                .formatted(
                        name,
                        stores.size(),
                        hits + misses == 0 ? "–" : "%.1f %%".formatted(100 * hits / (hits + misses)),
                        (instance.metric(UNITS) - units) / stores.size(),
                        taken.perSecond(),
                        taken.percentileMillis(50),
                        taken.percentileMillis(99),
                        taken.cpuMillisEach());
    }

    private Samples ask(Instance instance, List<Integer> stores) throws InterruptedException, ExecutionException {
        var next = new AtomicInteger();
        return Load.run(
                CONNECTIONS,
                stores.size(),
                () -> instance.ask(store(stores.get(next.getAndIncrement()))),
                instance.server()::cpu);
    }

    private Instance start(boolean hasSnapshots) throws IOException, InterruptedException {
        var port = BenchTable.freePort();
        var metrics = BenchTable.freePort();
        var environment = new HashMap<>(BenchTable.environment(tablePort));
        environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        environment.put("ENDPOINTS_ALL_PORT", Integer.toString(metrics));
        environment.put("MENUBOARD_SIGN_IN", "true");
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_RATE", "1000000");
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_BURST", "1000000");
        environment.put("MENUBOARD_PRICING_SNAPSHOTS_ENABLED", Boolean.toString(hasSnapshots));
        var server = Server.start(
                List.of("-XX:+UseSerialGC", "-Xmx1g", "-jar", jar.toString()),
                environment,
                work.resolve("tills-" + hasSnapshots + ".log"));
        var instance = new Instance(server, port, metrics);
        for (var attempt = 0; attempt < 3_000; attempt++) {
            try {
                instance.ask(BenchTable.STORE);
                return instance;
            } catch (IOException _) {
                Thread.sleep(10);
            }
        }
        server.close();
        throw new IllegalStateException("the instance did not answer");
    }

    private final class Instance implements AutoCloseable {
        private final Server server;
        private final URI endpoint;
        private final URI metrics;

        Instance(Server server, int port, int metrics) {
            this.server = server;
            this.endpoint = URI.create("http://127.0.0.1:" + port + "/graphql");
            this.metrics = URI.create("http://127.0.0.1:" + metrics + "/prometheus");
        }

        Server server() {
            return server;
        }

        void ask(String store) throws IOException, InterruptedException {
            var answer = http.send(
                    HttpRequest.newBuilder(endpoint)
                            .timeout(Duration.ofSeconds(30))
                            .header("Authorization", "Bearer " + token)
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString("{\"query\":\"" + MENU.formatted(store) + "\"}"))
                            .build(),
                    BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200 || answer.body().length < PRODUCTS * 50) {
                throw new IllegalStateException("not the menu of " + store + ": " + new String(answer.body(), UTF_8));
            }
        }

        /** Sum of the series of a metric that have all those labels. */
        double metric(String name, String... labels) throws IOException, InterruptedException {
            var answer = http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString());
            return answer.body()
                    .lines()
                    .filter(line -> line.startsWith(name) && Stream.of(labels).allMatch(line::contains))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
