package io.menuboard.access;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who asks, and through what. A use case takes it first, and says with it what is needed and what may be seen.
 *
 * @param source the door through which the request came
 */
public record Access(Principal principal, Actor.Source source) {

    /**
     * Of who runs a command on a machine that has the credentials of the table, and so may do everything.
     *
     * @param user as the machine knows them; no identity of ours
     */
    public static Access ofCommandLine(String user) {
        return new Access(Principal.withEveryRole(user), Actor.Source.COMMAND_LINE);
    }

    /**
     * Of a part of the system that acts by itself, and so may do everything: what it does for somebody goes by
     * {@link CurrentAccess} instead.
     */
    public static Access ofSystem(String part, Actor.Source source) {
        return new Access(Principal.withEveryRole(Actor.Kind.SYSTEM, part), source);
    }

    /** As history and audit keep it. */
    public Actor actor() {
        return new Actor(principal.kind(), principal.id(), principal.name(), source);
    }

    /** The same principal through another door. */
    public Access through(Actor.Source other) {
        return new Access(principal, other);
    }

    /** The same principal, with what it may do for those stores alone, and for whatever has none. */
    public Access within(Set<String> stores) {
        var grants = principal.grants().stream()
                .flatMap(grant -> grant.within(stores))
                .collect(toUnmodifiableSet());
        return new Access(new Principal(principal.id(), principal.kind(), principal.name(), grants), source);
    }

    public boolean may(Permission permission) {
        return principal.may(permission);
    }

    /**
     * Stops who does not have that permission for anything at all.
     *
     * @throws Denied then
     */
    public void require(Permission permission) {
        if (!may(permission)) {
            throw new Denied(permission, false);
        }
    }

    /**
     * The permission for everything.
     *
     * @throws Denied without it, and with it for a part only
     */
    public void requireForAll(Permission permission) {
        if (!isForAll(permission)) {
            throw new Denied(permission, may(permission));
        }
    }

    /**
     * The permission for one agency, worker or user.
     *
     * @throws Denied without it, and with it for others only
     */
    public void require(Permission permission, Kind kind, String id) {
        if (!may(permission, kind, id)) {
            throw new Denied(permission, may(permission));
        }
    }

    /** Whether the permission is for that agency, worker, user or store, or for everything. */
    public boolean may(Permission permission, Kind kind, String id) {
        return principal.grants().stream()
                .filter(grant -> grant.role().permissions().contains(permission))
                .anyMatch(grant -> switch (grant.scope()) {
                    case Scope.All _ -> true;
                    case Scope.Stores stores -> kind == Kind.STORES && stores.isForStore(id);
                    case Scope.Only only -> only.kind() == kind && only.id().equals(id);
                });
    }

    /**
     * Stores that the permission is for: those of all grants that give it, together.
     *
     * @return empty for all stores; an empty set for none
     */
    public Optional<Set<String>> stores(Permission permission) {
        return limitedTo(permission, Kind.STORES);
    }

    /**
     * Agencies, workers or users that the permission is for.
     *
     * @return empty for all of them; an empty set for none
     */
    public Optional<Set<String>> only(Permission permission, Kind kind) {
        return limitedTo(permission, kind);
    }

    private Optional<Set<String>> limitedTo(Permission permission, Kind kind) {
        if (isForAll(permission)) {
            return Optional.empty();
        }
        var ids = new HashSet<String>();
        for (var grant : principal.grants()) {
            if (grant.role().permissions().contains(permission)) {
                switch (grant.scope()) {
                    case Scope.Stores stores when kind == Kind.STORES -> ids.addAll(stores.ids());
                    case Scope.Only only when only.kind() == kind -> ids.add(only.id());
                    case Scope.All _, Scope.Stores _, Scope.Only _ -> {}
                }
            }
        }
        return Optional.of(Set.copyOf(ids));
    }

    /** Whether the permission is for everything. */
    public boolean isForAll(Permission permission) {
        return principal.grants().stream()
                .anyMatch(grant -> grant.scope() instanceof Scope.All
                        && grant.role().permissions().contains(permission));
    }
}
