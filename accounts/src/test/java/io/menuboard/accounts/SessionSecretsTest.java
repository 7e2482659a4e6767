package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.SaveMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing but the browser's cookie has the secret of a session. */
class SessionSecretsTest {
    private static final ClientAddress HERE = ClientAddress.of("192.0.2.1");
    private static final String OTHER = "another good password";

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private AccountsFixture fixture;
    private AccountId ada;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
        ada = fixture.create("ada").id();
    }

    @Test
    void theTableHasNoSecret() {
        var first = signIn();
        var changed = (ChangePasswordResult.Changed)
                fixture.signIns.changePassword(first.session(), HERE, PASSWORD, OTHER, null);

        assertThat(table.contents().toString())
                .contains(changed.goesOn().session().id())
                .doesNotContain(first.secret(), changed.goesOn().secret());
        assertThat(changed.toString()).doesNotContain(changed.goesOn().secret());
    }

    @Test
    void aReadThatFailsNamesNoSecret() {
        var begun = signIn();
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchGetItem", 100);

        var failure = catchThrowable(() -> fixture.sessions.current(keyOf(begun.secret())));

        assertThat(failure).isInstanceOf(QueryDbException.class);
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).contains(ada.value()).doesNotContain(begun.secret());
    }

    @Test
    void whoeverReadsTheIdHasNotTheSession() {
        var begun = signIn();

        assertThat(fixture.sessions.current(keyOf(begun.secret()))).isPresent();
        assertThat(fixture.sessions.current(keyOf(begun.session().id()))).isEmpty();
    }

    @Test
    void sessionsOfTheVersionBeforeHaveEnded() {
        var secret = "0123456789abcdef".repeat(4);
        db.save(
                Item.at(new Key("ACCOUNT#" + ada, "SESSION#" + secret))
                        .type("session")
                        .number("credentialVersion", 1)
                        .number("createdAt", clock.millis())
                        .string("address", "192.0.2.1")
                        .string("userAgent", "")
                        .ttl(clock.instant().plus(Duration.ofHours(1)))
                        .build(),
                SaveMode.INIT);

        assertThat(fixture.sessions.current(keyOf(secret))).isEmpty();
        assertThat(fixture.sessions.list(ADMIN, ada).sessions()).isEmpty();
        assertThat(fixture.sessions.end(ADMIN, ada, secret)).isFalse();
    }

    private NewSession signIn() {
        return ((SignInResult.SignedIn) fixture.signIns.signIn("ada", PASSWORD, HERE, "", null, null)).begun();
    }

    private SessionKey keyOf(String secret) {
        return SessionKey.ofSecret(ada, 1, secret);
    }
}
