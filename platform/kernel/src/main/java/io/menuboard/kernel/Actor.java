package io.menuboard.kernel;

/**
 * Requester of a change, and the interface used.
 *
 * @param name the user's or token's name, or the part of the system; not blank
 */
public record Actor(Kind kind, String name, Source source) {

    public Actor {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor needs a name");
        }
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
