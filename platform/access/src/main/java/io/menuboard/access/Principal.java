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
    public Principal {
        if (id != null) {
            Ids.check("id", id);
        }
        grants = Set.copyOf(grants);
    }

    /** Somebody of whom no more than a name is known, with every role for everything. */
    public static Principal withEveryRole(String name) {
        var grants = Arrays.stream(Role.values()).map(Grant::of).collect(Collectors.toUnmodifiableSet());
        return new Principal(null, Actor.Kind.USER, name, grants);
    }

    boolean may(Permission permission) {
        return grants.stream().anyMatch(grant -> grant.role().permissions().contains(permission));
    }
}
