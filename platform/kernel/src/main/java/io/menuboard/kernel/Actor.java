package io.menuboard.kernel;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Requester of a change, and the interface used.
 *
 * @param id the user's or token's, which stays when the name changes; null for a part of the system, for whoever comes where
 *     nobody signs in, and in what was written before there were ids
 * @param name the user's or token's name, or the part of the system; not blank
 */
public record Actor(Kind kind, @Nullable String id, String name, Source source) {
    private static final char SEPARATOR = '\t';

    /** What no id has (ASCII's unit separator). */
    private static final char BEFORE_ID = '\u001f';

    /** Forms that earlier versions wrote, {@code TOKEN till 7 GRAPHQL}; kinds and sources are of capitals. */
    private static final Pattern OLDER = Pattern.compile("([A-Z_]+)([ :])(.*)\\2([A-Z_]+)", Pattern.DOTALL);

    public Actor {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor needs a name");
        }
        if (id != null) {
            Ids.check("id", id);
        }
    }

    /** One without an id. */
    public Actor(Kind kind, String name, Source source) {
        this(kind, null, name, source);
    }

    /** A part of the system that acts by itself. */
    public static Actor system(String name, Source source) {
        return new Actor(Kind.SYSTEM, name, source);
    }

    /** The actor as one string: kind, source and {@link #storedName}, with tabs between them. {@link #parse} reads it. */
    public String text() {
        return kind.name() + SEPARATOR + source.name() + SEPARATOR + storedName();
    }

    /**
     * The name with the id behind it, for {@link #read}. A version that knows no ids shows both, with an invisible character
     * between them.
     */
    public String storedName() {
        if (id == null) {
            return name.indexOf(BEFORE_ID) < 0 ? name : name + BEFORE_ID;
        }
        return name + BEFORE_ID + id;
    }

    /**
     * The actor of a string that this version or another one wrote, as {@link #read}; a string of no known form is the
     * name of an actor of which nothing else is known.
     */
    public static Actor parse(String text) {
        var parts = text.split(String.valueOf(SEPARATOR), 3);
        if (parts.length == 3) {
            return read(parts[0], parts[2], parts[1]);
        }
        var older = OLDER.matcher(text);
        return older.matches() ? read(older.group(1), older.group(3), older.group(4)) : read("", text, "");
    }

    /**
     * As it was written, by this version or another one: what this version does not know is {@code UNKNOWN}.
     *
     * @param kind name of a {@link Kind}
     * @param storedName as {@link #storedName} makes it, or a name alone
     * @param source name of a {@link Source}
     */
    public static Actor read(String kind, String storedName, String source) {
        var end = storedName.lastIndexOf(BEFORE_ID);
        var name = end < 0 ? storedName : storedName.substring(0, end);
        var id = end < 0 ? "" : storedName.substring(end + 1);
        return new Actor(
                known(Kind.values(), kind, Kind.UNKNOWN),
                id.isEmpty() ? null : id,
                name.isBlank() ? "unknown" : name,
                known(Source.values(), source, Source.UNKNOWN));
    }

    private static <E extends Enum<E>> E known(E[] all, String name, E otherwise) {
        for (var each : all) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return otherwise;
    }

    /** Kind of requester that the name belongs to. */
    public enum Kind {
        USER,
        TOKEN,
        SYSTEM,
        /** Something that only another version of the application knows; never written by who asks. */
        UNKNOWN
    }

    /** The door through which the request came. */
    public enum Source {
        PAGE,
        GRAPHQL,
        CSV,
        COMMAND_LINE,
        SCHEDULER,
        WORKER,
        /** One that only another version of the application knows; never written by who asks. */
        UNKNOWN
    }
}
