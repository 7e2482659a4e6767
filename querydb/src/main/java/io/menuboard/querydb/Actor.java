package io.menuboard.querydb;

/**
 * Who asks for a change, and through what.
 *
 * @param name the user's or token's name, or the part of the system; not blank
 */
public record Actor(Kind kind, String name, Source source) {

    public Actor {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor needs a name");
        }
    }

    /** What the name is the name of. */
    public enum Kind {
        USER,
        TOKEN,
        SYSTEM
    }

    /** The door through which the request came. */
    public enum Source {
        PAGE,
        GRAPHQL,
        CSV,
        COMMAND_LINE,
        SCHEDULER,
        WORKER
    }
}
