package io.menuboard.access;

import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.InvalidInput;
import java.util.Set;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** A role that somebody has for everything or for a part of it. */
public record Grant(Role role, Scope scope) {

    /** Refuses with {@link InvalidInput} {@code INVALID_GRANT} on {@code scope} one that the role cannot be limited to. */
    public Grant {
        if (!scope.suits(role.limit())) {
            throw new InvalidInput("INVALID_GRANT", "scope", "must be one that " + role + " can be limited to");
        }
    }

    /** The role for everything. */
    public static Grant of(Role role) {
        return new Grant(role, new Scope.All());
    }

    /** What is left of it where no other stores may be told of: grants for those of them that it is for. */
    Stream<Grant> within(Set<String> stores) {
        return role.limit() == Kind.STORES
                ? stores.stream()
                        .filter(scope::isForStore)
                        .gather(Gatherers.windowFixed(Scope.Stores.MAX_STORES))
                        .map(some -> new Grant(role, new Scope.Stores(Set.copyOf(some))))
                : Stream.of(this);
    }

    /** One string, as {@link #parse} reads it: {@code PRICING_EDITOR ALL}, {@code PARTNER AGENCY#a}. */
    public String text() {
        return role + " " + scope.text();
    }

    /**
     * The grant of a string that {@link #text} made.
     *
     * @throws IllegalArgumentException for any other, such as one with a role of a later version
     */
    public static Grant parse(String text) {
        var parts = text.split(" ", 2);
        return new Grant(Role.valueOf(parts[0]), Scope.parse(parts.length == 2 ? parts[1] : ""));
    }
}
