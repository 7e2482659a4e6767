package io.menuboard.webadmin.accounts;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Roles as checkboxes, each a field of its own: {@code role-VIEWER}. They are given for everything only, as use cases do not
 * look at parts yet.
 *
 * @param fields names of those that are checked, as they were sent
 */
record RoleChoices(Set<String> fields) {
    static final RoleChoices NONE = new RoleChoices(Set.of());
    private static final String PREFIX = "role-";

    RoleChoices {
        fields = Set.copyOf(fields);
    }

    static RoleChoices of(Map<String, String> form) {
        return new RoleChoices(
                form.keySet().stream().filter(field -> field.startsWith(PREFIX)).collect(toUnmodifiableSet()));
    }

    /** Those that somebody has for everything. */
    static RoleChoices of(Set<Grant> grants) {
        return new RoleChoices(grants.stream()
                .filter(AccountWords::isForAll)
                .map(grant -> field(grant.role()))
                .collect(toUnmodifiableSet()));
    }

    /**
     * The roles that are checked.
     *
     * @throws InvalidInput {@code INVALID_ROLE} on {@code roles} for one that there is not
     */
    Set<Grant> grants() {
        var known = Stream.of(Role.values()).map(RoleChoices::field).collect(toUnmodifiableSet());
        if (!known.containsAll(fields)) {
            throw new InvalidInput("INVALID_ROLE", "roles", "must be roles that are listed here");
        }
        return Stream.of(Role.values())
                .filter(role -> fields.contains(field(role)))
                .map(Grant::of)
                .collect(toUnmodifiableSet());
    }

    /** The roles that are checked, and those for a part that somebody has already: no form has a place for them. */
    Set<Grant> grantsBeside(Set<Grant> before) {
        var all = new HashSet<>(grants());
        before.stream().filter(grant -> !AccountWords.isForAll(grant)).forEach(all::add);
        return Set.copyOf(all);
    }

    /** The same text for the same roles. */
    String text() {
        return fields.stream().sorted().collect(joining(" "));
    }

    List<Box> boxes() {
        return Arrays.stream(Role.values())
                .map(role -> new Box(
                        field(role), AccountWords.name(role), AccountWords.about(role), fields.contains(field(role))))
                .toList();
    }

    private static String field(Role role) {
        return PREFIX + role.name();
    }

    /** One checkbox. */
    record Box(String field, String name, String about, boolean checked) {}
}
