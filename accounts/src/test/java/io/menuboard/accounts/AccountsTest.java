package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static io.menuboard.accounts.AccountsFixture.VIEWER;
import static io.menuboard.accounts.AccountsFixture.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.accounts.AccountResult.LastAdministrator;
import io.menuboard.accounts.AccountResult.UsernameTaken;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountsTest {
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
    void aUsernameIsTakenInWhateverCase() {
        fixture.create("Ada");

        var second = fixture.accounts.create(ADMIN, new Username("aDA"), "Another Ada", null, Set.of());

        assertThat(second).isEqualTo(new UsernameTaken(new Username("aDA")));
        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes())
                .extracting(Account::name)
                .containsExactly("Ada");
    }

    @Test
    void aKeyAddsOneAccountHoweverOftenItIsSent() throws Exception {
        var ada = new Username("ada");
        Callable<AccountResult> send =
                () -> fixture.accounts.createOnce(ADMIN, "form-1", ada, "Ada", PASSWORD, Set.of());

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result :
                    threads.invokeAll(Stream.generate(() -> send).limit(5).toList())) {
                assertThat(result.get()).isInstanceOf(AccountResult.Done.class);
            }
        }

        var made = done(send.call());
        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes()).containsExactly(made);
        assertThat(fixture.audit.bySubject("ACCOUNT#" + made.id(), PAGE).nodes())
                .extracting("action")
                .containsExactly("account created");
        assertThat(fixture.accounts.createOnce(ADMIN, "form-2", ada, "Ada", PASSWORD, Set.of()))
                .isEqualTo(new UsernameTaken(ada));
    }

    @Test
    void aKeyOfAnotherAccountIsRefused() {
        var ada = new Username("ada");
        var other = "another good password";
        var made = done(fixture.accounts.createOnce(ADMIN, "form-1", ada, "Ada", PASSWORD, Set.of()));

        List<Callable<?>> calls = List.of(
                () -> fixture.accounts.createOnce(ADMIN, "form-1", new Username("bob"), "Ada", PASSWORD, Set.of()),
                () -> fixture.accounts.createOnce(ADMIN, "form-1", ada, "Ada", other, Set.of()));

        for (var call : calls) {
            assertThatExceptionOfType(InvalidInput.class)
                    .isThrownBy(call::call)
                    .returns("IDEMPOTENCY_KEY_REUSED", InvalidInput::code);
        }
        fixture.accounts.resetPassword(ADMIN, made, other);
        assertThat(done(fixture.accounts.createOnce(ADMIN, "form-1", ada, "Ada", PASSWORD, Set.of()))
                        .id())
                .isEqualTo(made.id());
    }

    @Test
    void accountsAreListedByUsername() {
        var bob = fixture.create("bob", Role.VIEWER);
        var ada = fixture.create("Ada");

        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes())
                .hasSize(2)
                .extracting(Account::id)
                .containsExactly(ada.id(), bob.id());
        assertThat(fixture.accounts.find(ADMIN, bob.id())).contains(bob);
    }

    @Test
    void whoMayNotManageAccountsIsDenied() {
        var ada = fixture.create("ada", Role.ADMINISTRATOR).id();
        var accounts = fixture.accounts;
        var before = table.contents();

        List<Callable<?>> calls = List.of(
                () -> accounts.create(VIEWER, new Username("eve"), "Eve", null, Set.of()),
                () -> accounts.createOnce(VIEWER, "form-1", new Username("eve"), "Eve", PASSWORD, Set.of()),
                () -> accounts.rename(VIEWER, ada, "Eve"),
                () -> accounts.setGrants(VIEWER, fixture.account(ada), Set.of()),
                () -> accounts.disable(VIEWER, ada),
                () -> accounts.enable(VIEWER, fixture.account(ada)),
                () -> accounts.resetPassword(VIEWER, fixture.account(ada), PASSWORD),
                () -> accounts.find(VIEWER, ada),
                () -> accounts.list(VIEWER, PAGE));

        for (var call : calls) {
            assertThatExceptionOfType(Denied.class).isThrownBy(call::call);
        }
        assertThat(table.contents()).isEqualTo(before);
    }

    @Test
    void theLastAdministratorStays() {
        var ada = fixture.create("ada", Role.ADMINISTRATOR).id();
        fixture.accounts.create(ADMIN, new Username("new"), "New", null, Set.of(Grant.of(Role.ADMINISTRATOR)));

        // The other one has no password, so nobody could sign in any more.
        assertThat(fixture.accounts.disable(ADMIN, ada)).isEqualTo(new LastAdministrator(ada));
        assertThat(fixture.accounts.setGrants(ADMIN, fixture.account(ada), Set.of(Grant.of(Role.VIEWER))))
                .isEqualTo(new LastAdministrator(ada));

        fixture.create("bob", Role.ADMINISTRATOR);
        assertThat(done(fixture.accounts.disable(ADMIN, ada)).disabled()).isTrue();
        assertThat(done(fixture.accounts.enable(ADMIN, fixture.account(ada))).disabled())
                .isFalse();
    }

    @Test
    void ofTwoAdministratorsWhoDisableEachOtherOneStays() throws Exception {
        var ids = List.of(
                fixture.create("ada", Role.ADMINISTRATOR).id(),
                fixture.create("bob", Role.ADMINISTRATOR).id());

        for (var round = 0; round < 10; round++) {
            var barrier = new CyclicBarrier(2);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var calls = ids.stream()
                        .<Callable<AccountResult>>map(id -> () -> {
                            var instance = new AccountsFixture(db, clock);
                            barrier.await();
                            return instance.accounts.disable(ADMIN, id);
                        })
                        .toList();
                threads.invokeAll(calls);
            }

            assertThat(ids.stream().filter(id -> !fixture.accounts
                            .find(ADMIN, id)
                            .orElseThrow()
                            .disabled()))
                    .hasSize(1);
            for (var id : ids) {
                if (fixture.accounts.find(ADMIN, id).orElseThrow().disabled()) {
                    done(fixture.accounts.enable(ADMIN, fixture.account(id)));
                }
            }
        }
    }

    @Test
    void changesRaiseTheCredentialVersionWhereTheyEndSessions() {
        var id = fixture.create("ada").id();
        var accounts = fixture.accounts;

        assertThat(done(accounts.rename(ADMIN, id, "Ada L.")).credentialVersion())
                .isEqualTo(1);
        var grants = Set.of(Grant.of(Role.VIEWER));
        assertThat(done(accounts.setGrants(ADMIN, fixture.account(id), grants)).credentialVersion())
                .isEqualTo(1);
        assertThat(done(accounts.disable(ADMIN, id)).credentialVersion()).isEqualTo(2);
        assertThat(done(accounts.enable(ADMIN, fixture.account(id))).credentialVersion())
                .isEqualTo(2);
        assertThat(done(accounts.resetPassword(ADMIN, fixture.account(id), PASSWORD))
                        .credentialVersion())
                .isEqualTo(3);
        assertThat(accounts.find(ADMIN, id).orElseThrow())
                .returns("Ada L.", Account::name)
                .returns(true, Account::mustChangePassword)
                .returns(grants, Account::grants);
    }

    @Test
    void aPasswordIsNotResetTwiceByWhatIsSentAgain() {
        var shown = fixture.create("ada");
        var reset = done(fixture.accounts.resetPassword(ADMIN, shown, PASSWORD));

        assertThat(fixture.accounts.resetPassword(ADMIN, shown, PASSWORD)).isEqualTo(new AccountResult.Outdated(reset));
        assertThat(fixture.account(shown.id())).isEqualTo(reset);
    }

    @Test
    void whoIsDisabledAgainStaysSoWhateverIsSentAgain() {
        var shown = done(fixture.accounts.disable(ADMIN, fixture.create("ada").id()));
        var enabled = done(fixture.accounts.enable(ADMIN, shown));

        assertThat(done(fixture.accounts.enable(ADMIN, shown))).isEqualTo(enabled);
        assertThat(fixture.audit.bySubject("ACCOUNT#" + shown.id(), PAGE).nodes())
                .extracting("action")
                .containsOnlyOnce("account enabled");

        var disabled = done(fixture.accounts.disable(ADMIN, shown.id()));
        assertThat(fixture.accounts.enable(ADMIN, shown)).isEqualTo(new AccountResult.Outdated(disabled));
        assertThat(fixture.account(shown.id())).isEqualTo(disabled);
    }

    @Test
    void grantsThatWereTakenAwayAreNotGivenAgainByWhatIsSentAgain() {
        var shown = fixture.create("ada", Role.VIEWER);
        var administrator = Set.of(Grant.of(Role.ADMINISTRATOR));
        fixture.create("root", Role.ADMINISTRATOR);
        clock.advance(Duration.ofSeconds(1));
        var given = done(fixture.accounts.setGrants(ADMIN, shown, administrator));
        clock.advance(Duration.ofSeconds(1));
        var taken = done(fixture.accounts.setGrants(ADMIN, given, shown.grants()));

        assertThat(fixture.accounts.setGrants(ADMIN, shown, administrator))
                .isEqualTo(new AccountResult.Outdated(taken));
        assertThat(fixture.account(shown.id())).isEqualTo(taken);
    }

    @Test
    void grantsThatAreGivenAlreadyAreGiven() {
        var shown = fixture.create("ada", Role.VIEWER);
        var approver = Set.of(Grant.of(Role.PRICING_APPROVER));
        var changed = done(fixture.accounts.setGrants(ADMIN, shown, approver));

        assertThat(done(fixture.accounts.setGrants(ADMIN, shown, approver))).isEqualTo(changed);
    }

    @Test
    void grantsThatSomebodyElseHasChangedSinceTheyWereShownStayAsTheyAre() {
        var shown = fixture.create("ada", Role.VIEWER, Role.PRICING_APPROVER);
        var approver = Set.of(Grant.of(Role.PRICING_APPROVER));
        done(fixture.accounts.setGrants(ADMIN, shown, approver));

        var late = fixture.accounts.setGrants(
                ADMIN, shown, Set.of(Grant.of(Role.VIEWER), Grant.of(Role.PRICING_APPROVER), Grant.of(Role.BILLING)));

        assertThat(late).isEqualTo(new AccountResult.Outdated(fixture.account(shown.id())));
        assertThat(fixture.account(shown.id()).grants()).isEqualTo(approver);
    }

    @Test
    void grantsOfALaterVersionAreSkippedAndKept() {
        var id = fixture.create("ada", Role.VIEWER).id();
        db.update(Update.of(DynamoAccounts.key(id)).set("grants", List.of("VIEWER ALL", "SOMMELIER CELLAR#7")));

        assertThat(fixture.accounts.find(ADMIN, id).orElseThrow().grants()).containsExactly(Grant.of(Role.VIEWER));
        done(fixture.accounts.setGrants(ADMIN, fixture.account(id), Set.of(Grant.of(Role.BILLING))));

        assertThat(db.get(DynamoAccounts.key(id)).orElseThrow().strings("grants"))
                .containsExactly("BILLING ALL", "SOMMELIER CELLAR#7");
    }

    @Test
    void everyChangeIsAudited() {
        var id = fixture.create("ada", Role.VIEWER).id();
        fixture.accounts.setGrants(ADMIN, fixture.account(id), Set.of(Grant.of(Role.BILLING)));
        clock.advance(Duration.ofSeconds(1));
        fixture.accounts.disable(ADMIN, id);

        var records = fixture.audit.bySubject("ACCOUNT#" + id, PAGE).nodes();
        assertThat(records)
                .extracting("action")
                .containsExactlyInAnyOrder("account created", "grants changed", "account disabled");
        assertThat(records).extracting("details").contains(Map.of("before", "VIEWER ALL", "after", "BILLING ALL"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"elevenchars", "Password1234", "aaaaaaaaaaaaaaaa", "ada.lovelace", "ADA.Lovelace"})
    void weakPasswordsAreRefused(String password) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(
                        () -> fixture.accounts.create(ADMIN, new Username("ada.lovelace"), "Ada", password, Set.of()))
                .returns("INVALID_PASSWORD", InvalidInput::code);
        assertThat(table.contents()).isEmpty();
    }

    @Test
    void refusesMoreGrantsThanAnAccountCanHold() {
        var id = fixture.create("partner").id();
        var stores = IntStream.range(0, 500).mapToObj("s%058d"::formatted).collect(Collectors.toSet());
        var longOnes = Stream.of(Role.VIEWER, Role.PRICING_EDITOR)
                .map(role -> new Grant(role, new Scope.Stores(stores)))
                .collect(Collectors.toSet());
        var many = IntStream.rangeClosed(0, Accounts.MAX_GRANTS)
                .mapToObj(i -> new Grant(Role.PARTNER, new Scope.Only(Scope.Kind.AGENCY, "a" + i)))
                .collect(Collectors.toSet());

        for (var grants : List.of(longOnes, many)) {
            assertThatExceptionOfType(InvalidInput.class)
                    .isThrownBy(() -> fixture.accounts.setGrants(ADMIN, fixture.account(id), grants))
                    .satisfies(refused -> assertThat(refused.code()).isEqualTo("INVALID_GRANT"));
            assertThatExceptionOfType(InvalidInput.class)
                    .isThrownBy(() -> fixture.tokens.create(
                            ADMIN, "t", grants, clock.instant().plusSeconds(60)));
        }
    }
}
