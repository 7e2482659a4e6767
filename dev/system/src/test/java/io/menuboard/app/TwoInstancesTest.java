package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.ChangePasswordResult;
import io.menuboard.accounts.NewSession;
import io.menuboard.accounts.NewToken;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.accounts.http.SessionCookie;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Sessions and tokens on two instances at one table, over HTTP, of which one has a clock that is five minutes fast, and the
 * other one that is five minutes slow.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TwoInstancesTest {
    private static final String SKEW = "test.clock-skew";
    private static final Duration REVOKED_WITHIN = Duration.ofSeconds(5);

    /** Longer than an instance knows somebody without asking the table. */
    private static final Duration LIFETIME = Duration.ofSeconds(8);

    private static final ClientAddress ADDRESS = ClientAddress.of("192.0.2.7");
    private static final String PASSWORD = "correct horse battery";
    private static final Access ADMINISTRATOR = Access.ofCommandLine("test");

    private static final String TABLE = "two-instances";

    private final GraphQlServer fast;
    private final GraphQlServer slow;

    TwoInstancesTest() {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(TABLE));
        fast = start(Duration.ofMinutes(5));
        slow = start(Duration.ofMinutes(-5));
    }

    private static GraphQlServer start(Duration skew) {
        // Clients as in production, which tell the time of the table's server.
        var properties =
                new HashMap<>(LocalDynamoDb.properties(LocalDynamoDb.shared().endpoint()));
        properties.put("menuboard.table-name", TABLE);
        properties.put("menuboard.sign-in", true);
        properties.put(SKEW, skew.toString());
        properties.put("menuboard.accounts.failures", 2);
        properties.put("menuboard.accounts.first-delay", "20s");
        properties.put("menuboard.dynamodb.response-timeout", "20s");
        var server = GraphQlServer.start(properties, List.of());
        assertThat(Duration.between(Instant.now(), server.bean(Clock.class).instant()))
                .as("skew")
                .isCloseTo(skew, Duration.ofSeconds(30));
        return server;
    }

    @AfterAll
    void stop() {
        slow.close();
        fast.close();
    }

    @Test
    void aSessionThatIsEndedOnOneIsRefusedByTheOther() {
        var session = signIn(fast, account("ada"));
        assertThat(isServed(fast, session)).isTrue();
        assertThat(isServed(slow, session)).isTrue();

        assertThat(slow.bean(Sessions.class)
                        .end(
                                ADMINISTRATOR,
                                session.session().account(),
                                session.session().id()))
                .isTrue();

        var ended = System.nanoTime();
        awaitRefusal(ended, () -> isServed(slow, session));
        awaitRefusal(ended, () -> isServed(fast, session));
    }

    @Test
    void aTokenThatIsRevokedOnOneIsRefusedByTheOther() {
        var token = token(slow, Duration.ofHours(1));
        assertThat(isServed(fast, token)).isTrue();
        assertThat(isServed(slow, token)).isTrue();

        assertThat(slow.bean(Tokens.class).revoke(ADMINISTRATOR, token.token().id()))
                .isTrue();

        var revoked = System.nanoTime();
        awaitRefusal(revoked, () -> isServed(fast, token));
        awaitRefusal(revoked, () -> isServed(slow, token));
    }

    @Test
    void anotherPasswordEndsTheOtherSessionsOnBoth() {
        var account = account("grace");
        var here = signIn(fast, account);
        var elsewhere = signIn(slow, account);
        assertThat(isServed(fast, elsewhere)).isTrue();

        var changed = fast.bean(SignIns.class)
                .changePassword(here.session(), ADDRESS, PASSWORD, "another horse battery", null);

        assertThat(changed).isInstanceOf(ChangePasswordResult.Changed.class);
        var ended = System.nanoTime();
        awaitRefusal(ended, () -> isServed(fast, elsewhere));
        awaitRefusal(ended, () -> isServed(slow, elsewhere));
        assertThat(isServed(slow, ((ChangePasswordResult.Changed) changed).goesOn()))
                .as("the one that changed it")
                .isTrue();
    }

    @Test
    void anAccountThatIsDisabledOnOneIsRefusedByTheOther() {
        var account = account("linus");
        var session = signIn(slow, account);
        assertThat(isServed(fast, session)).isTrue();

        fast.bean(Accounts.class).disable(ADMINISTRATOR, session.session().account());

        var ended = System.nanoTime();
        awaitRefusal(ended, () -> isServed(slow, session));
        awaitRefusal(ended, () -> isServed(fast, session));
    }

    @Test
    void aTokenEndsAtTheSameTimeForBothWhateverTheirClocksSay() throws Exception {
        var made = Instant.now();
        var tokens = List.of(token(fast, LIFETIME), token(slow, LIFETIME));
        var ends = System.nanoTime() + LIFETIME.toNanos();

        assertThat(tokens)
                .allSatisfy(token -> assertThat(isServed(fast, token)).isTrue())
                .allSatisfy(token -> assertThat(isServed(slow, token)).isTrue());

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var ended = tokens.stream()
                    .flatMap(token -> Stream.of(fast, slow)
                            .map(instance -> threads.submit(() -> {
                                awaitRefusal(ends, () -> isServed(instance, token));
                                assertThat(Duration.between(made, Instant.now()))
                                        .isGreaterThan(LIFETIME.minusSeconds(2));
                            })))
                    .toList();
            for (var one : ended) {
                one.get();
            }
        }
    }

    @Test
    void passwordsAreGuessedNoFasterOnTwoInstances() {
        account("eve");
        for (var i = 0; i < 2; i++) {
            assertThat(fast.bean(SignIns.class).signIn("eve", "wrong", ClientAddress.of("192.0.2.1"), "", null, null))
                    .isInstanceOf(SignInResult.Refused.class);
        }

        for (var instance : new GraphQlServer[] {slow, fast}) {
            assertThat(instance.bean(SignIns.class)
                            .signIn("eve", PASSWORD, ClientAddress.of("192.0.2.1"), "", null, null))
                    .isInstanceOfSatisfying(
                            SignInResult.Throttled.class, throttled -> assertThat(throttled.retryAfter())
                                    .as("no longer either")
                                    .isLessThanOrEqualTo(Duration.ofSeconds(22)));
        }
    }

    private String account(String username) {
        var created = fast.bean(Accounts.class)
                .create(
                        ADMINISTRATOR,
                        new Username(username),
                        username,
                        "first " + PASSWORD,
                        Set.of(Grant.of(Role.VIEWER)));
        assertThat(created).isInstanceOf(AccountResult.Done.class);
        var session = signedIn(fast, username, "first " + PASSWORD);
        assertThat(fast.bean(SignIns.class)
                        .changePassword(session.session(), ADDRESS, "first " + PASSWORD, PASSWORD, null))
                .isInstanceOf(ChangePasswordResult.Changed.class);
        return username;
    }

    private static NewSession signIn(GraphQlServer instance, String username) {
        return signedIn(instance, username, PASSWORD);
    }

    private static NewSession signedIn(GraphQlServer instance, String username, String password) {
        var result = instance.bean(SignIns.class).signIn(username, password, ADDRESS, "test", null, null);
        assertThat(result).isInstanceOf(SignInResult.SignedIn.class);
        return ((SignInResult.SignedIn) result).begun();
    }

    private static NewToken token(GraphQlServer instance, Duration lifetime) {
        return instance.bean(Tokens.class)
                .create(
                        ADMINISTRATOR,
                        "till",
                        Set.of(Grant.of(Role.VIEWER)),
                        Instant.now().plus(lifetime));
    }

    private static boolean isServed(GraphQlServer instance, NewToken token) {
        return status(
                        instance,
                        HttpRequest.newBuilder(instance.graphQl())
                                .header("Content-Type", "application/json")
                                .header("Authorization", "Bearer " + token.text())
                                .POST(BodyPublishers.ofString("{\"query\": \"{ __typename }\"}")),
                        401)
                == 200;
    }

    private static boolean isServed(GraphQlServer instance, NewSession session) {
        var cookie = SessionCookie.begin(io.micronaut.http.HttpRequest.GET("/").header("Host", "127.0.0.1"), session);
        return status(
                        instance,
                        HttpRequest.newBuilder(instance.graphQl().resolve("/stores"))
                                .header("Accept", "text/html")
                                .header("Cookie", cookie.getName() + "=" + cookie.getValue()),
                        303)
                == 200;
    }

    /** Asks again where a busy machine had no answer in time. */
    private static int status(GraphQlServer instance, HttpRequest.Builder request, int refused) {
        var status = await().atMost(Duration.ofSeconds(30))
                .until(() -> instance.send(request).status(), answered -> answered != 503);
        assertThat(status).isIn(200, refused);
        return status;
    }

    /** Goes by when requests were sent: a busy machine takes its time to answer them. */
    private static void awaitRefusal(long ended, BooleanSupplier isServed) {
        await().pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(1))
                .until(() -> {
                    var sent = System.nanoTime();
                    if (!isServed.getAsBoolean()) {
                        return true;
                    }
                    assertThat(Duration.ofNanos(sent - ended))
                            .as("when a request was sent that is still served")
                            .isLessThan(REVOKED_WITHIN);
                    return false;
                });
    }

    /** Clocks that are wrong. */
    @Factory
    @Requires(property = SKEW)
    static final class SkewedClock {
        @Singleton
        @Replaces(Clock.class)
        Clock clock(@Property(name = SKEW) Duration skew) {
            return Clock.offset(Clock.systemUTC(), skew);
        }
    }
}
