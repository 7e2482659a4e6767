package io.menuboard.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.graphql.bad.BadRequest;
import io.menuboard.graphql.bad.BadRequests;
import io.menuboard.graphql.bad.Connection;
import io.menuboard.graphql.bad.Fault;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code mvn -Pbad -Drequests=… -Dseed=…}: a million generated requests that are wrong in some way, to a Menuboard with sample
 * data. None may be answered with a status of 500 or more, the code {@code INTERNAL}, the name of a class, or not at all, and on a
 * machine that does nothing else none may take two seconds; of a download, its beginning.
 */
final class BadRequestRun {
    private static final int CONNECTIONS = 4;
    private static final Duration TOO_SLOW = Duration.ofSeconds(2);
    private static final int SLOWEST = 10;
    private static final int REPORTED = 50;
    private static final int REPORT_EVERY = 20_000;
    private static final int REQUEST_CHARACTERS = 1_500;

    private final URI address;
    private final BadRequests requests;
    private final long seed;
    private final AtomicLong next;
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final PriorityQueue<Taken> slowest = new PriorityQueue<>(Comparator.comparing(Taken::took));

    private BadRequestRun(URI address, long seed, long first, Path crawl) throws IOException {
        this.address = address;
        this.seed = seed;
        next = new AtomicLong(first);
        if (!Files.exists(crawl)) {
            try (var connection = connect()) {
                Files.writeString(crawl, BadRequests.crawl(connection));
            }
        }
        requests = new BadRequests(Files.readString(crawl), Set.of("waitSeconds"));
        System.out.println(requests.found() + ", kept in " + crawl);
    }

    private record Taken(Duration took, long number, String line) {}

    /**
     * Prints what was found. Ends with status 1 where an answer was wrong.
     *
     * @param args how many requests, 1,000,000 where left out; the seed; the address of a server, where it should not be
     *     one of its own; the number of the first request; a file with the pages and the schema that the requests are made
     *     of, written where it is not there
     */
    public static void main(String[] args) throws Exception {
        var count = args.length > 0 ? Long.parseLong(args[0]) : 1_000_000;
        var seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
        var first = args.length > 3 ? Long.parseLong(args[3]) : 0;
        var work = Files.createTempDirectory("menuboard-bad");
        var crawl = args.length > 4 ? Path.of(args[4]) : work.resolve("crawl.json");
        boolean passed;
        if (args.length > 2) {
            passed = new BadRequestRun(URI.create(args[2]), seed, first, crawl).run(first + count);
        } else {
            var port = BenchTable.freePort();
            try (var server = start(port, work.resolve("server.log"))) {
                passed = new BadRequestRun(URI.create("http://127.0.0.1:" + port), seed, first, crawl)
                        .run(first + count);
                System.out.println("resident MB of the server and its table: " + server.residentMegabytes());
            }
        }
        System.exit(passed ? 0 : 1);
    }

    /** A Menuboard with its sample, all of it. */
    private static Server start(int port, Path log) throws IOException, InterruptedException {
        var server = Server.start(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Dport=" + port,
                        "-Dstores=5",
                        "-Dproducts=20",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.menuboard.local.LocalMenuboard"),
                Map.of(),
                log);
        while (!Files.readString(log).contains(" favorites.")) {
            if (!server.process().isAlive()) {
                throw new IllegalStateException(Files.readString(log));
            }
            Thread.sleep(200);
        }
        return server;
    }

    private Connection connect() {
        return new Connection(address.getHost(), address.getPort());
    }

    private boolean run(long end) throws Exception {
        var begin = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            var running = new ArrayList<Future<?>>();
            for (var i = 0; i < CONNECTIONS; i++) {
                running.add(threads.submit(() -> sendUntil(end)));
            }
            for (var thread : running) {
                thread.get();
            }
        }
        var took = Duration.ofNanos(System.nanoTime() - begin);
        var sent = statuses.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf(
                "%s in %d s, %d a second%n", statuses, took.toSeconds(), sent * 1000L / Math.max(1, took.toMillis()));
        slowest.stream()
                .sorted(slowest.comparator().reversed())
                .forEach(slow -> System.out.println(
                        slow.took().toMillis() + " ms: request " + slow.number() + " " + slow.line()));
        System.out.println("faults: " + faults);
        return faults.isEmpty();
    }

    private void sendUntil(long end) {
        try (var connection = connect()) {
            for (var number = next.getAndIncrement(); number < end; number = next.getAndIncrement()) {
                var request = requests.request(seed, number);
                judge(number, request, connection.send(request));
            }
        }
    }

    private synchronized void judge(long number, BadRequest request, Connection.Answer answer) {
        statuses.merge(answer.status(), 1, Integer::sum);
        slowest.add(new Taken(answer.took(), number, shortened(request.line(), 200)));
        if (slowest.size() > SLOWEST) {
            slowest.remove();
        }
        if (answer.took().compareTo(TOO_SLOW) > 0) {
            System.out.println("request " + number + " took " + answer.took().toMillis() + " ms: "
                    + shortened(request.text(), REQUEST_CHARACTERS) + "\n");
        }
        var fault = answer.status() == 0
                ? "no answer"
                : isBusy(answer) ? null : Fault.of(answer).orElse(null);
        if (fault != null && faults.merge(fault, 1, Integer::sum) <= REPORTED) {
            System.out.println("request " + number + ": " + fault + "\n" + shortened(request.text(), REQUEST_CHARACTERS)
                    + "\n=> " + shortened(answer.text(), REQUEST_CHARACTERS) + "\n");
        }
        if ((number + 1) % REPORT_EVERY == 0) {
            System.out.println(number + 1 + ": " + statuses);
        }
    }

    /** True for an upload that has found no place, because others are being imported. */
    private static boolean isBusy(Connection.Answer answer) {
        return answer.status() == 503
                && (answer.text().contains("Too many uploads at once")
                        || answer.text().contains("As many uploads and imports")
                        || answer.text().contains("TOO_MANY_IMPORTS"));
    }

    private static String shortened(String text, int characters) {
        return text.length() <= characters
                ? text
                : text.substring(0, characters) + "… (" + text.getBytes(UTF_8).length + " bytes)";
    }
}
