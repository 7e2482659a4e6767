package io.menuboard.bench;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.favorites.UserId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalAws;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Favorites in the local environment, all of it in this process: how long it takes from a mark until it counts, while
 * nothing else happens and while a restaurant is marked many times a second; and how many marks a second can be made,
 * against the same items put with the SDK's client alone.
 */
final class FavoritesBenchmark implements AutoCloseable {
    private static final Access ACCESS =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "bench", Actor.Source.WORKER));
    private static final int WARM_UP = 100;
    private static final int MARKS = 200;
    private static final int BUSY_EVERY_NANOS = 4_000_000;
    private static final int ROUNDS = 6;
    private static final int PER_ROUND = 1_000;
    private static final long BETWEEN_LOOKS_NANOS = 2_000_000;
    private static final double MILLI = 1e6;

    private final LocalAws aws = LocalAws.start(null, "favorites-bench");
    private final ApplicationContext instance;
    private final Favorites favorites;
    private final Rankings rankings;
    private final AtomicInteger users = new AtomicInteger();

    FavoritesBenchmark() {
        var properties = new HashMap<>(aws.properties());
        properties.put("micronaut.server.port", -1);
        instance = ApplicationContext.run(EmbeddedServer.class, properties).getApplicationContext();
        favorites = instance.getBean(Favorites.class);
        rankings = instance.getBean(Rankings.class);
    }

    String report() throws InterruptedException {
        latencies("warm-up", WARM_UP);
        var idle = latencies("idle", MARKS);
        var busy = whileBusy();
        var seconds = marking();
        return """
                ## Favorites
                Measured by `FavoritesBenchmark`, which is part of `mvn -Pbench`: the local environment and one instance in one
                process.

                From the answer to a mark until it is counted, and until the restaurant has its place in the rankings: %d marks of as
                many restaurants, one after the other, while nothing else happens, and while another restaurant is marked %d times
                a second.

                | | counted, p50 | p95 | ranked, p50 | p95 |
                | --- | ---: | ---: | ---: | ---: |
                | nothing else | %s |
                | beside a busy restaurant | %s |
                | … of that restaurant itself | %s |

                Marks made one after the other, without waiting until they count. *Raw* puts the same items with the SDK's client
                alone, on the condition that there are none; they are counted as well. Both take turns, %d rounds.

                | caller | marks/s | to raw |
                | --- | ---: | ---: |
                | raw, SDK client | %.0f | 1.00 |
                | `Favorites.favorite` | %.0f | %.2f |

                """.formatted(
                        MARKS,
                        1_000_000_000 / BUSY_EVERY_NANOS,
                        idle.row(),
                        busy[0].row(),
                        busy[1].row(),
                        ROUNDS,
                        ROUNDS * PER_ROUND / seconds[0],
                        ROUNDS * PER_ROUND / seconds[1],
                        seconds[0] / seconds[1]);
    }

    private record Latencies(List<Double> counted, List<Double> ranked) {
        String row() {
            return "%.0f ms | %.0f ms | %.0f ms | %.0f ms"
                    .formatted(at(counted, 50), at(counted, 95), at(ranked, 50), at(ranked, 95));
        }

        private static double at(List<Double> nanos, int percent) {
            var sorted = nanos.stream().sorted().toList();
            return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / MILLI;
        }
    }

    /** Of restaurants that have no other mark. */
    private Latencies latencies(String name, int marks) {
        var counted = new ArrayList<Double>();
        var ranked = new ArrayList<Double>();
        for (var i = 0; i < marks; i++) {
            var restaurant = new RestaurantId(name + "-" + i);
            mark(restaurant);
            var begin = System.nanoTime();
            counted.add(until(begin, () -> count(restaurant) == 1));
            ranked.add(until(begin, () -> isLast(restaurant)));
        }
        return new Latencies(counted, ranked);
    }

    /** Of restaurants beside a busy one, and of that one itself: until its count is that of all marks made before. */
    private Latencies[] whileBusy() throws InterruptedException {
        var busy = new RestaurantId("busy");
        var made = new AtomicInteger();
        var stop = new CountDownLatch(1);
        var marking = Thread.ofPlatform().start(() -> {
            var next = System.nanoTime();
            while (stop.getCount() > 0) {
                mark(busy);
                made.incrementAndGet();
                next += BUSY_EVERY_NANOS;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        });
        var beside = latencies("beside", MARKS / 2);
        var counted = new ArrayList<Double>();
        var ranked = new ArrayList<Double>();
        for (var i = 0; i < MARKS / 2; i++) {
            var begin = System.nanoTime();
            var wanted = made.get();
            counted.add(until(begin, () -> count(busy) >= wanted));
            ranked.add(until(begin, () -> isFirst(busy, wanted)));
        }
        stop.countDown();
        marking.join();
        return new Latencies[] {beside, new Latencies(counted, ranked)};
    }

    private void mark(RestaurantId restaurant) {
        favorites.favorite(ACCESS, new UserId("user-" + users.incrementAndGet()), restaurant);
    }

    private long count(RestaurantId restaurant) {
        return rankings.counts(ACCESS, restaurant).of(FavoriteWindow.ALL_TIME);
    }

    /** Of those with the same count, who reached it last is last. */
    private boolean isLast(RestaurantId restaurant) {
        return contains(PageRequest.backward(1, null), restaurant, 1);
    }

    private boolean isFirst(RestaurantId restaurant, long count) {
        return contains(PageRequest.forward(1, null), restaurant, count);
    }

    private boolean contains(PageRequest page, RestaurantId restaurant, long count) {
        return rankings.top(ACCESS, FavoriteWindow.ALL_TIME, null, page).page().nodes().stream()
                .anyMatch(one -> one.restaurant().equals(restaurant) && one.count() >= count);
    }

    private static double until(long begin, BooleanSupplier condition) {
        var giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > giveUp) {
                throw new IllegalStateException("a mark was not counted within 30 s");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return System.nanoTime() - begin;
    }

    /** Seconds of both. */
    private double[] marking() {
        var seconds = new double[2];
        for (var round = 0; round <= ROUNDS; round++) {
            for (var turn = 0; turn < 2; turn++) {
                // Who is first takes turns too; the first round warms both up.
                var who = (turn + round) % 2;
                var name = "round-" + round;
                var begin = System.nanoTime();
                IntStream.range(0, PER_ROUND).forEach(i -> {
                    if (who == 0) {
                        rawMark("raw-" + i, name);
                    } else {
                        favorites.favorite(ACCESS, new UserId("our-" + i), new RestaurantId(name));
                    }
                });
                seconds[who] += round == 0 ? 0 : (System.nanoTime() - begin) / 1e9;
            }
        }
        return seconds;
    }

    /** Counted as ours are. */
    private void rawMark(String user, String restaurant) {
        var item = new TreeMap<String, AttributeValue>();
        Map.of(
                        "pk", "USER#" + user,
                        "sk", "FAV#" + restaurant,
                        "gsi1pk", "RESTAURANT#" + restaurant + "#" + Math.floorMod(user.hashCode(), 16),
                        "gsi1sk", "2026-11-22T03:36:04.123000Z#" + user,
                        "gsi2pk", "USER#" + user,
                        "gsi2sk", "2026-11-22T03:36:04.123000Z#" + restaurant,
                        "type", "favorite",
                        "mark", Long.toHexString(2L * users.incrementAndGet()),
                        "created", "2026-11-22T03:36:04.123Z",
                        "by", "TOKEN:bench:WORKER")
                .forEach((name, value) -> item.put(name, AttributeValue.fromS(value)));
        aws.dynamoDb().client().putItem(request -> request.tableName(
                        Objects.toString(aws.properties().get("menuboard.table-name")))
                .item(item)
                .conditionExpression("attribute_not_exists(pk)"));
    }

    @Override
    public void close() {
        instance.close();
        aws.close();
    }

    /** By itself. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var benchmark = new FavoritesBenchmark()) {
            System.out.println(benchmark.report());
        }
    }
}
