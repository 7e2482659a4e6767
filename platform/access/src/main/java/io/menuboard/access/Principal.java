package io.menuboard.access;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A person, a client or a part of the system that asks, with what it may do.
 *
 * @param id stays the same when the name changes; what is decided by identity is decided by this. Null where nobody signs in
 * @param name for people: not unique, and may change
 */
public record Principal(@Nullable String id, Actor.Kind kind, String name, Set<Grant> grants) {
    static final Set<Grant> EVERY_ROLE =
            Arrays.stream(Role.values()).map(Grant::of).collect(Collectors.toUnmodifiableSet());

    public Principal {
        if (id != null) {
            Ids.check("id", id);
        }
        grants = Set.copyOf(grants);
    }

    /** Somebody of whom no more than a name is known, with every role for everything. */
    public static Principal withEveryRole(String name) {
        return withEveryRole(Actor.Kind.USER, name);
    }

    static Principal withEveryRole(Actor.Kind kind, String name) {
        return new Principal(null, kind, name, EVERY_ROLE);
    }

    boolean may(Permission permission) {
        return grants.stream().anyMatch(grant -> grant.role().permissions().contains(permission));
    }
}
