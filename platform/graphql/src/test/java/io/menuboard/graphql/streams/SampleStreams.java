package io.menuboard.graphql.streams;

import io.menuboard.access.Access;
import io.menuboard.access.http.Caller;
import io.menuboard.access.http.Principals;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Subscriptions of every kind, in memory. */
@Factory
@Requires(env = SampleStreams.ENVIRONMENT)
final class SampleStreams {
    static final String ENVIRONMENT = "sample";
    private static final String LONG = "x".repeat(10_000);

    @Singleton
    Feed feed() {
        return new Feed();
    }

    /** What the tests look at, and change. */
    static final class Feed {
        final Sinks.Many<String> sink = Sinks.many().multicast().directBestEffort();
        final AtomicInteger open = new AtomicInteger();
        final AtomicLong flooded = new AtomicLong();
        final AtomicInteger answered = new AtomicInteger();
        final Semaphore slow = new Semaphore(0);
        final AtomicBoolean isRevoked = new AtomicBoolean();

        <T> Flux<T> counted(Flux<T> events) {
            return events.doOnSubscribe(_ -> open.incrementAndGet()).doFinally(_ -> open.decrementAndGet());
        }
    }

    @Singleton
    GraphQlModule streams(Feed feed) {
        return parts -> contribute(parts, feed);
    }

    /** Lets whoever was known be nobody any more, and finds that out on another thread, as where it takes a read. */
    @Singleton
    BeanCreatedEventListener<Principals> revocable(Feed feed) {
        return event -> request -> feed.isRevoked.get()
                ? CompletableFuture.completedFuture(new Caller.Nobody())
                : event.getBean().of(request).thenApplyAsync(Function.identity(), Thread::startVirtualThread);
    }

    private static void contribute(SchemaParts parts, Feed feed) {
        parts.definitions("sample-streams");
        parts.subscription(
                "sampleCounter",
                args -> feed.counted(Flux.range(1, args.number("to")).map(SampleCount::new)));
        parts.subscription("sampleFeed", _ -> feed.counted(feed.sink.asFlux()));
        parts.subscription("sampleSlow", _ -> {
            feed.slow.acquireUninterruptibly();
            return feed.counted(Flux.empty());
        });
        parts.subscription(
                "sampleBroken",
                args -> feed.counted(Flux.range(1, args.number("after"))
                        .concatWith(Flux.error(new InvalidInput("RESUME", "after", "is too old: begin again")))));
        parts.subscription("sampleChoosy", args -> {
            throw new InvalidInput("TOO_ODD", "number", "must not be " + args.number("number"));
        });
        parts.subscription(
                "sampleFlood",
                _ -> feed.counted(Flux.generate(sink -> {
                    feed.flooded.incrementAndGet();
                    sink.next(LONG);
                })));
        parts.query("sampleBig", _ -> {
            feed.answered.incrementAndGet();
            return LONG.repeat(10);
        });
        parts.subscription("sampleSecret", args -> Flux.just(name(args.access())));
    }

    private static String name(Access access) {
        return access.principal().name();
    }

    /** As far as the tests ask for it. */
    record SampleCount(int value) {
        public String id() {
            return "number-" + value;
        }

        public boolean even() {
            return value % 2 == 0;
        }
    }
}
