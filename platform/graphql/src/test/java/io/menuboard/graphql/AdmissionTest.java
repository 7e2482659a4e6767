package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.graphql.GraphQlServer.Answer;
import io.menuboard.graphql.SampleGraphQl.Stall;
import io.menuboard.kernel.Actor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AdmissionTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Of which an instance with that limit takes 64 at once. */
    private static final int LONGEST_BODY = 20_000;

    private static final Principal EVERYBODY = Principal.withEveryRole("graphql");
    private static final Principal KIOSK = principal("kiosk");
    private static final Principal TILL = principal("till");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stall = new CountDownLatch(1);

    @AfterEach
    void stop() {
        stall.countDown();
        threads.close();
    }

    @Test
    void whoFindsNoPlaceWaitsForOne() {
        var admission = admission(2, 10, LONG);
        var most = new AtomicInteger();
        var now = new AtomicInteger();
        var done = new ArrayList<CompletableFuture<Integer>>();
        for (var i = 0; i < 12; i++) {
            done.add(admit(admission, EVERYBODY, () -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                await();
                now.decrementAndGet();
                return completedFuture(1);
            }));
        }

        stall.countDown();

        assertThat(done.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(12);
        assertThat(most).hasValueLessThanOrEqualTo(2);
    }

    @Test
    void oneMoreThanMayWaitIsRefusedAtOnce() {
        var admission = admission(1, 2, LONG);
        var first = admit(admission, EVERYBODY, this::stalled);
        var second = admit(admission, EVERYBODY, this::stalled);
        var third = admit(admission, EVERYBODY, this::stalled);

        var fourth = admit(admission, EVERYBODY, this::stalled);

        assertThat(fourth).isCompletedExceptionally();
        assertThat(refusal(fourth)).isEqualTo(503);
        stall.countDown();
        assertThat(first.thenCombine(second, Integer::sum)
                        .thenCombine(third, Integer::sum)
                        .join())
                .isEqualTo(3);
    }

    @Test
    void whoHasWaitedLongEnoughIsRefusedAndTakesNoPlaceLater() {
        var admission = admission(1, 5, Duration.ofMillis(1));
        var first = admit(admission, EVERYBODY, this::stalled);

        var late = admit(admission, EVERYBODY, () -> completedFuture(7));

        assertThat(refusal(late)).isEqualTo(503);
        stall.countDown();
        assertThat(first.join()).isEqualTo(1);
        assertThat(admit(admission, EVERYBODY, () -> completedFuture(2)).join()).isEqualTo(2);
    }

    @Test
    void whatIsToBeCompletedLaterHoldsNoPlace() {
        var admission = admission(1, 0, LONG);
        var later = new CompletableFuture<Integer>();
        var waits = admit(admission, EVERYBODY, () -> later);
        var next = admit(admission, EVERYBODY, () -> completedFuture(2));
        while (next.isCompletedExceptionally()) {
            // The first has not returned yet.
            next = admit(admission, EVERYBODY, () -> completedFuture(2));
        }

        assertThat(next.join()).isEqualTo(2);
        later.complete(1);
        assertThat(waits.join()).isEqualTo(1);
    }

    @Test
    void workThatFailsGivesItsPlaceBack() {
        var admission = admission(1, 1, LONG);
        var failed = AdmissionTest.<Integer>admit(admission, EVERYBODY, () -> {
            throw new IllegalStateException("a fault");
        });

        assertThat(failed.handle((_, fault) -> fault).join()).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(admit(admission, EVERYBODY, () -> completedFuture(2)).join()).isEqualTo(2);
    }

    @Test
    void onePrincipalHasHalfOfThePlacesAndOthersFindTheRest() {
        var admission = admission(2, 2, LONG);
        var first = admit(admission, KIOSK, this::stalled);
        var second = admit(admission, KIOSK, this::stalled);

        var third = admit(admission, KIOSK, this::stalled);
        var other = admit(admission, TILL, () -> completedFuture(7));

        assertThat(refusal(third)).isEqualTo(429);
        assertThat(other.orTimeout(30, SECONDS).join()).isEqualTo(7);
        assertThat(second).as("waits though there is a place").isNotDone();
        stall.countDown();
        assertThat(first.thenCombine(second, Integer::sum).join()).isEqualTo(2);
        assertThat(admit(admission, KIOSK, () -> completedFuture(3)).join())
                .as("has its share again")
                .isEqualTo(3);
    }

    @Test
    void aPlaceThatIsFreeAgainGoesPastThoseWhoHaveTheirShare() {
        var admission = admission(2, 3, LONG);
        var kiosk = admit(admission, KIOSK, this::stalled);
        var till = new CountDownLatch(1);
        var tills = admit(admission, TILL, () -> {
            await(till);
            return completedFuture(1);
        });
        var kiosksNext = admit(admission, KIOSK, this::stalled);
        var tillsNext = admit(admission, TILL, () -> completedFuture(7));

        till.countDown();

        assertThat(tills.thenCombine(tillsNext, Integer::sum)
                        .orTimeout(30, SECONDS)
                        .join())
                .isEqualTo(8);
        assertThat(kiosksNext).isNotDone();
        stall.countDown();
        assertThat(kiosk.thenCombine(kiosksNext, Integer::sum).join()).isEqualTo(2);
    }

    @Test
    void whoHasWaitedLongEnoughForAPlaceOfItsOwnIsToldSo() {
        var admission = admission(2, 2, Duration.ofMillis(1));
        var first = admit(admission, KIOSK, this::stalled);

        for (var i = 0; i < 3; i++) {
            assertThat(refusal(admit(admission, KIOSK, () -> completedFuture(7))))
                    .as("what waited too long does not count any more")
                    .isEqualTo(429);
        }
        stall.countDown();
        assertThat(first.join()).isEqualTo(1);
        assertThat(admit(admission, KIOSK, () -> completedFuture(2)).join()).isEqualTo(2);
    }

    @Test
    void aClientThatHasItsShareIsRefusedAndAnotherIsServed() throws InterruptedException {
        try (var server = SampleServer.start(Map.of(
                HeaderPrincipals.SETTING,
                true,
                "menuboard.graphql.threads",
                2,
                "menuboard.graphql.max-waiting",
                2,
                "menuboard.graphql.max-wait",
                LONG))) {
            var held = server.bean(Stall.class);
            var first = later(server, "kiosk");
            held.next();

            // One of them waits, and the other one is refused, whichever comes first.
            var second = later(server, "kiosk");
            var third = later(server, "kiosk");
            var refused = (Answer) CompletableFuture.anyOf(second, third)
                    .orTimeout(30, SECONDS)
                    .join();
            var streamed = ask(server, "/graphql/stream", "kiosk", "{ __typename }");
            var other = ask(server, "/graphql", "till", "{ __typename }");

            for (var answer : new Answer[] {refused, streamed}) {
                assertThat(answer.status()).isEqualTo(429);
                assertThat(answer.code()).isEqualTo("TOO_MANY_REQUESTS");
                assertThat(answer.header("Retry-After")).isNotEmpty();
            }
            assertThat(other.data()).hasToString("{\"__typename\":\"Query\"}");
            held.release();
            held.next();
            held.release();
            assertThat(first.join().status()).isEqualTo(200);
            assertThat(second.thenCombine(third, (one, two) -> one.status() + two.status())
                            .join())
                    .isEqualTo(200 + 429);
        }
    }

    @Test
    void bodiesThatDoNotEndTakeNoMoreMemoryThanAShare() throws IOException {
        var clients = new ArrayList<Socket>();
        try (var server = SampleServer.start(Map.of(
                HeaderPrincipals.SETTING,
                true,
                "menuboard.graphql.max-body-bytes",
                LONGEST_BODY,
                "menuboard.graphql.body-timeout",
                "1m"))) {
            for (var i = 0; i < 32; i++) {
                clients.add(begin(server, "kiosk"));
            }

            Awaitility.await().untilAsserted(() -> {
                var refused = askAtLength(server, "kiosk");
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.code()).isEqualTo("TOO_MANY_REQUESTS");
            });
            assertThat(ask(server, "/graphql", "kiosk", "{ __typename }").status())
                    .as("a short one")
                    .isEqualTo(200);
            assertThat(askAtLength(server, "till").status()).isEqualTo(200);
            for (var client : clients) {
                client.close();
            }
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(askAtLength(server, "kiosk").status()).isEqualTo(200));
        } finally {
            for (var client : clients) {
                client.close();
            }
        }
    }

    @Test
    void bodiesOfAllTakeNoMoreMemoryThanThereIs() {
        var bodies = new Admission.Bodies(LONGEST_BODY, 100);
        var taken = new ArrayList<Runnable>();
        for (var i = 0; i < 64; i++) {
            taken.add(bodies.take(principal("p" + i), LONGEST_BODY));
        }

        assertThatThrownBy(() -> bodies.take(TILL, LONGEST_BODY))
                .isInstanceOfSatisfying(RefusedRequest.class, refused -> assertThat(refused.status())
                        .isEqualTo(503));
        taken.getFirst().run();
        taken.getFirst().run();
        bodies.take(TILL, LONGEST_BODY);
        assertThatThrownBy(() -> bodies.take(TILL, LONGEST_BODY)).isInstanceOf(RefusedRequest.class);
    }

    /** Begins a request with the longest body, and leaves it at that. */
    private static Socket begin(SampleServer server, String principal) throws IOException {
        var client =
                new Socket(InetAddress.getLoopbackAddress(), server.graphQl().getPort());
        client.getOutputStream()
                .write(("POST /graphql HTTP/1.1\r\nHost: localhost\r\n%s: %s\r\nContent-Type: application/json\r\n"
                                        .formatted(HeaderPrincipals.ID, principal)
                                + "Content-Length: " + LONGEST_BODY + "\r\n\r\n{")
                        .getBytes(US_ASCII));
        return client;
    }

    private static Answer askAtLength(SampleServer server, String principal) {
        var body = GraphQlServer.json(Map.of("query", "{ __typename }"));
        return server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.ID, principal)
                .POST(BodyPublishers.ofString(body + " ".repeat(LONGEST_BODY - body.length()))));
    }

    private static CompletableFuture<Answer> later(SampleServer server, String principal) {
        return CompletableFuture.supplyAsync(
                () -> ask(server, "/graphql", principal, "{ sampleHold }"), Thread::startVirtualThread);
    }

    private static Answer ask(SampleServer server, String path, String principal, String document) {
        return server.send(HttpRequest.newBuilder(server.graphQl().resolve(path))
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.ID, principal)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))));
    }

    private Admission admission(int places, int maxWaiting, Duration maxWait) {
        var limits = new Admission.Limits(places, maxWaiting, maxWait, 50);
        return new Admission(limits, LONG, SampleDataAccess.UNLIMITED, threads);
    }

    private static Principal principal(String id) {
        return new Principal(id, Actor.Kind.USER, id, Set.of());
    }

    private static <T> CompletableFuture<T> admit(
            Admission admission, Principal principal, Supplier<CompletableFuture<T>> work) {
        return admission.admit(principal, admission.begin(), work);
    }

    /** Status of what it is refused with. */
    private static int refusal(CompletableFuture<?> request) {
        var fault = request.copy()
                .orTimeout(30, SECONDS)
                .handle((_, thrown) -> Objects.requireNonNull(thrown))
                .join();
        assertThat(fault).hasCauseInstanceOf(RefusedRequest.class);
        return ((RefusedRequest) Objects.requireNonNull(fault.getCause())).status();
    }

    private CompletableFuture<Integer> stalled() {
        await();
        return completedFuture(1);
    }

    private void await() {
        await(stall);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
