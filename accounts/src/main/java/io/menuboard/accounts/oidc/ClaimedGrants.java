package io.menuboard.accounts.oidc;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Grant;
import io.menuboard.accounts.IdentifiedPerson;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a claim give.
 *
 * @param claim its name; where no claim has it, its parts between dots lead into claims that are objects
 * @param grants by value, compared case by case; values that are not in it give nothing
 */
record ClaimedGrants(String claim, Map<String, Set<Grant>> grants) {
    ClaimedGrants {
        grants = Map.copyOf(grants);
        IdentifiedPerson.checkGrants(all(grants.values().stream()));
    }

    /**
     * @param setting entries between semicolons or on lines of their own, each {@code VALUE: GRANT, GRANT}, with grants as
     *     {@link Grant#text} has them
     * @throws IllegalArgumentException for any other
     */
    static ClaimedGrants parse(String claim, String setting) {
        var grants = new HashMap<String, Set<Grant>>();
        for (var entry : setting.split("[;\n]", -1)) {
            if (!entry.isBlank()) {
                var colon = entry.lastIndexOf(": ");
                if (colon < 1) {
                    throw malformed(entry, null);
                }
                var value = entry.substring(0, colon).strip();
                if (grants.put(value, grants(entry, entry.substring(colon + 2))) != null) {
                    throw new IllegalArgumentException("menuboard.oidc.grants has " + value + " twice");
                }
            }
        }
        if (grants.isEmpty()) {
            throw malformed(setting, null);
        }
        return new ClaimedGrants(claim, grants);
    }

    private static Set<Grant> grants(String entry, String texts) {
        try {
            return Arrays.stream(texts.split(",", -1))
                    .map(String::strip)
                    .map(Grant::parse)
                    .collect(toUnmodifiableSet());
        } catch (IllegalArgumentException | InvalidInput e) {
            throw malformed(entry, e);
        }
    }

    private static IllegalArgumentException malformed(String entry, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "menuboard.oidc.grants has VALUE: ROLE SCOPE, ROLE SCOPE; ... and not: " + entry.strip(), cause);
    }

    /** All grants that the claims give; none where the claim is not there, or is neither a text nor texts. */
    Set<Grant> of(Map<String, Object> claims) {
        return all(values(claims, claim).map(value -> grants.getOrDefault(value, Set.of())));
    }

    private static Set<Grant> all(Stream<Set<Grant>> sets) {
        var all = new HashSet<Grant>();
        sets.forEach(all::addAll);
        return Set.copyOf(all);
    }

    private static Stream<String> values(Map<?, ?> claims, String path) {
        var value = claims.get(path);
        if (value != null) {
            return texts(value);
        }
        for (var dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            if (claims.get(path.substring(0, dot)) instanceof Map<?, ?> inside) {
                return values(inside, path.substring(dot + 1));
            }
        }
        return Stream.of();
    }

    private static Stream<String> texts(Object value) {
        return switch (value) {
            case String text -> Stream.of(text);
            case Collection<?> many ->
                many.stream().filter(String.class::isInstance).map(String.class::cast);
            default -> Stream.of();
        };
    }
}
