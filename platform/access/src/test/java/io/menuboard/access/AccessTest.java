package io.menuboard.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private static final Scope BERLIN = new Scope.Stores(Set.of("DE-0001", "DE-0002"));
    private static final Scope TOKYO = new Scope.Stores(Set.of("JP-0001"));

    @Test
    void aGrantGivesWhatItsRoleMayDoAndNothingElse() {
        var access = access(Grant.of(Role.VIEWER));

        assertThatCode(() -> access.require(Permission.PRICES_READ)).doesNotThrowAnyException();
        assertThatThrownBy(() -> access.require(Permission.PRICES_APPLY))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.permission()).isEqualTo(Permission.PRICES_APPLY));
    }

    @Test
    void whoHasNoGrantMayNothing() {
        for (var permission : Permission.values()) {
            assertThat(access().may(permission)).as("%s", permission).isFalse();
            assertThat(access().stores(permission)).as("%s", permission).contains(Set.of());
        }
    }

    @Test
    void storesOfAPermissionAreThoseOfAllGrantsThatGiveItAndOfNoOther() {
        var access = access(new Grant(Role.VIEWER, BERLIN), new Grant(Role.PRICING_EDITOR, TOKYO));

        assertThat(access.stores(Permission.PRICES_READ)).contains(Set.of("DE-0001", "DE-0002", "JP-0001"));
        assertThat(access.stores(Permission.PRICES_DRAFT)).contains(Set.of("JP-0001"));
        assertThatThrownBy(() -> access.requireForAll(Permission.PRICES_READ)).isInstanceOf(Denied.class);
    }

    @Test
    void withinSomeStoresAPermissionIsForThoseOfThemThatItWasFor() {
        var all = access(Grant.of(Role.VIEWER), new Grant(Role.PRICING_EDITOR, TOKYO), Grant.of(Role.OPERATOR));

        var some = all.within(Set.of("DE-0001", "JP-0001"));

        assertThat(some.stores(Permission.PRICES_READ)).contains(Set.of("DE-0001", "JP-0001"));
        assertThat(some.stores(Permission.PRICES_DRAFT)).contains(Set.of("JP-0001"));
        assertThat(some.isForAll(Permission.OPERATIONS_ACT)).isTrue();
        assertThat(some.actor()).isEqualTo(all.actor());
        assertThat(all.within(Set.of("DE-0001")).may(Permission.PRICES_DRAFT)).isFalse();
        var many = IntStream.range(0, 1_200).mapToObj("S%d"::formatted).collect(Collectors.toSet());
        assertThat(all.within(many).stores(Permission.PRICES_READ)).contains(many);
    }

    @Test
    void aGrantForOneAgencyIsForNoOtherAndForNoWorkerOfThatName() {
        var access = access(new Grant(Role.PARTNER, new Scope.Only(Kind.AGENCY, "a1")));

        assertThat(access.may(Permission.BILLING_READ, Kind.AGENCY, "a1")).isTrue();
        assertThat(access.may(Permission.BILLING_READ, Kind.AGENCY, "a2")).isFalse();
        assertThat(access.may(Permission.BILLING_READ, Kind.WORKER, "a1")).isFalse();
        assertThat(access.may(Permission.BILLING_RUN, Kind.AGENCY, "a1")).isFalse();
        assertThatThrownBy(() -> access.require(Permission.BILLING_READ, Kind.AGENCY, "a2"))
                .isInstanceOf(Denied.class);
    }

    @Test
    void aPartOfTheSystemMayEverythingUnderItsOwnName() {
        var access = Access.ofSystem("billing", Actor.Source.SCHEDULER);

        assertThat(access.actor()).isEqualTo(Actor.system("billing", Actor.Source.SCHEDULER));
        for (var permission : Permission.values()) {
            assertThat(access.isForAll(permission)).as("%s", permission).isTrue();
        }
    }

    @Test
    void aGrantForAllIsForAllWhateverElseIsGranted() {
        var access = access(new Grant(Role.VIEWER, BERLIN), Grant.of(Role.PRICING_APPROVER));

        assertThat(access.stores(Permission.PRICES_READ)).isEmpty();
        assertThat(access.stores(Permission.TASKS_READ)).contains(Set.of("DE-0001", "DE-0002"));
        assertThatCode(() -> access.requireForAll(Permission.PRICES_READ)).doesNotThrowAnyException();
    }

    @Test
    void aPartnerHasItsOwnAgencyAndNoStores() {
        var access = access(new Grant(Role.PARTNER, new Scope.Only(Kind.AGENCY, "agency-7")));

        assertThat(access.only(Permission.BILLING_READ, Kind.AGENCY)).contains(Set.of("agency-7"));
        assertThat(access.only(Permission.BILLING_READ, Kind.WORKER)).contains(Set.of());
        assertThat(access.stores(Permission.BILLING_READ)).contains(Set.of());
    }

    @Test
    void theActorIsThePrincipalThroughThatDoor() {
        assertThat(access().actor()).isEqualTo(new Actor(Actor.Kind.USER, "01", "Grace", Actor.Source.PAGE));
        assertThat(access().through(Actor.Source.CSV).actor().source()).isEqualTo(Actor.Source.CSV);
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void everyRoleIsReadAsItWasWrittenForAllAndForAPart(Role role) {
        assertThat(Grant.parse(Grant.of(role).text())).isEqualTo(Grant.of(role));
        var part =
                switch (role.limit()) {
                    case NONE -> new Scope.All();
                    case STORES -> BERLIN;
                    case AGENCY, USER, WORKER -> new Scope.Only(role.limit(), "a b ä");
                };
        assertThat(Grant.parse(new Grant(role, part).text())).isEqualTo(new Grant(role, part));
    }

    @Test
    void everyPermissionBelongsToARole() {
        var granted = Arrays.stream(Role.values())
                .flatMap(role -> role.permissions().stream())
                .collect(Collectors.toCollection(HashSet::new));

        assertThat(granted).containsExactlyInAnyOrder(Permission.values());
    }

    @Test
    void aRoleIsNotLimitedToWhatItHasNothingToDoWith() {
        assertThatThrownBy(() -> new Grant(Role.PARTNER, BERLIN))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_GRANT"));
        assertThatThrownBy(() -> new Grant(Role.VIEWER, new Scope.Only(Kind.AGENCY, "agency-7")))
                .isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> new Grant(Role.BILLING, TOKYO)).isInstanceOf(InvalidInput.class);
    }

    @Test
    void aListOfStoresHasAtLeastOneAndABound() {
        assertThatThrownBy(() -> new Scope.Stores(Set.of())).isInstanceOf(InvalidInput.class);
        assertThat(stores(Scope.Stores.MAX_STORES).ids()).hasSize(Scope.Stores.MAX_STORES);
        assertThatThrownBy(() -> stores(Scope.Stores.MAX_STORES + 1)).isInstanceOf(InvalidInput.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "VIEWER", "VIEWER ", "QUEEN ALL", "VIEWER STORES", "PARTNER AGENCY#a#b", "PARTNER NONE#a"})
    void whatThisVersionDoesNotKnowIsNoGrant(String text) {
        assertThatThrownBy(() -> Grant.parse(text)).isInstanceOfAny(IllegalArgumentException.class, InvalidInput.class);
    }

    private static Scope.Stores stores(int count) {
        return new Scope.Stores(
                IntStream.range(0, count).mapToObj(i -> "S" + i).collect(Collectors.toUnmodifiableSet()));
    }

    private static Access access(Grant... grants) {
        return new Access(new Principal("01", Actor.Kind.USER, "Grace", Set.of(grants)), Actor.Source.PAGE);
    }
}
