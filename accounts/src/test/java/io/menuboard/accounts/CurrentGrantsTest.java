package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CurrentGrantsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private AccountsFixture fixture;
    private CurrentAccess current;

    @BeforeEach
    void wire() {
        var db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
        current = new CurrentGrants(fixture.store, new DynamoTokens(db, fixture.audit), clock);
    }

    @Test
    void aPersonHasTheRolesOfNowAndNotOfWhenTheyAsked() {
        var ada = fixture.create("ada", Role.PRICING_EDITOR);
        var actor = actor(Actor.Kind.USER, ada.id().value());

        fixture.accounts.setGrants(ADMIN, ada, Set.of(Grant.of(Role.VIEWER)));

        var access = current.of(actor);
        assertThat(access.may(Permission.PRICES_READ)).isTrue();
        assertThat(access.may(Permission.PRICES_APPLY)).isFalse();
        assertThat(access.actor()).isEqualTo(actor);
    }

    @Test
    void whoIsDisabledMayNothing() {
        var ada = fixture.create("ada", Role.PRICING_EDITOR);

        fixture.accounts.disable(ADMIN, ada.id());

        assertNothingAllowed(current.of(actor(Actor.Kind.USER, ada.id().value())));
    }

    @Test
    void whatWasAskedForGoesOnWhenAPasswordIsReset() {
        var ada = fixture.create("ada", Role.PRICING_EDITOR);

        var reset = AccountsFixture.done(fixture.accounts.resetPassword(ADMIN, ada, AccountsFixture.PASSWORD));

        assertThat(reset.mustChangePassword()).isTrue();
        assertThat(current.of(actor(Actor.Kind.USER, ada.id().value())).may(Permission.PRICES_APPLY))
                .isTrue();
    }

    @Test
    void aTokenMayNothingOnceItIsRevokedOrHasExpired() {
        var grants = Set.of(Grant.of(Role.PRICING_EDITOR));
        var revoked =
                fixture.tokens.create(ADMIN, "till 7", grants, clock.instant().plus(Duration.ofDays(1)));
        var expired =
                fixture.tokens.create(ADMIN, "till 8", grants, clock.instant().plus(Duration.ofHours(1)));
        var valid =
                fixture.tokens.create(ADMIN, "till 9", grants, clock.instant().plus(Duration.ofDays(1)));

        fixture.tokens.revoke(ADMIN, revoked.token().id());
        clock.advance(Duration.ofHours(2));

        assertNothingAllowed(current.of(actor(Actor.Kind.TOKEN, revoked.token().id())));
        assertNothingAllowed(current.of(actor(Actor.Kind.TOKEN, expired.token().id())));
        assertThat(current.of(actor(Actor.Kind.TOKEN, valid.token().id())).may(Permission.PRICES_APPLY))
                .isTrue();
    }

    @Test
    void whoeverWasKnownByANameOnlyGoesOn() {
        var access = current.of(new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE));

        assertThat(access.isForAll(Permission.PRICES_APPLY)).isTrue();
    }

    private static Actor actor(Actor.Kind kind, String id) {
        return new Actor(kind, id, "ada", Actor.Source.PAGE);
    }

    private static void assertNothingAllowed(Access access) {
        for (var permission : Permission.values()) {
            assertThat(access.may(permission)).as("%s", permission).isFalse();
        }
    }
}
