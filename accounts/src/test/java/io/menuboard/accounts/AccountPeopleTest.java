package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.People;
import io.menuboard.access.People.Wanted;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AccountPeopleTest {
    private static final Access ADA = new Access(
            new Principal(
                    "01JD8X00000000000000000ADA",
                    Actor.Kind.USER,
                    "ada",
                    ADMIN.principal().grants()),
            Actor.Source.PAGE);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private AccountsFixture fixture;
    private People people;

    @BeforeEach
    void wire() {
        var db = table.queryDb(clock);
        fixture = new AccountsFixture(db, clock);
        people = new AccountPeople(fixture.store, new DynamoTokens(db, fixture.audit));
    }

    @Test
    void namesThoseWhoMayDoItForAllOfTheStores() {
        var ada = fixture.create("ada", Role.PRICING_APPROVER);
        var bob = fixture.create("bob", Role.PRICING_APPROVER);
        var carl = fixture.create("carl", Role.PRICING_EDITOR);
        var dora = fixture.create("dora", Role.PRICING_APPROVER);
        var erik = fixture.create("erik", Role.VIEWER);
        fixture.accounts.disable(ADMIN, dora.id());
        var some = new Grant(Role.PRICING_APPROVER, new Scope.Stores(Set.of("DE-0001", "DE-0002")));
        fixture.accounts.setGrants(ADMIN, erik, Set.of(some));

        assertThat(people.named(
                        Permission.PRICES_APPROVE,
                        List.of(
                                new Wanted(Set.of("DE-0001"), ""),
                                new Wanted(Set.of("DE-0001", "FR-0001"), ""),
                                new Wanted(Set.of(), ada.id().value())),
                        20))
                .containsExactly(
                        List.of(ada.name(), bob.name(), erik.name()),
                        List.of(ada.name(), bob.name()),
                        List.of(bob.name()))
                .noneMatch(names -> names.contains(carl.name()));
        assertThat(people.named(Permission.PRICES_APPROVE, List.of(new Wanted(Set.of("DE-0001"), "")), 1))
                .containsExactly(List.of(ada.name()));
    }

    @Test
    void knowsWhoHasCreatedAToken() {
        var token = token(ADA, "till 7");
        var other = token(ADA, "till 8");

        assertThat(people.creatorsOf(Set.of(token.id(), "01JD8X00000000000000000000")))
                .isEqualTo(Map.of(token.id(), "01JD8X00000000000000000ADA"));
        assertThat(table.meter().during(() -> people.creatorsOf(Set.of(token.id(), other.id()))))
                .as("read together")
                .isEqualTo(new Units(1, 2, 0));
        assertThat(table.meter().during(() -> people.creatorsOf(Set.of()))).isEqualTo(new Units(0, 0, 0));
    }

    @Test
    void whatATokenCreatesIsItsCreators() {
        var first = token(ADA, "provisioning");
        var second = token(
                new Access(
                        new Principal(
                                first.id(),
                                Actor.Kind.TOKEN,
                                "provisioning",
                                ADMIN.principal().grants()),
                        Actor.Source.GRAPHQL),
                "prices");

        assertThat(people.creatorsOf(Set.of(first.id(), second.id())))
                .isEqualTo(Map.of(
                        first.id(), "01JD8X00000000000000000ADA",
                        second.id(), "01JD8X00000000000000000ADA"));
    }

    private Token token(Access by, String name) {
        return fixture.tokens
                .create(
                        by,
                        name,
                        Set.of(Grant.of(Role.PRICING_EDITOR)),
                        clock.instant().plus(Duration.ofDays(1)))
                .token();
    }
}
