package io.menuboard.access;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Part of what there is that a {@link Grant} is for. */
public sealed interface Scope {

    /** Everything. */
    record All() implements Scope {}

    /**
     * Some stores.
     *
     * @param ids of stores; at least one, at most {@value #MAX_STORES}
     */
    record Stores(Set<String> ids) implements Scope {
        public static final int MAX_STORES = 500;

        /** Refuses with {@link InvalidInput} {@code INVALID_GRANT} on {@code stores} none, and too many. */
        public Stores {
            ids.forEach(id -> Ids.check("stores", id));
            if (ids.isEmpty() || ids.size() > MAX_STORES) {
                throw new InvalidInput("INVALID_GRANT", "stores", "must be 1 to " + MAX_STORES + " stores");
            }
            ids = Set.copyOf(ids);
        }
    }

    /** One agency that is billed, one worker, or one user who marks restaurants. */
    record Only(Kind kind, String id) implements Scope {
        public Only {
            if (kind == Kind.NONE || kind == Kind.STORES) {
                throw new IllegalArgumentException(kind + " is no kind of one");
            }
            Ids.check("id", id);
        }
    }

    /** Kind of what a role can be limited to. */
    enum Kind {
        NONE,
        STORES,
        AGENCY,
        USER,
        WORKER
    }

    /** Whether it is for that store, as all of them are. */
    default boolean isForStore(String id) {
        return switch (this) {
            case All _ -> true;
            case Stores stores -> stores.ids.contains(id);
            case Only _ -> false;
        };
    }

    /** Whether a role with that limit can be granted for it. */
    default boolean suits(Kind limit) {
        return switch (this) {
            case All _ -> true;
            case Stores _ -> limit == Kind.STORES;
            case Only only -> limit == only.kind;
        };
    }

    /** One string, as {@link #parse} reads it; ids have no {@code #}. */
    default String text() {
        return switch (this) {
            case All _ -> "ALL";
            case Stores stores -> Kind.STORES + "#" + String.join("#", new TreeSet<>(stores.ids));
            case Only only -> only.kind + "#" + only.id;
        };
    }

    /**
     * The scope of a string that {@link #text} made.
     *
     * @throws IllegalArgumentException for any other
     */
    static Scope parse(String text) {
        var parts = text.split("#", -1);
        if (text.equals("ALL")) {
            return new All();
        }
        var kind = Kind.valueOf(parts[0]);
        if (kind == Kind.STORES) {
            return new Stores(Set.copyOf(Arrays.asList(parts).subList(1, parts.length)));
        }
        if (parts.length != 2) {
            throw new IllegalArgumentException(text);
        }
        return new Only(kind, parts[1]);
    }
}
