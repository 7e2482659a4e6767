package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static io.menuboard.accounts.AccountsFixture.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TokensTest {
    private static final PageRequest PAGE = PageRequest.forward(100, null);
    private static final Set<Grant> GRANTS = Set.of(Grant.of(Role.WORKER));

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock();
    private QueryDb db;
    private AccountsFixture fixture;

    @BeforeEach
    void open() {
        db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
    }

    @Test
    void aTokenIsItsClientUntilItExpires() {
        var made = create();

        assertThat(fixture.tokens.principal(made.text()))
                .contains(new Principal(made.token().id(), Actor.Kind.TOKEN, "till 7", GRANTS));
        clock.advance(Duration.ofDays(1));
        assertThat(fixture.tokens.principal(made.text())).isEmpty();
    }

    @Test
    void aTokenIsGoodWhereItsUseCannotBeNoted() {
        var made = create();
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", 100);
        var instance = new AccountsFixture(db, clock);

        assertThat(instance.tokens.principal(made.text())).isPresent();
    }

    @Test
    void otherTextsAreNobody() {
        var text = create().text();
        var end = text.endsWith("0") ? "1" : "0";
        fixture.tokens.principal(text);

        for (var other : new String[] {
            "",
            "mb_",
            text + "0",
            text.substring(1),
            text.substring(0, text.length() - 1) + end,
            text.toUpperCase(Locale.ROOT)
        }) {
            assertThat(fixture.tokens.principal(other)).as(other).isEmpty();
        }
        assertThat(new AccountsFixture(db, clock).tokens.principal(text.substring(0, text.length() - 1) + end))
                .isEmpty();
    }

    @Test
    void aRevokedTokenIsRefusedByOtherInstancesAfterTwoSeconds() {
        var made = create();
        var other = new AccountsFixture(db, clock);
        assertThat(other.tokens.principal(made.text())).isPresent();

        assertThat(fixture.tokens.revoke(ADMIN, made.token().id())).isTrue();
        assertThat(fixture.tokens.revoke(ADMIN, made.token().id())).isFalse();

        assertThat(fixture.tokens.principal(made.text())).isEmpty();
        clock.advance(Duration.ofSeconds(2));
        assertThat(other.tokens.principal(made.text())).isEmpty();
    }

    @Test
    void theHourOfTheLastUseIsKept() {
        var made = create();
        clock.setTime("12:59:00");
        fixture.tokens.principal(made.text());

        assertThat(fixture.tokens.list(ADMIN, PAGE).nodes())
                .extracting(Token::lastUsedAt)
                .containsExactly(clock.instant().truncatedTo(ChronoUnit.HOURS));
    }

    @Test
    void nobodyWaitsUntilTheUseOfATokenIsNoted() {
        var made = create();
        var later = new ArrayDeque<Runnable>();
        var tokens = new Tokens(
                new DynamoTokens(db, fixture.audit),
                new IdempotencyKeys(db, "tokens"),
                clock,
                () -> clock.millis() * 1_000_000,
                later::add);

        assertThat(tokens.principal(made.text())).isPresent();
        clock.advance(Duration.ofSeconds(2));
        assertThat(tokens.principal(made.text())).isPresent();

        assertThat(fixture.tokens.find(ADMIN, made.token().id())).get().returns(null, Token::lastUsedAt);
        assertThat(later).as("one at a time").hasSize(1);
        later.remove().run();
        assertThat(fixture.tokens.find(ADMIN, made.token().id()))
                .get()
                .returns(clock.instant().truncatedTo(ChronoUnit.HOURS), Token::lastUsedAt);
        clock.advance(Duration.ofHours(1));
        assertThat(tokens.principal(made.text())).isPresent();
        assertThat(later).as("in the next hour").hasSize(1);
    }

    @Test
    void theSecretIsNotStored() {
        var text = create().text();

        assertThat(table.contents().toString()).doesNotContain(text.substring(text.length() - 64));
    }

    @Test
    void aKeyMakesOneTokenHoweverOftenItIsSent() throws Exception {
        var expiry = clock.instant().plus(Duration.ofDays(1));
        Callable<Optional<NewToken>> send = () -> fixture.tokens.createOnce(ADMIN, "form-1", "till 7", GRANTS, expiry);

        var made = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var result :
                    threads.invokeAll(Stream.generate(() -> send).limit(5).toList())) {
                made += result.get().isPresent() ? 1 : 0;
            }
        }

        assertThat(made).isEqualTo(1);
        assertThat(send.call()).isEmpty();
        assertThat(fixture.tokens.list(ADMIN, PAGE).nodes()).hasSize(1);
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> fixture.tokens.createOnce(ADMIN, "form-1", "till 8", GRANTS, expiry))
                .returns("IDEMPOTENCY_KEY_REUSED", InvalidInput::code);
        assertThat(fixture.tokens.createOnce(ADMIN, "form-2", "till 7", GRANTS, expiry))
                .isPresent();
    }

    @Test
    void whoMayNotManageAccountsIsDenied() {
        var made = create();
        var expiry = clock.instant().plusSeconds(1);

        assertThatExceptionOfType(Denied.class)
                .isThrownBy(() -> fixture.tokens.create(VIEWER, "till 8", GRANTS, expiry));
        assertThatExceptionOfType(Denied.class).isThrownBy(() -> fixture.tokens.list(VIEWER, PAGE));
        assertThatExceptionOfType(Denied.class)
                .isThrownBy(() -> fixture.tokens.revoke(VIEWER, made.token().id()));
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> fixture.tokens.create(ADMIN, "till 8", GRANTS, clock.instant()))
                .returns("INVALID_EXPIRY", InvalidInput::code);
    }

    @Test
    void ofManyInstancesOneMakesTheFirstAdministrator() throws Exception {
        Callable<Boolean> start =
                () -> new AccountsFixture(db, clock).firstAdministrator.create(new Username("root"), PASSWORD);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = 0;
            for (var result :
                    threads.invokeAll(Stream.generate(() -> start).limit(5).toList())) {
                made += result.get() ? 1 : 0;
            }
            assertThat(made).isEqualTo(1);
        }
        assertThat(fixture.firstAdministrator.create(new Username("other"), PASSWORD))
                .isFalse();
        assertThat(fixture.accounts.list(ADMIN, PAGE).nodes())
                .singleElement()
                .returns(true, Account::mustChangePassword)
                .returns(Role.values().length, account -> account.grants().size());
    }

    private NewToken create() {
        return fixture.tokens.create(ADMIN, "till 7", GRANTS, clock.instant().plus(Duration.ofDays(1)));
    }
}
