package io.menuboard.graphql;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A schema fragment with one field for everything that the endpoint has to cope with; in memory. */
@Factory
@Requires(env = SampleGraphQl.ENVIRONMENT)
final class SampleGraphQl {
    static final String ENVIRONMENT = "sample";
    static final String BUG_TEXT = "password=hunter2 at row 7";

    private static final int DEFAULT_PAGE = 64;

    private final AtomicInteger count = new AtomicInteger();
    private final Stall stall = new Stall();

    @Singleton
    PageLimits pageLimits(@Value("${menuboard.max-page-size:2048}") int maxSize) {
        return new PageLimits(DEFAULT_PAGE, maxSize);
    }

    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Singleton
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }

    @Singleton
    Stall stall() {
        return stall;
    }

    @Singleton
    DataAccess data() {
        return SampleDataAccess.UNLIMITED;
    }

    @Singleton
    GraphQlModule sample() {
        return this::contribute;
    }

    private void contribute(SchemaParts parts) {
        parts.definitions("sample");
        parts.query("sampleEcho", args -> args.text("text"));
        parts.query("sampleNumbers", SampleGraphQl::numbers);
        parts.query("sampleFailure", SampleGraphQl::fail);
        parts.query("sampleFatal", SampleGraphQl::fail);
        parts.query("sampleLater", SampleGraphQl::later);
        parts.query("sampleScalars", SampleGraphQl::scalars);
        parts.query("sampleStall", this::stalled);
        parts.query("sampleHold", _ -> stall.hold());
        parts.mutation("sampleWait", this::stalled, refused -> {
            throw refused;
        });
        parts.query("sampleInput", SampleGraphQl::input);
        parts.query("sampleMismatch", _ -> "not a number");
        parts.query("sampleOld", _ -> null);
        parts.mutation("sampleCount", _ -> count.incrementAndGet(), refused -> {
            throw refused;
        });
        SampleShops.contribute(parts);
        parts.object("SampleNumber", SampleNumber.class)
                .field("divisors", _ -> List.of(SampleNumber.of(1)))
                .field("following", (_, args) -> numbers(args));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // graphql-java waits for it
    private Object stalled(Arguments args) {
        return args.await(stall::hold);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // graphql-java waits for it
    private static Object later(Arguments args) {
        return CompletableFuture.supplyAsync(
                () -> args.find("kind") == null ? "at last" : fail(args), Thread::startVirtualThread);
    }

    private static SampleNumberConnection numbers(Arguments args) {
        int first = args.get("first", DEFAULT_PAGE);
        return new SampleNumberConnection(IntStream.range(0, first)
                .mapToObj(i -> new SampleNumberEdge(SampleNumber.of(i)))
                .toList());
    }

    private static String input(Arguments args) {
        return Stream.of("text", "texts", "id", "ids", "input", "inputs")
                .map(name -> name + "=" + args.find(name))
                .collect(Collectors.joining(" "));
    }

    private static SampleScalars scalars(Arguments args) {
        return new SampleScalars(
                args.find("at"),
                args.find("amount"),
                args.find("currency"),
                args.find("count"),
                args.find("month"),
                args.find("timeZone"),
                args.find("country"));
    }

    private static @Nullable String fail(Arguments args) {
        String kind = args.get("kind", "");
        throw switch (kind) {
            case "INVALID_INPUT" -> new InvalidInput("SAMPLE_TOO_ODD", "kind", "must be even");
            case "BUG" -> new IllegalStateException(BUG_TEXT);
            case "UNREADABLE" ->
                new SampleDataAccess.Fault(
                        "unreadable: STORE#DE-0001 / META", "OTHER_VERSION", "try again when the upgrade is over");
            case "UNAVAILABLE" ->
                new IllegalStateException(
                        "not loaded",
                        new SampleDataAccess.Fault("connect timed out to 10.1.2.3", "UNAVAILABLE", "try again"));
            default -> new IllegalArgumentException(kind);
        };
    }

    /** Holds up a field until it is released, or interrupted. */
    static final class Stall {
        private final SynchronousQueue<Thread> held = new SynchronousQueue<>();
        private final Semaphore released = new Semaphore(0);

        private String hold() {
            try {
                held.put(Thread.currentThread());
                released.acquire();
                return "released";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        }

        /** Thread of the next field that is held up. */
        Thread next() throws InterruptedException {
            return held.take();
        }

        void release() {
            released.release();
        }
    }

    /** As querydb's page: what costs something is worked out when it is asked for. */
    record SampleNumberConnection(List<SampleNumberEdge> edges) {
        public List<SampleNumber> nodes() {
            return edges.stream().map(SampleNumberEdge::node).toList();
        }

        public SamplePageInfo pageInfo() {
            return new SamplePageInfo(this);
        }
    }

    record SampleNumberEdge(SampleNumber node) {
        public String cursor() {
            return "cursor-" + node.id();
        }
    }

    record SamplePageInfo(SampleNumberConnection page) {
        public boolean hasNextPage() {
            return true;
        }

        public boolean hasPreviousPage() {
            return false;
        }

        public String startCursor() {
            return page.edges().getFirst().cursor();
        }

        public String endCursor() {
            return page.edges().getLast().cursor();
        }
    }

    record SampleNumber(String id, String name, BigDecimal amount, Currency currency, Instant startsAt, boolean even) {
        static SampleNumber of(int number) {
            return new SampleNumber(
                    "number-" + number,
                    "The number that comes after " + (number - 1),
                    BigDecimal.valueOf(number, 2),
                    Currency.getInstance("EUR"),
                    Instant.ofEpochSecond(1_770_000_000L + number),
                    number % 2 == 0);
        }
    }

    record SampleScalars(
            @Nullable Instant at,
            @Nullable BigDecimal amount,
            @Nullable Currency currency,
            @Nullable Long count,
            @Nullable YearMonth month,
            @Nullable ZoneId timeZone,
            @Nullable String country) {}
}
