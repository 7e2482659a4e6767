package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The application while its table does not answer who it is that asks. */
@Timeout(120)
final class StalledSignInTest {
    private static final String TABLE = "stalled-sign-in";
    private static final Duration STALL = Duration.ofSeconds(6);

    /** As long as an instance knows who somebody is without asking the table, and a request that was sent just before. */
    private static final Duration KNOWN = Duration.ofSeconds(3);

    private static final int WARM_UP = 50;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static StallingProxy proxy;
    private static EmbeddedServer server;
    private static String token;

    @BeforeAll
    static void start() throws IOException {
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(TABLE));
        proxy = new StallingProxy(LocalDynamoDb.shared().endpoint());
        proxy.aws().forEach(System::setProperty);
        server = ApplicationContext.run(
                EmbeddedServer.class,
                Map.of(
                        "micronaut.server.port",
                        -1,
                        "menuboard.table-name",
                        TABLE,
                        "menuboard.cursor-secret",
                        "a secret that only tests know, 32+"));
        token = server.getApplicationContext()
                .getBean(Tokens.class)
                .create(
                        Access.ofCommandLine("test"),
                        "till",
                        Set.of(Grant.of(Role.VIEWER)),
                        Instant.now().plus(Duration.ofHours(1)))
                .text();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        proxy.aws().keySet().forEach(System::clearProperty);
        proxy.close();
    }

    private record Answer(Duration took, HttpResponse<String> http) {}

    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/stores"})
    void isRefusedWithinASecondAndServedAgainWithinTwoOfTheReturn(String path) throws Exception {
        for (var i = 0; i < WARM_UP; i++) {
            ask(path).join();
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ask(path).join().http().statusCode() == 200);
        var asked = new ArrayList<CompletableFuture<Answer>>();
        proxy.stall();
        try {
            var begin = System.nanoTime();
            while (System.nanoTime() - begin < STALL.toNanos()) {
                var answer = ask(path);
                var since = System.nanoTime() - begin;
                if (since > KNOWN.toNanos() && since < STALL.minusSeconds(1).toNanos()) {
                    asked.add(answer);
                }
                Thread.sleep(20);
            }
        } finally {
            proxy.resume();
        }
        var returned = System.nanoTime();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> ask(path).join().http().statusCode() == 200);
        var back = Duration.ofNanos(System.nanoTime() - returned);

        var answers = asked.stream().map(CompletableFuture::join).toList();
        var took = answers.stream().map(Answer::took).sorted().toList();
        System.out.printf(
                "%s stalled: %d refused, half after %d ms, the last after %d ms; served again after %d ms%n",
                path,
                took.size(),
                took.get(took.size() / 2).toMillis(),
                took.getLast().toMillis(),
                back.toMillis());
        assertThat(answers).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.http().statusCode()).isEqualTo(503);
            assertThat(answer.http().headers().firstValue("Retry-After")).contains("1");
            assertThat(answer.http().body())
                    .contains(path.equals("/graphql") ? "\"UNAVAILABLE\"" : "Not available for a moment");
        });
        // Most of the others are late because the machine is busy; those that wait for the table take half a second
        // more.
        assertThat(took.get(took.size() / 2)).as("%s", took).isLessThan(Duration.ofSeconds(1));
        assertThat(back).isLessThan(Duration.ofSeconds(2));
    }

    private static CompletableFuture<Answer> ask(String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path))
                .header("Authorization", "Bearer " + token);
        if (path.equals("/graphql")) {
            request.header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"query\":\"{ stores(first: 1) { nodes { id } } }\"}"));
        } else {
            request.header("Accept", "text/html");
        }
        var sent = System.nanoTime();
        return HTTP.sendAsync(request.build(), BodyHandlers.ofString())
                .thenApply(answer -> new Answer(Duration.ofNanos(System.nanoTime() - sent), answer));
    }
}
