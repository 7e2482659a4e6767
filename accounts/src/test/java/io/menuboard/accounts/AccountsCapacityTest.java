package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.TransactionCharges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What every access to accounts costs; {@code docs/capacity.md} lists it. What transactions cost is worked out, because
 * DynamoDB Local charges too little for them.
 */
class AccountsCapacityTest {
    private static final PageRequest PAGE = PageRequest.forward(64, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private AccountsFixture fixture;

    @BeforeEach
    void open() {
        var charges = new TransactionCharges(LocalDynamoDb.shared().directClient());
        fixture = new AccountsFixture(table.queryDb(charges.proxy(), clock), clock);
    }

    @Test
    void aRequestOfSomebodyKnownCostsNothing() {
        fixture.create("ada");
        var expiry = clock.instant().plus(Duration.ofDays(1));
        var made = fixture.tokens.create(ADMIN, "till 7", Set.of(Grant.of(Role.WORKER)), expiry);
        var signedIn = (SignInResult.SignedIn)
                fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("192.0.2.1"), "", null, null);
        var session = signedIn.begun().session();

        assertThat(cost(() -> fixture.sessions.current(session.key()))).isEqualTo(new Units(1, 2, 0));
        assertThat(cost(() -> fixture.sessions.current(session.key()))).isEqualTo(new Units(0, 0, 0));
        assertThat(cost(() -> fixture.tokens.principal(made.text()))).isEqualTo(new Units(2, 1, 2));
        assertThat(cost(() -> fixture.tokens.principal(made.text()))).isEqualTo(new Units(0, 0, 0));
        clock.advance(Duration.ofSeconds(2));
        assertThat(cost(() -> fixture.tokens.principal(made.text()))).isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void signingInCountsTheAttemptAndStoresTheSession() {
        var ada = fixture.create("ada").id();

        assertThat(List.of(
                        cost(() -> signIn("ada", PASSWORD)),
                        cost(() -> signIn("ada", "wrong horse battery")),
                        cost(() -> signIn("nobody", PASSWORD)),
                        cost(() -> fixture.accounts.disable(ADMIN, ada)),
                        cost(() -> fixture.accounts.list(ADMIN, PAGE))))
                .containsExactly(
                        new Units(9, 3, 13),
                        new Units(6, 3, 4),
                        new Units(6, 3, 4),
                        new Units(2, 1, 7),
                        new Units(1, 0.5, 0));
        assertThat(cost(() -> fixture.signIns.history(ADMIN, ada))).isEqualTo(new Units(1, 0.5, 0));
    }

    @Test
    void signingInWhereTheBrowserIsKnownCountsForItAlone() {
        fixture.create("ada");
        var browser = ((SignInResult.SignedIn) signIn("ada", PASSWORD)).browser();

        assertThat(List.of(
                        cost(() -> signIn("ada", "wrong horse battery", browser)),
                        cost(() -> signIn("ada", PASSWORD, browser))))
                .containsExactly(new Units(5, 3, 3), new Units(6, 3, 10));
    }

    @Test
    void signingInAgainEndsTheSessionOfBefore() {
        fixture.create("ada");
        var before = ((SignInResult.SignedIn) signIn("ada", PASSWORD)).begun().session();

        assertThat(cost(() -> fixture.signIns.signIn(
                        "ada", PASSWORD, ClientAddress.of("192.0.2.1"), "Firefox", null, before.key())))
                .isEqualTo(new Units(9, 3, 15));
    }

    @Test
    void signingInAtAnIssuerReadsTheIdentity() {
        assertThat(List.of(
                        cost(() -> signInAtIssuer("Ada", Role.VIEWER)),
                        cost(() -> signInAtIssuer("Ada", Role.VIEWER)),
                        cost(() -> signInAtIssuer("Ada", Role.BILLING)),
                        cost(() -> signInAtIssuer("Ada Lovelace", Role.VIEWER))))
                .containsExactly(new Units(3, 1, 21), new Units(3, 2, 8), new Units(4, 2, 15), new Units(4, 2, 19));
    }

    private IssuerSignInResult signInAtIssuer(String name, Role role) {
        var identity = new ExternalIdentity("https://id.example.com", "1");
        var person = new IdentifiedPerson(identity, name, new Username("ada"), Set.of(Grant.of(role)));
        return fixture.issuerSignIns.signIn(person, ClientAddress.of("192.0.2.1"), "Firefox", null);
    }

    private SignInResult signIn(String username, String password) {
        return signIn(username, password, null);
    }

    private SignInResult signIn(String username, String password, @Nullable KnownBrowser browser) {
        return fixture.signIns.signIn(username, password, ClientAddress.of("192.0.2.1"), "Firefox", browser, null);
    }

    private Units cost(Runnable action) {
        return table.meter().during(action);
    }
}
