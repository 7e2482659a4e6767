package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** What happens between a read and its answer, which may be long. */
class SlowReadsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    /** Done once, when the table has been read and the answer is not there yet. */
    private Runnable meanwhile = () -> {};

    private AccountsFixture fixture;
    private AccountsFixture other;
    private SessionKey session;
    private NewToken token;

    @BeforeEach
    void open() {
        fixture = new AccountsFixture(table.queryDb(slow(table.client()), clock), clock);
        other = new AccountsFixture(table.queryDb(clock), clock);
        other.create("ada");
        var here = ClientAddress.of("192.0.2.1");
        session = ((SignInResult.SignedIn) other.signIns.signIn("ada", PASSWORD, here, "", null, null))
                .begun()
                .session()
                .key();
        var worker = Set.of(Grant.of(Role.WORKER));
        token = other.tokens.create(ADMIN, "till 7", worker, clock.instant().plus(Duration.ofDays(1)));
    }

    @Test
    void whatIsKnownOfASessionIsAsOldAsItsRead() {
        after(() -> clock.advance(Duration.ofMillis(1400)));
        assertThat(fixture.sessions.current(session)).isPresent();
        assertThat(fixture.sessions.cached(session)).isPresent();

        other.sessions.end(ADMIN, session.account(), session.id());
        clock.advance(Duration.ofMillis(600));

        assertThat(fixture.sessions.cached(session)).isEmpty();
        assertThat(fixture.sessions.current(session)).isEmpty();
    }

    @Test
    void whatIsKnownOfATokenIsAsOldAsItsRead() {
        after(() -> clock.advance(Duration.ofMillis(1400)));
        assertThat(fixture.tokens.principal(token.text())).isPresent();
        assertThat(fixture.tokens.cached(token.text())).isPresent();

        other.tokens.revoke(ADMIN, token.token().id());
        clock.advance(Duration.ofMillis(600));

        assertThat(fixture.tokens.cached(token.text())).isEmpty();
        assertThat(fixture.tokens.principal(token.text())).isEmpty();
    }

    @Test
    void whatIsTooOldWhenItComesIsForThatRequestAlone() {
        after(() -> clock.advance(Duration.ofSeconds(2)));
        assertThat(fixture.sessions.current(session)).isPresent();

        assertThat(fixture.sessions.cached(session)).isEmpty();
        assertThat(table.meter().during(() -> fixture.sessions.current(session)))
                .isEqualTo(new Units(1, 2, 0));
    }

    @Test
    void aReadThatBeganBeforeASessionEndedBringsItNotBack() {
        after(() -> fixture.sessions.end(ADMIN, session.account(), session.id()));
        assertThat(fixture.sessions.current(session)).isPresent();

        assertThat(fixture.sessions.current(session)).isEmpty();
    }

    @Test
    void aReadThatBeganBeforeAllSessionsEndedBringsNoneBack() {
        after(() -> fixture.sessions.endAll(ADMIN, session.account()));
        assertThat(fixture.sessions.current(session)).isPresent();

        assertThat(fixture.sessions.current(session)).isEmpty();
    }

    @Test
    void aReadThatBeganBeforeATokenWasRevokedBringsItNotBack() {
        after(() -> fixture.tokens.revoke(ADMIN, token.token().id()));
        assertThat(fixture.tokens.principal(token.text())).isPresent();

        assertThat(fixture.tokens.principal(token.text())).isEmpty();
    }

    private void after(Runnable then) {
        meanwhile = then;
    }

    private DynamoDbClient slow(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                SlowReadsTest.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (_, method, arguments) -> {
                    try {
                        var answer = method.invoke(client, arguments);
                        if (arguments != null
                                && (arguments[0] instanceof GetItemRequest
                                        || arguments[0] instanceof BatchGetItemRequest)) {
                            var now = meanwhile;
                            meanwhile = () -> {};
                            now.run();
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
