package io.menuboard.accounts.http;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.http.Caller;
import io.menuboard.accounts.AccountsFixture;
import io.menuboard.accounts.NewToken;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.simple.SimpleHttpRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** Requests of a token whose read takes long. */
@Timeout(120)
class SignedInPrincipalsTest {
    private static final int REQUESTS = 200;
    /** Longer than any test. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final AtomicInteger reads = new AtomicInteger();
    private final CountDownLatch isRead = new CountDownLatch(1);

    /** For which the answers to reads of the slow token wait that begin now. */
    private volatile CountDownLatch answers = new CountDownLatch(1);

    private AccountsFixture fixture;
    private SignedInPrincipals principals;
    private NewToken slow;
    private NewToken other;

    @BeforeEach
    void open() {
        var writing = new AccountsFixture(table.queryDb(clock), clock);
        slow = create(writing, "slow");
        other = create(writing, "other");
        fixture = new AccountsFixture(table.queryDb(slow(table.client()), clock), clock);
        principals = new SignedInPrincipals(fixture.sessions, fixture.tokens, PATIENCE);
    }

    @AfterEach
    void answer() {
        answers.countDown();
    }

    @Test
    void shareOneReadAndLeavePlacesToOthers() {
        var asked = Stream.generate(() -> caller(slow)).limit(REQUESTS).toList();

        var served = caller(other).join();

        assertThat(served).isInstanceOf(Caller.Known.class);
        answers.countDown();
        assertThat(asked)
                .extracting(CompletableFuture::join)
                .containsOnly(new Caller.Known(new Principal(
                        slow.token().id(),
                        Actor.Kind.TOKEN,
                        "slow",
                        slow.token().grants())));
        assertThat(reads).hasValue(1);
    }

    @Test
    void readAgainOnceItIsRevokedHere() throws InterruptedException {
        var before = caller(slow);
        isRead.await();
        var answer = answers;
        answers = new CountDownLatch(0);

        fixture.tokens.revoke(ADMIN, slow.token().id());

        assertThat(caller(slow).join()).isInstanceOf(Caller.Nobody.class);
        answer.countDown();
        assertThat(before.join()).isInstanceOf(Caller.Known.class);
        assertThat(caller(slow).join()).isInstanceOf(Caller.Nobody.class);
    }

    @Test
    void areRefusedByOneReadForEachTextThatIsNotTheToken() {
        answers.countDown();
        var text = slow.text();
        var forged = text.substring(0, text.length() - 1) + (text.endsWith("0") ? "1" : "0");

        assertThat(Stream.of(text, forged).map(this::caller).map(CompletableFuture::join))
                .hasExactlyElementsOfTypes(Caller.Known.class, Caller.Nobody.class);
    }

    private NewToken create(AccountsFixture accounts, String name) {
        var expiry = clock.instant().plus(Duration.ofDays(1));
        return accounts.tokens.create(ADMIN, name, Set.of(Grant.of(Role.WORKER)), expiry);
    }

    private CompletableFuture<Caller> caller(NewToken token) {
        return caller(token.text());
    }

    private CompletableFuture<Caller> caller(String token) {
        return principals.of(
                new SimpleHttpRequest<>(HttpMethod.GET, "/stores", null).header("Authorization", "Bearer " + token));
    }

    private DynamoDbClient slow(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                SignedInPrincipalsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    try {
                        var answer = method.invoke(client, arguments);
                        if (arguments != null
                                && arguments[0] instanceof GetItemRequest get
                                && get.key().toString().contains(slow.token().id())) {
                            var wait = answers;
                            reads.incrementAndGet();
                            isRead.countDown();
                            wait.await();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
