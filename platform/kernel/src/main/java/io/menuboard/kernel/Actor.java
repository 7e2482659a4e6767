package io.menuboard.kernel;

import java.util.regex.Pattern;

/**
 * Requester of a change, and the interface used.
 *
 * @param name the user's or token's name, or the part of the system; not blank
 */
public record Actor(Kind kind, String name, Source source) {
    private static final char SEPARATOR = '\t';

    /** Forms that earlier versions wrote, {@code TOKEN till 7 GRAPHQL}; kinds and sources are of capitals. */
    private static final Pattern OLDER = Pattern.compile("([A-Z_]+)([ :])(.*)\\2([A-Z_]+)", Pattern.DOTALL);

    public Actor {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor needs a name");
        }
    }

    /** The actor as one string: kind, source and name, with tabs between them. {@link #parse} reads it. */
    public String text() {
        return kind.name() + SEPARATOR + source.name() + SEPARATOR + name;
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
     * @param source name of a {@link Source}
     */
    public static Actor read(String kind, String name, String source) {
        return new Actor(
                known(Kind.values(), kind, Kind.UNKNOWN),
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
