package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.IssuerSignInResult.Disabled;
import io.menuboard.accounts.IssuerSignInResult.NoRoles;
import io.menuboard.accounts.IssuerSignInResult.SignedIn;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditRecord;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

class IssuerSignInsTest {
    private static final ExternalIdentity ADA = new ExternalIdentity("https://id.example.com", "248289761001");
    private static final PageRequest PAGE = PageRequest.forward(100, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private AccountsFixture fixture;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
    }

    @Test
    void makesAnAccountWithoutAPasswordAndFindsItAgain() {
        var first = signedIn(ADA, "Ada Lovelace", Role.VIEWER);
        var second = signedIn(ADA, "Ada Lovelace", Role.VIEWER);

        var account = first.account();
        assertThat(account.username()).isEqualTo(new Username("ada"));
        assertThat(account.name()).isEqualTo("Ada Lovelace");
        assertThat(account.hasPassword()).isFalse();
        assertThat(account.mustChangePassword()).isFalse();
        assertThat(account.grants()).containsExactly(Grant.of(Role.VIEWER));
        assertThat(account.identity()).isEqualTo(ADA);
        assertThat(second.account()).isEqualTo(account);
        assertThat(fixture.accounts.find(ADMIN, account.id())).contains(account);
        assertThat(isValid(first.begun().session())).isTrue();
        assertThat(isValid(second.begun().session())).isTrue();
        assertThat(audited(account))
                .extracting(AuditRecord::action)
                .containsExactlyInAnyOrder("account created", "signed in", "signed in");
        assertThat(audited(account)).extracting(AuditRecord::actor).allMatch(actor -> actor.kind() == Actor.Kind.USER);
    }

    @Test
    void takesNoAccountThatIsOnlyNamedAlike() {
        var ours = fixture.create("ada", Role.ADMINISTRATOR);

        var theirs = signedIn(ADA, "ada", Role.VIEWER).account();
        var others = signedIn(new ExternalIdentity("https://other.example", ADA.subject()), "ada", Role.VIEWER)
                .account();
        var same = signedIn(new ExternalIdentity(ADA.issuer(), "248289761001x"), "ada", Role.VIEWER)
                .account();

        assertThat(Stream.of(ours, theirs, others, same).map(Account::id)).doesNotHaveDuplicates();
        assertThat(Stream.of(ours, theirs, others, same).map(Account::username)).doesNotHaveDuplicates();
        assertThat(theirs.username().value()).matches("ada-[0-9a-z]{6}");
        assertThat(fixture.accounts.find(ADMIN, ours.id())).contains(ours);
    }

    @Test
    void takesNameAndGrantsFromTheIssuerAtEachSignIn() {
        var session =
                signedIn(ADA, "Ada Byron", Role.VIEWER, Role.BILLING).begun().session();

        var married = signedIn(ADA, "Ada Lovelace", Role.OPERATOR).account();

        assertThat(married.name()).isEqualTo("Ada Lovelace");
        assertThat(married.grants()).containsExactly(Grant.of(Role.OPERATOR));
        assertThat(fixture.accounts.find(ADMIN, married.id())).contains(married);
        assertThat(current(session))
                .get()
                .extracting(now -> now.principal().grants())
                .isEqualTo(Set.of(Grant.of(Role.OPERATOR)));
        assertThat(audited(married))
                .extracting(AuditRecord::action, AuditRecord::details)
                .contains(
                        tuple("account renamed", Map.of("before", "Ada Byron", "after", "Ada Lovelace")),
                        tuple("grants changed", Map.of("before", "BILLING ALL, VIEWER ALL", "after", "OPERATOR ALL")));
    }

    @Test
    void recordsWithWhichBrowserItWasTried() {
        var account = signedIn(ADA, "Ada", Role.VIEWER).account();
        clock.advance(Duration.ofMinutes(1));
        signIn(ADA, "Ada");

        assertThat(fixture.signIns.history(ADMIN, account.id()))
                .containsExactly(
                        new SignInAttempt(clock.instant(), false, "192.0.2.1", "Firefox"),
                        new SignInAttempt(clock.instant().minus(Duration.ofMinutes(1)), true, "192.0.2.1", "Firefox"));
        assertThat(audited(account))
                .extracting(AuditRecord::action, AuditRecord::details)
                .contains(tuple(
                        "sign-in failed",
                        Map.of(
                                "address", "192.0.2.1",
                                "browser", "Firefox",
                                "issuer", ADA.issuer(),
                                "reason", "no roles")));
    }

    @Test
    void endsTheSessionThatTheBrowserHad() {
        var before = signedIn(ADA, "Ada", Role.VIEWER).begun().session();

        var again = fixture.issuerSignIns.signIn(
                person(ADA, "Ada", Role.VIEWER), ClientAddress.of("192.0.2.1"), "Firefox", before.key());

        var account = before.account();
        assertThat(again).isInstanceOf(SignedIn.class);
        assertThat(fixture.sessions.list(ADMIN, account).sessions())
                .containsExactly(((SignedIn) again).begun().session());
        assertThat(isValid(before)).isFalse();
    }

    @Test
    void letsNobodyInWithoutARole() {
        assertThat(signIn(ADA, "Ada")).isEqualTo(new NoRoles());
        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes()).isEmpty();

        var before = signedIn(ADA, "Ada", Role.VIEWER);
        assertThat(signIn(ADA, "Ada")).isEqualTo(new NoRoles());

        var after = fixture.accounts.find(ADMIN, before.account().id()).orElseThrow();
        assertThat(after.grants()).isEmpty();
        assertThat(new AccountsFixture(db, clock)
                        .sessions.current(before.begun().session().key()))
                .isEmpty();
        assertThat(audited(after))
                .filteredOn(record -> record.action().equals("sign-in failed"))
                .singleElement()
                .extracting(AuditRecord::details)
                .asString()
                .contains("no roles");
        assertThat(signIn(ADA, "Ada", Role.VIEWER)).isInstanceOf(SignedIn.class);
    }

    @Test
    void letsNobodyInWhoIsDisabledHere() {
        var account = signedIn(ADA, "Ada", Role.VIEWER).account();
        fixture.accounts.disable(ADMIN, account.id());

        assertThat(signIn(ADA, "Ada", Role.VIEWER, Role.ADMINISTRATOR)).isEqualTo(new Disabled());
        assertThat(fixture.accounts.find(ADMIN, account.id()).orElseThrow().grants())
                .isEqualTo(account.grants());
        fixture.accounts.enable(ADMIN, fixture.account(account.id()));
        assertThat(signIn(ADA, "Ada", Role.VIEWER)).isInstanceOf(SignedIn.class);
    }

    @Test
    void leavesToTheIssuerWhatItSays() {
        var account = signedIn(ADA, "Ada", Role.VIEWER).account();

        assertThat(List.of(
                        fixture.accounts.rename(ADMIN, account.id(), "Grace"),
                        fixture.accounts.setGrants(ADMIN, account, Set.of()),
                        fixture.accounts.resetPassword(ADMIN, account, PASSWORD)))
                .containsOnly(new AccountResult.IssuersToChange(account));
        assertThat(fixture.signIns.signIn("ada", "", ClientAddress.of("192.0.2.1"), "", null, null))
                .isEqualTo(new SignInResult.Refused());
        assertThat(fixture.signIns.changePassword(
                        signedIn(ADA, "Ada", Role.VIEWER).begun().session(),
                        ClientAddress.of("192.0.2.1"),
                        "",
                        PASSWORD,
                        null))
                .isEqualTo(new ChangePasswordResult.NoPassword());
    }

    @Test
    void anAdministratorWithAPasswordAlwaysRemains() {
        var ours = fixture.create("root", Role.ADMINISTRATOR).id();
        signedIn(ADA, "Ada", Role.ADMINISTRATOR);

        assertThat(fixture.accounts.disable(ADMIN, ours)).isEqualTo(new AccountResult.LastAdministrator(ours));
        assertThat(signedIn(ADA, "Ada", Role.VIEWER).account().grants()).containsExactly(Grant.of(Role.VIEWER));
    }

    @Test
    void takesAwayWhatAnotherVersionHasSet() {
        var account = signedIn(ADA, "Ada", Role.VIEWER).account();
        var set = Update.of(DynamoAccounts.key(account.id())).set("passwordHash", fixture.passwords.hash(PASSWORD));
        db.update(set.set("grants", List.of("VIEWER ALL", "ROLE_OF_LATER ALL")), _ -> true);
        assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("192.0.2.1"), "", null, null))
                .isInstanceOf(SignInResult.SignedIn.class);

        signedIn(ADA, "Ada", Role.VIEWER);

        assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("192.0.2.1"), "", null, null))
                .isEqualTo(new SignInResult.Refused());
        assertThat(fixture.store.find(account.id()).orElseThrow().unknownGrants())
                .isEmpty();
        db.update(set, _ -> true);
        signedIn(ADA, "Ada", Role.VIEWER);
        assertThat(audited(account))
                .extracting(AuditRecord::action)
                .filteredOn(action -> !action.startsWith("sign"))
                .containsExactlyInAnyOrder("account created", "grants changed", "password removed", "password removed");
    }

    @Test
    void makesOneAccountForOnePersonWhoeverIsFirst() throws Exception {
        Callable<IssuerSignInResult> signIn = () -> new AccountsFixture(db, clock)
                .issuerSignIns.signIn(person(ADA, "Ada", Role.VIEWER), ClientAddress.of("192.0.2.1"), "Firefox", null);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result :
                    threads.invokeAll(Stream.generate(() -> signIn).limit(8).toList())) {
                assertThat(result.get()).isInstanceOf(SignedIn.class);
            }
        }

        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes()).hasSize(1);
    }

    /** As DynamoDB may show them while another tab makes them. */
    @Test
    void anAccountThatIsSeenLaterThanItsIdentityIsSignedIn() {
        var account = signedIn(ADA, "Ada", Role.VIEWER).account();
        var item = db.get(DynamoAccounts.key(account.id()), Consistency.STRONG).orElseThrow();
        db.delete(item.key());
        var reads = new AtomicInteger();
        var client = InterruptedClient.before(
                request -> request instanceof GetItemRequest get
                        && item.key()
                                .partition()
                                .equals(Objects.requireNonNull(get.key().get("pk"))
                                        .s())
                        && reads.incrementAndGet() == 2,
                1,
                table.client(),
                () -> db.save(item, SaveMode.INIT));

        var result = new AccountsFixture(table.queryDb(client, clock), clock)
                .issuerSignIns.signIn(person(ADA, "Ada", Role.VIEWER), ClientAddress.of("192.0.2.1"), "Firefox", null);

        assertThat(result).isInstanceOfSatisfying(SignedIn.class, signedIn -> assertThat(
                        signedIn.account().id())
                .isEqualTo(account.id()));
    }

    private List<AuditRecord> audited(Account account) {
        return fixture.audit.bySubject("ACCOUNT#" + account.id(), PAGE).nodes();
    }

    private boolean isValid(Session session) {
        return current(session).isPresent();
    }

    private Optional<Sessions.Current> current(Session session) {
        return fixture.sessions.current(session.key());
    }

    private SignedIn signedIn(ExternalIdentity identity, String name, Role... roles) {
        if (signIn(identity, name, roles) instanceof SignedIn signedIn) {
            return signedIn;
        }
        throw new AssertionError();
    }

    private IssuerSignInResult signIn(ExternalIdentity identity, String name, Role... roles) {
        return fixture.issuerSignIns.signIn(
                person(identity, name, roles), ClientAddress.of("192.0.2.1"), "Firefox", null);
    }

    private static IdentifiedPerson person(ExternalIdentity identity, String name, Role... roles) {
        var grants = Arrays.stream(roles).map(Grant::of).collect(Collectors.toSet());
        return new IdentifiedPerson(identity, name, new Username("ada"), grants);
    }
}
