package io.menuboard.graphql.streams;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.http.Caller;
import io.menuboard.graphql.streams.Stream.Ending;
import io.menuboard.kernel.Actor;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.simple.SimpleHttpRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpenStreamsTest {
    private static final Principal GRACE = principal("grace", "VIEWER ALL");
    static final StreamsConfig CONFIG = new StreamsConfig(
            10,
            10,
            10,
            1_000,
            1,
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(3),
            Duration.ofSeconds(60),
            Duration.ZERO,
            Duration.ofSeconds(1));

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<CompletableFuture<Caller>> caller =
            new AtomicReference<>(completedFuture(new Caller.Known(GRACE)));
    private final OpenStreams streams = new OpenStreams(
            _ -> {
                asked.incrementAndGet();
                return Objects.requireNonNull(caller.get());
            },
            CONFIG,
            nanos::get);

    private static Principal principal(String name, String grant) {
        return new Principal("u1", Actor.Kind.USER, name, Set.of(Grant.parse(grant)));
    }

    private static HttpRequest<?> request(String token) {
        return new SimpleHttpRequest<>(HttpMethod.GET, "/graphql", null).header("Authorization", token);
    }

    private static final class Recorded implements Stream {
        final List<Ending> endings = new ArrayList<>();

        @Override
        public void tick(long nanos) {}

        @Override
        public void end(Ending ending) {
            endings.add(ending);
        }
    }

    private Recorded enter(String token) {
        var stream = new Recorded();
        streams.enter(request(token), GRACE, stream);
        return stream;
    }

    private void after(Duration time) {
        nanos.addAndGet(time.toNanos());
        streams.tick();
    }

    @Test
    void asksOnceForAllStreamsOfTheSameToken() {
        enter("a");
        enter("a");
        enter("b");

        after(Duration.ofSeconds(2));
        assertThat(asked).hasValue(0);
        after(Duration.ofSeconds(1));
        assertThat(asked).hasValue(2);
        after(Duration.ofSeconds(3));
        assertThat(asked).hasValue(4);
    }

    @Test
    void goesOnWhileTheSameMayDoTheSameUnderWhateverName() {
        var stream = enter("a");
        caller.set(completedFuture(new Caller.Known(principal("grace hopper", "VIEWER ALL"))));

        after(Duration.ofSeconds(3));

        assertThat(stream.endings).isEmpty();
    }

    @Test
    void endsWhereNobodyIsKnownAnyMore() {
        var stream = enter("a");
        caller.set(completedFuture(new Caller.Nobody()));

        after(Duration.ofSeconds(3));

        assertThat(stream.endings).containsExactly(Ending.UNAUTHENTICATED);
    }

    @Test
    void endsWhereAPasswordHasToBeChanged() {
        var stream = enter("a");
        caller.set(completedFuture(new Caller.MustChangePassword(GRACE)));

        after(Duration.ofSeconds(3));

        assertThat(stream.endings).containsExactly(Ending.UNAUTHENTICATED);
    }

    @Test
    void endsWhereSomethingElseMayBeSeen() {
        var stream = enter("a");
        caller.set(completedFuture(new Caller.Known(principal("grace", "PRICING_EDITOR ALL"))));

        after(Duration.ofSeconds(3));

        assertThat(stream.endings).containsExactly(Ending.ACCESS_CHANGED);
    }

    @Test
    void goesOnForAWhileWhereNothingCanBeFoundOut() {
        var stream = enter("a");
        caller.set(CompletableFuture.failedFuture(new IllegalStateException("no table")));

        after(Duration.ofSeconds(3));
        after(Duration.ofSeconds(56));
        assertThat(stream.endings).isEmpty();

        after(Duration.ofSeconds(3));
        assertThat(stream.endings).containsExactly(Ending.ACCESS_UNKNOWN);
    }

    @Test
    void asksNothingMoreWhileAnAnswerIsOutstanding() {
        enter("a");
        caller.set(new CompletableFuture<>());

        after(Duration.ofSeconds(3));
        after(Duration.ofSeconds(3));

        assertThat(asked).hasValue(1);
    }

    /** As {@code Principals} refuses where too many are looked up, with the default places for that. */
    @Test
    void asksAboutThousandsWithoutTakingAllPlacesToLookThemUp() {
        var outstanding = new ArrayDeque<CompletableFuture<Caller>>();
        var most = new AtomicInteger();
        var many = new OpenStreams(
                _ -> {
                    if (outstanding.size() >= 128) {
                        return CompletableFuture.failedFuture(new IllegalStateException("too many"));
                    }
                    var answer = new CompletableFuture<Caller>();
                    outstanding.add(answer);
                    most.accumulateAndGet(outstanding.size(), Math::max);
                    return answer;
                },
                CONFIG,
                nanos::get);
        var entered = IntStream.range(0, 2_000)
                .mapToObj(i -> {
                    var stream = new Recorded();
                    many.enter(request("till " + i), GRACE, stream);
                    return stream;
                })
                .toList();

        // For two minutes, of a table that answers within 25 ms, and of which it is asked every 250 ms.
        for (var step = 0; step < 120 * 40; step++) {
            nanos.addAndGet(Duration.ofMillis(25).toNanos());
            for (var i = outstanding.size(); i > 0; i--) {
                outstanding.remove().complete(new Caller.Known(GRACE));
            }
            if (step % 10 == 0) {
                many.tick();
            }
        }

        assertThat(entered.stream().flatMap(stream -> stream.endings.stream()).distinct())
                .isEmpty();
        assertThat(most).hasValue(OpenStreams.ASKED_AT_ONCE);
    }

    @Test
    void asksInOneGoAboutThousandsWhoAreKnown() {
        for (var i = 0; i < 20_000; i++) {
            enter("till " + i);
        }

        after(Duration.ofSeconds(3));

        assertThat(asked).hasValue(20_000);
    }

    @Test
    void forgetsWhoHasLeft() {
        var stream = new Recorded();
        var leave = streams.enter(request("a"), GRACE, stream);
        leave.run();
        leave.run();

        after(Duration.ofSeconds(3));
        streams.stop();

        assertThat(asked).hasValue(0);
        assertThat(stream.endings).isEmpty();
    }

    @Test
    void endsAllWhereItStopsAndWhoeverComesThen() {
        var before = enter("a");

        streams.stop();
        var after = enter("b");

        assertThat(before.endings).containsExactly(Ending.STOPPING);
        assertThat(after.endings).containsExactly(Ending.STOPPING);
    }
}
