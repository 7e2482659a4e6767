package io.menuboard.webadmin.accounts;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Roles as checkboxes, each a field of its own, {@code role-VIEWER}, with a field for what the role is limited to,
 * {@code only-VIEWER}: ids, each on a line of its own; empty for everything.
 *
 * @param fields those of both kinds that were sent and say something, by name
 */
record RoleChoices(Map<String, String> fields) {
    static final RoleChoices NONE = new RoleChoices(Map.of());
    private static final String ROLE = "role-";
    private static final String ONLY = "only-";

    RoleChoices {
        fields = Map.copyOf(fields);
    }

    static RoleChoices of(Map<String, String> form) {
        var fields = new HashMap<String, String>();
        form.forEach((field, value) -> {
            if (field.startsWith(ROLE) || (field.startsWith(ONLY) && !value.isBlank())) {
                fields.put(field, value);
            }
        });
        return new RoleChoices(fields);
    }

    /** As a form that somebody fills in to give these. */
    static RoleChoices of(Set<Grant> grants) {
        var fields = new HashMap<String, String>();
        for (var role : Role.values()) {
            var scopes = grants.stream()
                    .filter(grant -> grant.role() == role)
                    .map(Grant::scope)
                    .toList();
            if (!scopes.isEmpty()) {
                fields.put(ROLE + role, "yes");
                var ids = scopes.stream().flatMap(RoleChoices::ids).sorted().collect(joining("\n"));
                if (!ids.isEmpty() && scopes.stream().noneMatch(Scope.All.class::isInstance)) {
                    fields.put(ONLY + role, ids);
                }
            }
        }
        return new RoleChoices(fields);
    }

    private static Stream<String> ids(Scope scope) {
        return switch (scope) {
            case Scope.All _ -> Stream.of();
            case Scope.Stores stores -> stores.ids().stream();
            case Scope.Only only -> Stream.of(only.id());
        };
    }

    /**
     * The roles that are checked, each for what it is limited to.
     *
     * @throws InvalidInput {@code INVALID_ROLE} on {@code roles} for one that there is not; {@code INVALID_ID} and
     *     {@code INVALID_GRANT} on the field of what a role is limited to
     */
    Set<Grant> grants() {
        var known = Stream.of(Role.values())
                .flatMap(role ->
                        role.limit() == Kind.NONE ? Stream.of(ROLE + role) : Stream.of(ROLE + role, ONLY + role))
                .collect(toUnmodifiableSet());
        if (!known.containsAll(fields.keySet())) {
            throw new InvalidInput("INVALID_ROLE", "roles", "must be roles that are listed here");
        }
        return Stream.of(Role.values()).flatMap(this::grants).collect(toUnmodifiableSet());
    }

    private Stream<Grant> grants(Role role) {
        var ids = fields.getOrDefault(ONLY + role, "")
                .lines()
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(toUnmodifiableSet());
        if (!fields.containsKey(ROLE + role)) {
            if (!ids.isEmpty()) {
                throw InvalidInput.sentence(
                        "INVALID_GRANT", ONLY + role, "Choose the role too, or leave this field empty");
            }
            return Stream.of();
        }
        if (ids.isEmpty()) {
            return Stream.of(Grant.of(role));
        }
        try {
            return role.limit() == Kind.STORES
                    ? Stream.of(new Grant(role, new Scope.Stores(ids)))
                    : ids.stream().map(id -> new Grant(role, new Scope.Only(role.limit(), id))).toList().stream();
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), ONLY + role, e.rule());
        }
    }

    /** The same text for the same roles. */
    String text() {
        return new TreeMap<>(fields).toString();
    }

    List<Box> boxes() {
        return Arrays.stream(Role.values()).map(this::box).toList();
    }

    private Box box(Role role) {
        var limit = role.limit();
        return new Box(
                ROLE + role,
                AccountWords.name(role),
                AccountWords.about(role),
                fields.containsKey(ROLE + role),
                limit == Kind.NONE ? null : ONLY + role,
                limit == Kind.NONE ? "" : "Only for the " + AccountWords.plural(limit),
                fields.getOrDefault(ONLY + role, ""));
    }

    /**
     * One checkbox, and the field beside it.
     *
     * @param limit name of the field for what the role is limited to, or null where there is none
     */
    record Box(
            String field,
            String name,
            String about,
            boolean checked,
            @Nullable String limit,
            String limitLabel,
            String ids) {}
}
