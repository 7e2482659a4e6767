package io.menuboard.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.graphql.bad.Connection;
import io.menuboard.graphql.bad.Fault;
import io.menuboard.graphql.bad.HostileDocuments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * {@code mvn -Plimits -Dparts=token,slow,hostile,stall}: what an application that people sign in to bears, with a server and a table in
 * processes of their own, and what looking up a token costs.
 */
final class LimitsRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String PAGE = "/stores/" + BenchTable.STORE;

    private static final int TOKEN_ROUNDS = 30;
    private static final int TOKEN_REQUESTS = 100;

    private static final int SLOW_CONNECTIONS = 2_000;
    private static final int ADDRESSES = 4;
    private static final int SLOW_ROUNDS = 12;
    private static final int SLOW_REQUESTS = 200;

    private static final long SEED = 1;
    private static final Duration HOSTILE_AT_MOST = Duration.ofMinutes(10);

    private static final Duration STALL = Duration.ofSeconds(60);
    private static final Duration KNOWN = Duration.ofSeconds(4);
    private static final int A_SECOND = 50;

    private final Path work = Files.createTempDirectory("menuboard-limits");
    private final int tablePort = BenchTable.freePort();
    private final Server table = BenchTable.start(work, tablePort);
    private final String token = BenchTable.token(work);
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private LimitsRun() throws IOException, InterruptedException {}

    /**
     * Prints what each part found.
     *
     * @param args parts, separated by commas; how many hostile documents
     */
    public static void main(String[] args) throws Exception {
        System.out.println(Machine.description());
        try (var run = new LimitsRun()) {
            for (var part : args[0].split(",", -1)) {
                System.out.println(part + ", load "
                        + Files.readString(Path.of("/proc/loadavg")).strip());
                switch (part) {
                    case "token" -> run.token();
                    case "slow" -> run.slow();
                    case "hostile" -> run.hostile(Integer.parseInt(args[1]));
                    case "stall" -> run.stall();
                    default -> throw new IllegalArgumentException(part);
                }
            }
        }
    }

    private record Instance(Server server, int port) implements AutoCloseable {
        URI at(String path) {
            return URI.create("http://127.0.0.1:" + port + path);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private Instance start(String name, boolean signIn) throws IOException, InterruptedException {
        var port = BenchTable.freePort();
        Map<String, String> environment = new HashMap<>(BenchTable.environment(tablePort));
        environment.put("MICRONAUT_SERVER_PORT", Integer.toString(port));
        environment.put("MENUBOARD_SIGN_IN", Boolean.toString(signIn));
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_RATE", "100000");
        environment.put("MENUBOARD_LIMITS_PRINCIPAL_BURST", "100000");
        environment.put("MENUBOARD_LOG_LEVEL", "ERROR");
        var server = Server.start(
                List.of(
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.menuboard.app.Menuboard"),
                environment,
                work.resolve(name + ".log"));
        var instance = new Instance(server, port);
        var end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            try {
                if (send(instance, PAGE) == 200) {
                    return instance;
                }
            } catch (IOException _) {
                // Not listening yet.
            }
            Thread.sleep(200);
        }
        server.close();
        throw new IllegalStateException(Files.readString(work.resolve(name + ".log")));
    }

    private HttpRequest request(Instance instance, String path) {
        return HttpRequest.newBuilder(instance.at(path))
                .header("Accept", "text/html,*/*;q=0.8")
                .header("Authorization", "Bearer " + token)
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private int send(Instance instance, String path) throws IOException, InterruptedException {
        return http.send(request(instance, path), BodyHandlers.discarding()).statusCode();
    }

    private double[] millis(Instance instance, int requests) throws IOException, InterruptedException {
        var took = new double[requests];
        for (var i = 0; i < requests; i++) {
            var begin = System.nanoTime();
            var status = send(instance, PAGE);
            took[i] = (System.nanoTime() - begin) / 1e6;
            if (status != 200) {
                throw new IllegalStateException("answered " + status);
            }
        }
        return took;
    }

    private static double percentile(List<double[]> rounds, double percent) {
        var all = rounds.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
        return all[(int) Math.ceil(percent / 100 * all.length) - 1];
    }

    /** Two servers take turns, one of which looks up who asks. */
    private void token() throws IOException, InterruptedException {
        try (var without = start("without", false);
                var with = start("with", true)) {
            for (var i = 0; i < 20; i++) {
                millis(without, TOKEN_REQUESTS);
                millis(with, TOKEN_REQUESTS);
            }
            var ratios = new ArrayList<Double>();
            var before = Duration.ZERO;
            var after = Duration.ZERO;
            for (var round = 0; round < TOKEN_ROUNDS; round++) {
                var one = cpu(without);
                var other = cpu(with);
                before = before.plus(one);
                after = after.plus(other);
                ratios.add((double) other.toNanos() / one.toNanos());
            }
            ratios.sort(null);
            System.out.printf(
                    "CPU ms of %s: %.2f without sign-in, %.2f with a token; ratio %.3f, of the rounds' median %.3f, quartiles %.3f to %.3f%n",
                    PAGE,
                    before.toNanos() / 1e6 / TOKEN_ROUNDS / TOKEN_REQUESTS,
                    after.toNanos() / 1e6 / TOKEN_ROUNDS / TOKEN_REQUESTS,
                    (double) after.toNanos() / before.toNanos(),
                    ratios.get(ratios.size() / 2),
                    ratios.get(ratios.size() / 4),
                    ratios.get(ratios.size() * 3 / 4));
        }
    }

    private Duration cpu(Instance instance) throws IOException, InterruptedException {
        var before = instance.server.cpu();
        millis(instance, TOKEN_REQUESTS);
        return instance.server.cpu().minus(before);
    }

    /** Rounds with connections that send a byte a second take turns with rounds without. */
    private void slow() throws IOException, InterruptedException {
        try (var server = start("slow", true)) {
            for (var i = 0; i < 20; i++) {
                millis(server, SLOW_REQUESTS);
            }
            var alone = new ArrayList<double[]>();
            var beside = new ArrayList<double[]>();
            for (var round = 0; round < SLOW_ROUNDS; round++) {
                alone.add(millis(server, SLOW_REQUESTS));
                try (var drips = new Drips(server.port)) {
                    beside.add(millis(server, SLOW_REQUESTS));
                    drips.requireOpen();
                }
            }
            System.out.printf(
                    "%s beside %d slow connections: p50 %.1f ms, p99 %.1f ms; without p50 %.1f ms, p99 %.1f ms; p99 ratio %.2f%n",
                    PAGE,
                    SLOW_CONNECTIONS,
                    percentile(beside, 50),
                    percentile(beside, 99),
                    percentile(alone, 50),
                    percentile(alone, 99),
                    percentile(beside, 99) / percentile(alone, 99));
        }
    }

    /** Half of them do not end their headers, half do not end a body; each sends a byte a second. */
    private static final class Drips implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();
        private final Thread dripping;

        Drips(int port) throws IOException {
            for (var i = 0; i < SLOW_CONNECTIONS; i++) {
                // Addresses of others, as who drips is limited by them.
                var from = InetAddress.getByName("127.0.0." + (2 + i % ADDRESSES));
                var socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
                sockets.add(socket);
                var begun = i % 2 == 0
                        ? "GET /stores HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
                        : "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 1000\r\n\r\n{";
                socket.getOutputStream().write(begun.getBytes(UTF_8));
            }
            dripping = Thread.ofPlatform().daemon().start(this::drip);
        }

        private void drip() {
            try {
                while (true) {
                    for (var socket : sockets) {
                        socket.getOutputStream().write(' ');
                        TimeUnit.NANOSECONDS.sleep(1_000_000_000L / SLOW_CONNECTIONS);
                    }
                }
            } catch (IOException _) {
                // Closed, by one of the two.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        void requireOpen() {
            if (!dripping.isAlive()) {
                System.out.println("some slow connections were cut off before the round's end");
            }
        }

        @Override
        public void close() throws IOException {
            dripping.interrupt();
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    private void hostile(int count) throws IOException, InterruptedException {
        try (var server = start("hostile", true);
                var connection = new Connection("127.0.0.1", server.port)) {
            var documents = new HostileDocuments(token);
            var statuses = new TreeMap<Integer, Integer>();
            var faults = new TreeMap<String, Integer>();
            for (var i = 0; i < 2_000; i++) {
                connection.send(documents.request(SEED + 1, i));
            }
            var cpu = server.server.cpu();
            var begin = System.nanoTime();
            var slowest = Duration.ZERO;
            var sent = 0;
            while (sent < count && System.nanoTime() - begin < HOSTILE_AT_MOST.toNanos()) {
                var request = documents.request(SEED, sent++);
                var answer = connection.send(request);
                statuses.merge(answer.status(), 1, Integer::sum);
                slowest = slowest.compareTo(answer.took()) > 0 ? slowest : answer.took();
                var fault =
                        answer.status() == 0 ? "no answer" : Fault.of(answer).orElse(null);
                if (fault != null && answer.status() != 503 && faults.merge(fault, 1, Integer::sum) <= 5) {
                    System.out.println(fault + ": request " + (sent - 1) + " "
                            + request.text()
                                    .substring(0, Math.min(1_000, request.text().length())) + "\n=> "
                            + answer.text()
                                    .substring(0, Math.min(1_000, answer.text().length())));
                }
            }
            cpu = server.server.cpu().minus(cpu);
            System.out.printf(
                    "%d hostile documents in %d s: %s, faults %s; %.2f ms of CPU each, all of the server counted; slowest %d ms%n",
                    sent,
                    Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                    statuses,
                    faults,
                    cpu.toNanos() / 1e6 / sent,
                    slowest.toMillis());
        }
    }

    private record Asked(long sentAt, Duration took, int status) {}

    private final Queue<Asked> answers = new ConcurrentLinkedQueue<>();

    private CompletableFuture<?> ask(Instance instance, int number) {
        var sentAt = System.nanoTime();
        var request = number % 2 == 0
                ? request(instance, PAGE)
                : HttpRequest.newBuilder(instance.at("/graphql"))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + token)
                        .timeout(Duration.ofSeconds(30))
                        .POST(BodyPublishers.ofString("{\"query\":\"{ stores(first: 1) { nodes { name } } }\"}"))
                        .build();
        return http.sendAsync(request, BodyHandlers.discarding())
                .handle((answer, _) -> answers.add(new Asked(
                        sentAt,
                        Duration.ofNanos(System.nanoTime() - sentAt),
                        answer == null ? 0 : answer.statusCode())));
    }

    /** The process of the table is stopped, as SIGSTOP does: connections are accepted, and nothing answers. */
    private void stall() throws IOException, InterruptedException {
        try (var server = start("stall", true)) {
            for (var i = 0; i < 20; i++) {
                millis(server, SLOW_REQUESTS);
            }
            var before = server.server().liveHeapMegabytes();
            signal("STOP");
            var stalled = System.nanoTime();
            var heaps = new ArrayList<String>();
            var sent = 0;
            var asked = new ArrayList<CompletableFuture<?>>();
            try {
                while (System.nanoTime() - stalled < STALL.toNanos()) {
                    var due = stalled + sent * 1_000_000_000L / A_SECOND;
                    TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                    asked.add(ask(server, sent++));
                    if (sent % (A_SECOND * 15) == 0) {
                        heaps.add("%.1f".formatted(server.server().liveHeapMegabytes()));
                    }
                }
            } finally {
                signal("CONT");
            }
            var back = System.nanoTime();
            var served = false;
            while (!served) {
                asked.add(ask(server, sent++));
                ask(server, sent++).join();
                served = answers.stream().anyMatch(answer -> answer.sentAt > back && answer.status == 200);
            }
            asked.forEach(CompletableFuture::join);
            var firstAfter = answers.stream()
                    .filter(answer -> answer.sentAt > back && answer.status == 200)
                    .mapToLong(answer -> answer.sentAt + answer.took.toNanos())
                    .min()
                    .orElseThrow();
            var refused = answers.stream()
                    .filter(answer ->
                            answer.sentAt > stalled + KNOWN.toNanos() && answer.sentAt < back - KNOWN.toNanos())
                    .toList();
            var took = refused.stream().map(Asked::took).sorted().toList();
            System.out.printf(
                    "stalled for %d s, %d requests a second: of %d answers after the first %d s %d are 503, %d within a second, p50 %d ms,"
                            + " p99 %d ms, slowest %d ms; live heap %.1f MB before, %s while stalled, %.1f after; served again %d ms after its return%n",
                    STALL.toSeconds(),
                    A_SECOND,
                    took.size(),
                    KNOWN.toSeconds(),
                    refused.stream().filter(answer -> answer.status == 503).count(),
                    took.stream().filter(time -> time.toMillis() < 1_000).count(),
                    took.get(took.size() / 2).toMillis(),
                    took.get(took.size() * 99 / 100).toMillis(),
                    took.getLast().toMillis(),
                    before,
                    heaps,
                    server.server().liveHeapMegabytes(),
                    (firstAfter - back) / 1_000_000);
        }
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(table.process().pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        http.close();
        table.close();
    }
}
