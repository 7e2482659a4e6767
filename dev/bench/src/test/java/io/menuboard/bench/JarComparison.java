package io.menuboard.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code mvn -Pcompare -Dbefore=OLD.jar}: two versions of the application's jar on the same table, taking turns, so that
 * what else the machine does meets both: start-up until {@code /health} answers, CPU time of pages, and resident memory.
 */
final class JarComparison implements AutoCloseable {
    private static final int STARTS = 7;

    /** Of each page and version, so that the time of the compiler is not the time of the page. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    private static final int ROUNDS = 40;
    private static final int REQUESTS = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final List<String> PAGES = List.of(
            "/stores",
            "/stores/" + BenchTable.STORE,
            "/tasks",
            "/changes",
            "/imports",
            "/favorites",
            "/graphql?query=%7BbasePrices(store:%22" + BenchTable.STORE
                    + "%22,first:64)%7Bedges%7Bcursor%20node%7Bchannel%20price%7Bamount%20currency%7D%7D%7D%7D%7D");

    private final Path work = Files.createTempDirectory("menuboard-compare");
    private final int tablePort = BenchTable.freePort();
    private final Server table = BenchTable.start(work, tablePort);
    private final HttpClient http = HttpClient.newHttpClient();

    private JarComparison() throws IOException, InterruptedException {}

    /**
     * Prints a table.
     *
     * @param args the jar before, and the jar after
     */
    public static void main(String[] args) throws Exception {
        try (var comparison = new JarComparison()) {
            System.out.println(comparison.report(Path.of(args[0]), Path.of(args[1])));
        }
    }

    private String report(Path before, Path after) throws IOException, InterruptedException {
        var rows = new LinkedHashMap<String, Pair>();
        rows.put("start-up until /health answers, ms, median of " + STARTS, startUp(before, after));
        try (var old = Instance.start(before, work.resolve("before.log"), tablePort);
                var current = Instance.start(after, work.resolve("after.log"), tablePort)) {
            awaitHealth(old);
            awaitHealth(current);
            for (var page : PAGES) {
                warmUp(old, page);
                warmUp(current, page);
            }
            for (var page : PAGES) {
                rows.put("CPU ms of " + page.replaceAll("\\?.*", ""), cpu(old, current, page));
            }
            rows.put(
                    "resident MB after all of that",
                    new Pair(old.server.residentMegabytes(), current.server.residentMegabytes()));
        }
        var out =
                new StringBuilder("| | before | after | after / before |%n| --- | ---: | ---: | ---: |%n".formatted());
        rows.forEach((name, pair) -> out.append(
                "| %s | %.2f | %.2f | %.2f |%n".formatted(name, pair.before, pair.after, pair.after / pair.before)));
        return out.toString();
    }

    private record Pair(double before, double after) {}

    private Pair startUp(Path before, Path after) throws IOException, InterruptedException {
        var old = new ArrayList<Double>();
        var current = new ArrayList<Double>();
        for (var i = 0; i < STARTS; i++) {
            old.add(startUp(before));
            current.add(startUp(after));
        }
        return new Pair(median(old), median(current));
    }

    private double startUp(Path jar) throws IOException, InterruptedException {
        var begin = System.nanoTime();
        try (var instance = Instance.start(jar, work.resolve("start.log"), tablePort)) {
            awaitHealth(instance);
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private Pair cpu(Instance old, Instance current, String page) throws IOException, InterruptedException {
        var before = Duration.ZERO;
        var after = Duration.ZERO;
        for (var round = 0; round < ROUNDS; round++) {
            before = before.plus(cpu(old, page));
            after = after.plus(cpu(current, page));
        }
        var requests = ROUNDS * REQUESTS;
        return new Pair(before.toNanos() / 1e6 / requests, after.toNanos() / 1e6 / requests);
    }

    private Duration cpu(Instance instance, String page) throws IOException, InterruptedException {
        var before = instance.server.cpu();
        get(instance, page, REQUESTS);
        return instance.server.cpu().minus(before);
    }

    private void warmUp(Instance instance, String page) throws IOException, InterruptedException {
        var end = System.nanoTime() + WARM_UP.toNanos();
        while (System.nanoTime() - end < 0) {
            get(instance, page, REQUESTS);
        }
    }

    private void get(Instance instance, String page, int times) throws IOException, InterruptedException {
        for (var i = 0; i < times; i++) {
            var status = status(instance, page);
            if (status != 200) {
                throw new IllegalStateException(page + " answers " + status);
            }
        }
    }

    private int status(Instance instance, String page) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(instance.address.resolve(page))
                .header(
                        "Accept",
                        page.startsWith("/graphql") ? "application/graphql-response+json" : "text/html,*/*;q=0.8")
                .build();
        return http.send(request, BodyHandlers.ofByteArray()).statusCode();
    }

    private void awaitHealth(Instance instance) throws InterruptedException {
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            try {
                if (status(instance, "/health") == 200) {
                    return;
                }
            } catch (IOException _) {
                // not listening yet
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        throw new IllegalStateException("no answer from " + instance.jar + ", see " + work);
    }

    @Override
    public void close() {
        http.close();
        table.close();
    }

    private record Instance(Path jar, Server server, URI address) implements AutoCloseable {

        static Instance start(Path jar, Path log, int tablePort) throws IOException {
            var port = BenchTable.freePort();
            Map<String, String> environment = new HashMap<>(BenchTable.environment(tablePort));
            environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
            return new Instance(
                    jar,
                    Server.start(List.of("-XX:+UseSerialGC", "-jar", jar.toString()), environment, log),
                    URI.create("http://127.0.0.1:" + port));
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
