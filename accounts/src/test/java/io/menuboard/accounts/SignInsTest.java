package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static io.menuboard.accounts.AccountsFixture.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.SignInResult.Refused;
import io.menuboard.accounts.SignInResult.SignedIn;
import io.menuboard.accounts.SignInResult.Throttled;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.RecordingMeter;
import io.menuboard.querydb.audit.AuditRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SignInsTest {
    private static final String WRONG = "wrong horse battery";
    private static final String OTHER = "another good password";
    private static final ClientAddress HERE = ClientAddress.of("192.0.2.1");
    private static final PageRequest PAGE = PageRequest.forward(100, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private AccountsFixture fixture;
    private Account ada;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
        ada = fixture.create("Ada", Role.VIEWER);
    }

    @Test
    void whoeverIsRefusedGetsTheSameAnswer() {
        var disabled = fixture.create("bob").id();
        fixture.accounts.disable(ADMIN, disabled);
        fixture.accounts.create(ADMIN, new Username("new"), "New", null, Set.of());

        assertThat(signIn("ada", WRONG)).isEqualTo(new Refused());
        assertThat(signIn("nobody", PASSWORD)).isEqualTo(new Refused());
        assertThat(signIn("no # username", PASSWORD)).isEqualTo(new Refused());
        assertThat(signIn("bob", PASSWORD)).isEqualTo(new Refused());
        assertThat(signIn("new", "")).isEqualTo(new Refused());
        assertThat(signIn("ADA", PASSWORD)).isInstanceOf(SignedIn.class);
    }

    @Test
    void failuresOfAUsernameDelayTheNextAttempt() {
        for (var i = 0; i < 5; i++) {
            assertThat(signIn("ada", WRONG)).isEqualTo(new Refused());
        }

        assertThat(signIn("ada", PASSWORD)).isEqualTo(new Throttled(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        assertThat(signIn("ADA", WRONG)).isEqualTo(new Refused());
        assertThat(signIn("ada", PASSWORD)).isEqualTo(new Throttled(Duration.ofSeconds(2)));
        clock.advance(Duration.ofSeconds(2));
        assertThat(signIn("ada", PASSWORD)).isInstanceOf(SignedIn.class);
        assertThat(signIn("ada", WRONG)).isEqualTo(new Refused());
        assertThat(signIn("ada", PASSWORD)).isInstanceOf(SignedIn.class);
    }

    @Test
    void strangersDelayNobodyInABrowserThatIsKnown() {
        var browser = ((SignedIn) signIn("ada", PASSWORD)).browser();
        for (var i = 0; i < 5; i++) {
            assertThat(elsewhere("ada", WRONG, null)).isEqualTo(new Refused());
        }
        assertThat(elsewhere("ada", PASSWORD, null)).isInstanceOf(Throttled.class);
        assertThat(elsewhere("ada", PASSWORD, KnownBrowser.random())).isInstanceOf(Throttled.class);

        var again = elsewhere("ADA", PASSWORD, browser);

        assertThat(again).isInstanceOfSatisfying(SignedIn.class, in -> assertThat(in.browser())
                .isEqualTo(browser));
        var session = ((SignedIn) again).begun().session();
        assertThat(fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, null))
                .isInstanceOf(ChangePasswordResult.Throttled.class);
        assertThat(fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, browser))
                .isInstanceOf(ChangePasswordResult.Changed.class);
        clock.advance(KnownBrowser.KEPT);
        for (var i = 0; i < 5; i++) {
            elsewhere("ada", WRONG, null);
        }
        assertThat(elsewhere("ada", OTHER, browser)).as("forgotten").isInstanceOf(Throttled.class);
    }

    @Test
    void failuresInABrowserThatIsKnownDelayItAndForgetThemWithTheNextSuccess() {
        fixture.create("bob");
        var browser = ((SignedIn) signIn("ada", PASSWORD)).browser();
        for (var round = 0; round < 2; round++) {
            for (var i = 0; i < 5; i++) {
                assertThat(elsewhere("ada", WRONG, browser)).isEqualTo(new Refused());
            }
            assertThat(elsewhere("ada", PASSWORD, browser)).isEqualTo(new Throttled(Duration.ofSeconds(1)));
            assertThat(elsewhere("ada", PASSWORD, null)).as("in another").isInstanceOf(SignedIn.class);
            clock.advance(Duration.ofSeconds(1));
            assertThat(elsewhere("ada", PASSWORD, browser)).isInstanceOf(SignedIn.class);
        }
        for (var i = 0; i < 5; i++) {
            assertThat(elsewhere("bob", WRONG, browser)).isEqualTo(new Refused());
        }
        assertThat(elsewhere("bob", PASSWORD, null))
                .as("nobody knows bob there")
                .isInstanceOf(Throttled.class);
    }

    @Test
    void failuresInABrowserThatIsKnownCountNoLongerThanOthers() {
        var browser = ((SignedIn) signIn("ada", PASSWORD)).browser();
        for (var i = 0; i < 14; i++) {
            assertThat(elsewhere("ada", WRONG, browser)).isEqualTo(new Refused());
            clock.advance(AccountsFixture.LIMITS.delay(i + 1));
        }

        clock.advance(AccountsFixture.LIMITS.window().minusMillis(1));
        assertThat(elsewhere("ada", WRONG, browser)).isEqualTo(new Refused());
        assertThat(elsewhere("ada", PASSWORD, browser)).isEqualTo(new Throttled(Duration.ofMinutes(15)));
        clock.advance(Duration.ofMinutes(15).plus(AccountsFixture.LIMITS.window()));
        for (var i = 0; i < 5; i++) {
            assertThat(elsewhere("ada", WRONG, browser)).isEqualTo(new Refused());
        }
        assertThat(elsewhere("ada", PASSWORD, browser)).isEqualTo(new Throttled(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        assertThat(elsewhere("ada", PASSWORD, browser)).isInstanceOf(SignedIn.class);
    }

    @Test
    void guessesAtTheSameTimeDoNotPassTheLimitTogetherOnceFailuresCountNoLonger() throws Exception {
        var browser = ((SignedIn) signIn("ada", PASSWORD)).browser();
        assertThat(elsewhere("ada", WRONG, browser)).isEqualTo(new Refused());
        clock.advance(AccountsFixture.LIMITS.window());

        assertThat(refusedOf(
                        () -> new AccountsFixture(db, clock).signIns.signIn("ada", WRONG, HERE, "", browser, null)))
                .isBetween(1, 5);
    }

    private SignInResult elsewhere(String username, String password, @Nullable KnownBrowser browser) {
        return fixture.signIns.signIn(username, password, ClientAddress.of("192.0.2.9"), "Firefox", browser, null);
    }

    @Test
    void whatFoundNoPlaceForItsPasswordDoesNotCount() {
        var session = session(PASSWORD);
        var full = new AccountsFixture(db, clock, new Passwords.Settings(64, 1, 1, 0, Duration.ZERO)).signIns;
        var busy = Duration.ofSeconds(1);
        for (var failures = 0; failures <= 5; failures++) {
            for (var i = 0; i < 10; i++) {
                assertThat(full.signIn("ada", PASSWORD, HERE, "", null, null)).isEqualTo(new Throttled(busy));
                assertThat(full.changePassword(session, HERE, PASSWORD, OTHER, null))
                        .isEqualTo(new ChangePasswordResult.Throttled(busy));
            }
            if (failures < 5) {
                assertThat(signIn("ada", WRONG)).as("%d failures", failures).isEqualTo(new Refused());
            }
            clock.advance(busy);
        }

        assertThat(signIn("ada", PASSWORD)).isInstanceOf(SignedIn.class);
    }

    @Test
    void onlySoManyWaitForTheirPasswordToBeLookedAtAndOthersDoNotCount() throws InterruptedException {
        // No password has its turn before the test is over.
        var stuck = new AccountsFixture(db, clock, new Passwords.Settings(64, 1, 1, 0, Duration.ofHours(1))).signIns;
        var addresses = List.of("192.0.2.7", "192.0.2.8");
        var ofAddress = 20;
        var session = session(PASSWORD);
        var answers = new LinkedBlockingQueue<SignInResult>();
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            for (var i = 0; i < addresses.size() * ofAddress; i++) {
                var username = "user" + i;
                var from = ClientAddress.of(addresses.get(i % addresses.size()));
                threads.execute(() -> answers.add(stuck.signIn(username, PASSWORD, from, "", null, null)));
            }

            for (var i = 0; i < addresses.size() * (ofAddress - 4); i++) {
                assertThat(answers.poll(30, TimeUnit.SECONDS)).isEqualTo(new Throttled(Duration.ofSeconds(1)));
            }
            for (var address : addresses) {
                assertThat(stuck.changePassword(session, ClientAddress.of(address), PASSWORD, OTHER, null))
                        .isEqualTo(new ChangePasswordResult.Throttled(Duration.ofSeconds(1)));
                assertThat(db.get(new Key("SIGNINFROM#" + address, "META"), Consistency.STRONG)
                                .map(item -> item.integer("count"))
                                .orElse(0L))
                        .isLessThanOrEqualTo(4);
            }
        } finally {
            threads.shutdownNow();
            threads.close();
        }
    }

    @Test
    void theDelayDoublesToItsLimit() {
        assertThat(Stream.of(4L, 5L, 6L, 7L, 14L, 15L, 16L, 1_000_000L).map(AccountsFixture.LIMITS::delay))
                .extracting(Duration::toSeconds)
                .containsExactly(0L, 1L, 2L, 4L, 512L, 900L, 900L, 900L);
    }

    @Test
    void guessesAtTheSameTimeDoNotPassTheLimitTogether() throws Exception {
        Callable<SignInResult> guess = () ->
                new AccountsFixture(db, clock).signIns.signIn("ada", WRONG, ClientAddress.of("::1"), "", null, null);

        assertThat(refusedOf(guess)).isBetween(1, 5);
    }

    /** Of twenty at the same time, how many were looked at. */
    private static int refusedOf(Callable<SignInResult> guess) throws Exception {
        var refused = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result :
                    threads.invokeAll(Stream.generate(() -> guess).limit(20).toList())) {
                refused += result.get() instanceof Refused ? 1 : 0;
            }
        }
        return refused;
    }

    @Test
    void failuresOfAnAddressAreLimited() {
        for (var i = 0; i < 50; i++) {
            assertThat(signIn("user" + i, WRONG)).isEqualTo(new Refused());
        }

        assertThat(signIn("ada", PASSWORD)).isEqualTo(new Throttled(Duration.ofMinutes(15)));
        assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("192.0.2.2"), "", null, null))
                .isInstanceOf(SignedIn.class);
        clock.advance(Duration.ofMinutes(15));
        assertThat(signIn("ada", PASSWORD)).isInstanceOf(SignedIn.class);
    }

    @Test
    void failuresOfAnAddressKeepNobodyOutInABrowserThatIsKnown() {
        var browser = signedIn(PASSWORD).browser();
        for (var i = 0; i < 50; i++) {
            assertThat(signIn("user" + i, WRONG)).isEqualTo(new Refused());
        }

        assertThat(fixture.signIns.signIn("ada", WRONG, HERE, "", browser, null))
                .isEqualTo(new Refused());
        var in = fixture.signIns.signIn("ada", PASSWORD, HERE, "", browser, null);
        assertThat(in).isInstanceOf(SignedIn.class);
        var session = in(in).begun().session();
        assertThat(fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, browser))
                .isInstanceOf(ChangePasswordResult.Changed.class);

        var tooMany = new Throttled(Duration.ofMinutes(15));
        assertThat(signIn("ada", OTHER)).isEqualTo(tooMany);
        assertThat(fixture.signIns.signIn("bob", PASSWORD, HERE, "", browser, null))
                .as("who is not known there")
                .isEqualTo(tooMany);
    }

    @Test
    void attemptsToChangeAPasswordCountForWhereTheyComeFrom() {
        var session = session(PASSWORD);
        var elsewhere = ClientAddress.of("192.0.2.66");
        for (var i = 0; i < 50; i++) {
            fixture.signIns.changePassword(session, elsewhere, WRONG, OTHER, null);
        }

        assertThat(fixture.signIns.signIn("nobody", WRONG, elsewhere, "", null, null))
                .isEqualTo(new Throttled(Duration.ofMinutes(15)));
        assertThat(fixture.signIns.signIn("nobody", WRONG, HERE, "", null, null))
                .isEqualTo(new Refused());
    }

    @Test
    void aNetworkIsOneAddressHoweverItIsWrittenAndTheHistoryHasTheAddress() {
        for (var i = 0; i < 50; i++) {
            fixture.signIns.signIn("user" + i, WRONG, ClientAddress.of("2001:db8::" + i), "", null, null);
        }

        assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("[2001:db8:0:0::ffff]"), "", null, null))
                .isEqualTo(new Throttled(Duration.ofMinutes(15)));
        assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of("2001:DB8:0:1::1"), "", null, null))
                .isInstanceOf(SignedIn.class);
        assertThat(fixture.signIns.history(ADMIN, ada.id()))
                .extracting(SignInAttempt::address)
                .containsExactly("2001:db8:0:1:0:0:0:1");
    }

    @Test
    void whatIsNoAddressIsOne() {
        for (var nonsense : List.of("", "a#b", "x".repeat(100))) {
            assertThat(fixture.signIns.signIn("ada", PASSWORD, ClientAddress.of(nonsense), "", null, null))
                    .isInstanceOf(SignedIn.class);
        }
        assertThat(fixture.sessions.list(ADMIN, ada.id()).sessions())
                .extracting(Session::address)
                .containsOnly("unknown");
    }

    @Test
    void aSessionLastsAsLongAsNothingEndsIt() {
        var session = session(PASSWORD);

        assertThat(session.id()).hasSize(64);
        assertThat(isValid(session)).isTrue();
        assertThat(fixture.sessions.current(new SessionKey(ada.id(), 7, session.id())))
                .isEmpty();
        assertThat(fixture.sessions.current(new SessionKey(ada.id(), 1, "0".repeat(64))))
                .isEmpty();
        clock.advance(Duration.ofHours(12));
        assertThat(isValid(session)).isFalse();
    }

    @Test
    void whatEndsASessionIsFeltByOtherInstancesAfterTwoSeconds() {
        var other = new AccountsFixture(db, clock);
        Stream.<Consumer<Session>>of(
                        session -> other.sessions.end(ADMIN, ada.id(), session.id()),
                        _ -> other.sessions.endAll(ADMIN, ada.id()),
                        _ -> other.accounts.resetPassword(
                                ADMIN, other.accounts.find(ADMIN, ada.id()).orElseThrow(), PASSWORD),
                        _ -> other.accounts.disable(ADMIN, ada.id()))
                .forEach(end -> {
                    var session = session(PASSWORD);
                    assertThat(isValid(session)).isTrue();

                    end.accept(session);
                    clock.advance(Duration.ofSeconds(2));

                    assertThat(isValid(session)).isFalse();
                });
    }

    @Test
    void aPrincipalHasItsGrantsOnlyWithAPasswordOfItsOwn() {
        var first = session(PASSWORD);
        assertThat(fixture.sessions
                        .current(first.key())
                        .orElseThrow()
                        .principal()
                        .grants())
                .isEmpty();

        var changed = (ChangePasswordResult.Changed) fixture.signIns.changePassword(first, HERE, PASSWORD, OTHER, null);

        var second = changed.goesOn().session();
        assertThat(fixture.sessions
                        .current(second.key())
                        .orElseThrow()
                        .principal()
                        .grants())
                .containsExactly(Grant.of(Role.VIEWER));
        fixture.accounts.setGrants(ADMIN, ada, Set.of(Grant.of(Role.BILLING)));
        clock.advance(Duration.ofSeconds(2));
        assertThat(fixture.sessions
                        .current(second.key())
                        .orElseThrow()
                        .principal()
                        .grants())
                .containsExactly(Grant.of(Role.BILLING));
    }

    @Test
    void anotherPasswordEndsAllOtherSessions() {
        var here = session(PASSWORD);
        var there = session(PASSWORD);

        assertThat(fixture.signIns.changePassword(here, HERE, WRONG, OTHER, null))
                .isEqualTo(new ChangePasswordResult.WrongPassword());
        var changed = (ChangePasswordResult.Changed) fixture.signIns.changePassword(here, HERE, PASSWORD, OTHER, null);

        clock.advance(Duration.ofSeconds(2));
        assertThat(isValid(changed.goesOn().session())).isTrue();
        assertThat(changed.goesOn().session().id()).isNotEqualTo(here.id());
        assertThat(fixture.sessions.current(new SessionKey(ada.id(), 2, here.id())))
                .as("the old id with the new version")
                .isEmpty();
        assertThat(changed.goesOn().session().createdAt()).isEqualTo(here.createdAt());
        assertThat(changed.goesOn().session().endsAt()).isEqualTo(here.endsAt());
        assertThat(isValid(there)).isFalse();
        assertThat(fixture.signIns.changePassword(there, HERE, OTHER, PASSWORD, null))
                .isEqualTo(new ChangePasswordResult.Ended());
        assertThat(fixture.sessions.list(ADMIN, ada.id()).sessions())
                .containsExactly(changed.goesOn().session());
        assertThat(signIn("ada", PASSWORD)).isEqualTo(new Refused());
        assertThat(signIn("ada", OTHER)).isInstanceOf(SignedIn.class);
    }

    @Test
    void aChangeThatIsSentAgainIsNotTakenForAWrongPassword() {
        var session = session(PASSWORD);
        fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, null);

        assertThat(fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, null))
                .isEqualTo(new ChangePasswordResult.Ended());
        assertThat(fixture.audit.bySubject("ACCOUNT#" + ada.id(), PAGE).nodes())
                .extracting(AuditRecord::action)
                .doesNotContain("password change refused");
    }

    @Test
    void peopleEndTheirOwnSessionsAndNoOthers() {
        var session = session(PASSWORD);
        var own =
                new Access(fixture.sessions.current(session.key()).orElseThrow().principal(), Actor.Source.PAGE);

        assertThatExceptionOfType(Denied.class).isThrownBy(() -> fixture.sessions.list(VIEWER, ada.id()));
        assertThatExceptionOfType(Denied.class).isThrownBy(() -> fixture.sessions.end(VIEWER, ada.id(), session.id()));
        assertThatExceptionOfType(Denied.class).isThrownBy(() -> fixture.sessions.endAll(VIEWER, ada.id()));
        assertThat(fixture.sessions.list(own, ada.id()).sessions()).containsExactly(session);
        assertThat(fixture.sessions.end(own, ada.id(), session.id())).isTrue();
        assertThat(isValid(session)).isFalse();
    }

    @Test
    void signingInAgainEndsTheSessionThatTheBrowserHad() {
        fixture.create("bob");
        var elsewhere = session(PASSWORD);
        var first = session(PASSWORD);

        var second = in(fixture.signIns.signIn("ada", PASSWORD, HERE, "", null, first.key()));
        assertThat(fixture.sessions.list(ADMIN, ada.id()).sessions())
                .containsExactlyInAnyOrder(elsewhere, second.begun().session());
        var other = in(fixture.signIns.signIn(
                "bob", PASSWORD, HERE, "", null, second.begun().session().key()));
        assertThat(fixture.signIns.signIn(
                        "ada", WRONG, HERE, "", null, other.begun().session().key()))
                .isEqualTo(new Refused());

        assertThat(fixture.sessions.list(ADMIN, ada.id()).sessions()).containsExactly(elsewhere);
        assertThat(isValid(first)).isFalse();
        assertThat(isValid(second.begun().session())).isFalse();
        assertThat(isValid(other.begun().session())).isTrue();
    }

    @Test
    void aListOfSessionsHasAnEndAndLeavesOutWhatHasEnded() {
        var stored = new DynamoSessions(db, fixture.store);
        var newSessions = new NewSessions(clock, Duration.ofHours(12));
        for (var i = 0; i < Sessions.MOST_LISTED; i++) {
            stored.begin(
                    newSessions.of(ada, "192.0.2.1", "").session(), null, ada, AccountEvent.of(ADMIN.actor(), "test"));
        }
        assertThat(fixture.sessions.list(ADMIN, ada.id()))
                .returns(false, Sessions.Listed::hasMore)
                .satisfies(listed -> assertThat(listed.sessions()).hasSize(Sessions.MOST_LISTED));

        session(PASSWORD);
        assertThat(fixture.sessions.list(ADMIN, ada.id()))
                .returns(true, Sessions.Listed::hasMore)
                .satisfies(listed -> assertThat(listed.sessions()).hasSize(Sessions.MOST_LISTED));

        fixture.sessions.endAll(ADMIN, ada.id());
        var last = session(PASSWORD);
        var cost = table.meter().during(() -> assertThat(fixture.sessions.list(ADMIN, ada.id()))
                .isEqualTo(new Sessions.Listed(List.of(last), false)));
        assertThat(cost).as("what has ended is not read").isEqualTo(new RecordingMeter.Units(2, 2, 0));
    }

    @Test
    void aHashWithOlderParametersIsReplaced() {
        var later = new Passwords(new Passwords.Settings(128, 1, 1, 2, Duration.ofSeconds(5)));
        var hash = later.hash(PASSWORD);
        var before = fixture.store.find(ada.id()).orElseThrow();
        fixture.store.rehash(before, before.rehashed(hash, clock.instant()));

        signedIn(PASSWORD);

        var replaced = fixture.store.find(ada.id()).orElseThrow().passwordHash();
        assertThat(replaced).startsWith("$argon2id$v=19$m=64,t=1,p=1$");
        assertThat(fixture.passwords.matches(PASSWORD, replaced)).contains(true);
    }

    @Test
    void signInsAreAuditedWithoutThePassword() {
        signIn("ada", WRONG);
        var session = session(PASSWORD);
        var changed =
                (ChangePasswordResult.Changed) fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, null);
        fixture.sessions.end(ADMIN, ada.id(), changed.goesOn().session().id());

        assertThat(fixture.audit.bySubject("ACCOUNT#" + ada.id(), PAGE).nodes())
                .extracting("action")
                .containsExactlyInAnyOrder(
                        "account created", "sign-in failed", "signed in", "password changed", "session ended");
        assertThat(table.contents().toString()).doesNotContain(WRONG, PASSWORD, OTHER);
    }

    @Test
    void aPersonHasOneNameInTheAuditTrail() {
        var created = fixture.accounts.create(ADMIN, new Username("lovelace"), "Ada Lovelace", PASSWORD, Set.of());
        var id = AccountsFixture.done(created).id();
        var session = in(signIn("lovelace", PASSWORD)).begun().session();
        fixture.signIns.changePassword(session, HERE, WRONG, OTHER, null);
        var changed =
                (ChangePasswordResult.Changed) fixture.signIns.changePassword(session, HERE, PASSWORD, OTHER, null);
        var current = fixture.sessions.current(changed.goesOn().session().key()).orElseThrow();
        fixture.sessions.endAll(new Access(current.principal(), Actor.Source.PAGE), id);

        assertThat(fixture.audit.bySubject("ACCOUNT#" + id, PAGE).nodes())
                .filteredOn(record -> id.value().equals(record.actor().id()))
                .extracting(AuditRecord::action, record -> record.actor().name())
                .containsExactlyInAnyOrder(
                        tuple("signed in", "Ada Lovelace"),
                        tuple("password change refused", "Ada Lovelace"),
                        tuple("password changed", "Ada Lovelace"),
                        tuple("all sessions ended", "Ada Lovelace"));
    }

    @Test
    void theHistoryHasWhatWasAcceptedAndRefusedFromWhere() {
        var own = new Access(new Principal(ada.id().value(), Actor.Kind.USER, "ada", Set.of()), Actor.Source.PAGE);
        signIn("ada", WRONG);
        clock.advance(Duration.ofMinutes(1));
        signedIn(PASSWORD);

        assertThat(fixture.signIns.history(own, ada.id()))
                .containsExactly(
                        new SignInAttempt(clock.instant(), true, "192.0.2.1", "Firefox"),
                        new SignInAttempt(clock.instant().minus(Duration.ofMinutes(1)), false, "192.0.2.1", "Firefox"));
        assertThat(fixture.signIns.history(ADMIN, ada.id())).hasSize(2);
        assertThatExceptionOfType(Denied.class).isThrownBy(() -> fixture.signIns.history(VIEWER, ada.id()));
    }

    @Test
    void unknownUsernamesAreCountedByAddressAndNotKept() {
        for (var i = 0; i < 40; i++) {
            signIn("secret-" + i, WRONG);
        }
        fixture.signIns.signIn("secret", WRONG, ClientAddress.of("192.0.2.2"), "Firefox", null, null);

        assertThat(fixture.audit.bySubject("ADDRESS#192.0.2.1", PAGE).nodes())
                .extracting(AuditRecord::action, AuditRecord::details)
                .containsExactly(tuple("sign-in with unknown usernames", Map.of("times", "40")));
        assertThat(fixture.audit.bySubject("ADDRESS#192.0.2.2", PAGE).nodes()).hasSize(1);
        assertThat(table.contents().toString()).doesNotContain("secret", WRONG);
    }

    private boolean isValid(Session session) {
        return fixture.sessions.current(session.key()).isPresent();
    }

    private SignInResult signIn(String username, String password) {
        return fixture.signIns.signIn(username, password, HERE, "Firefox", null, null);
    }

    private Session session(String password) {
        return signedIn(password).begun().session();
    }

    private SignedIn signedIn(String password) {
        return in(signIn("ada", password));
    }

    private static SignedIn in(SignInResult result) {
        if (result instanceof SignedIn signedIn) {
            return signedIn;
        }
        throw new AssertionError(result);
    }
}
